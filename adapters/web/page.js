// What the browser does on its own: keep the talk's end in sight, keep the keyboard's place, copy code, tell light from dark.

function iccCopy(button) {
  const text = button.closest("figure").querySelector("pre").innerText;
  const done = () => {
    const label = button.querySelector(".block");
    label.textContent = "Copied";
    setTimeout(() => (label.textContent = "Copy"), 2000);
  };
  if (navigator.clipboard) {
    navigator.clipboard.writeText(text).then(done);
    return;
  }
  // Without HTTPS there is no clipboard object outside of localhost.
  const box = Object.assign(document.createElement("textarea"), { value: text });
  document.body.append(box);
  box.select();
  if (document.execCommand("copy")) done();
  box.remove();
}

// A link to a message: pressed, it is copied, and stands in the address.
function iccCopyLink(event) {
  if (event.ctrlKey || event.metaKey || event.shiftKey || !navigator.clipboard) return;
  event.preventDefault();
  const link = event.currentTarget;
  navigator.clipboard.writeText(link.href).then(() => {
    link.textContent = "Link copied";
    setTimeout(() => (link.textContent = "Link to this"), 2000);
  });
}

// Show the message that a link leads to, and stay there.
function iccSeek(anchor) {
  const found = document.getElementById(anchor.slice(1));
  if (!found) return;
  iccFollowing = false;
  iccTouched = true;
  scrollTo({ top: found.getBoundingClientRect().top + scrollY - 76 });
  found.classList.add("sought");
}

// By keyboard: "/" goes to where one types; arrows, Home and End go through a menu.
function iccKeys(event) {
  const inside = event.target.closest?.("input, textarea, [contenteditable], .cm-editor");
  if (event.key === "/" && !inside && !event.ctrlKey && !event.metaKey && !event.altKey) {
    const box = document.querySelector(".composer textarea");
    if (!box || document.querySelector(".q-dialog")) return;
    event.preventDefault();
    box.focus();
    return;
  }
  const menu = document.querySelector(".q-menu.ways");
  if (!menu || !["ArrowDown", "ArrowUp", "Home", "End"].includes(event.key)) return;
  const items = [...menu.querySelectorAll(".q-item")];
  const at = items.indexOf(document.activeElement);
  const to = { ArrowDown: at + 1, ArrowUp: at < 0 ? -1 : at - 1, Home: 0, End: -1 }[event.key];
  event.preventDefault();
  items.at(to % items.length)?.focus();
}

function iccBegan(thread, title) {
  history.replaceState({}, "", "/t/" + thread);
  document.title = title;
}

// Only a person's own scrolling ends the following: while the layout still grows, the page scrolls too.
let iccFollowing = true;
let iccTouched = false; // since the last entry came

// Whoever says or presses something wants to see what comes of it.
function iccFollow() {
  iccFollowing = true;
  iccTouched = false;
}

// To type where one asks is not to look elsewhere.
function iccTouch(event) {
  const typing = /^(key|pointer)/.test(event.type) && event.target.closest?.(".composer");
  if (!typing || /^(Page|Tab)/.test(event.key)) iccTouched = true;
}

// Show the end of the talk; of a last entry that is taller than the window, its beginning.
function iccShowLatest(last) {
  const end = document.documentElement.scrollHeight - innerHeight;
  const top = last ? last.getBoundingClientRect().top + scrollY - 76 : end;
  scrollTo({ top: Math.max(0, Math.min(end, top)) });
}

function iccWatch() {
  addEventListener("keydown", iccKeys);
  if (location.hash.startsWith("#m")) emitEvent("icc-seek", location.hash);
  emitEvent("icc-zone", Intl.DateTimeFormat().resolvedOptions().timeZone);
  const talk = document.querySelector(".talk");
  const body = document.body;
  let pressed = null;
  let latest = null;

  for (const kind of ["wheel", "touchmove", "pointerdown", "keydown"]) {
    addEventListener(kind, iccTouch, { capture: true, passive: true });
  }
  addEventListener("scroll", () => {
    if (iccTouched) iccFollowing = innerHeight + scrollY >= document.documentElement.scrollHeight - 120;
  }, { passive: true });
  const lastEntry = () => talk.querySelector(".entries").lastElementChild;
  const sizes = new ResizeObserver(() => {
    const last = lastEntry();
    const working = talk.querySelector(".progress").hasChildNodes();
    if (iccFollowing && (last !== latest || working)) iccTouched = false;
    latest = last;
    if (iccFollowing && !iccTouched) iccShowLatest(last);
  });
  sizes.observe(talk);
  sizes.observe(body); // with the room that the foot takes

  // A pressed button is drawn again or goes away: the keyboard goes on at its successor, or where one types.
  talk.addEventListener("click", (event) => {
    pressed = event.target.closest("[data-answer]")?.dataset.answer ?? null;
    if (pressed !== null || event.target.closest(".example")) iccFollow();
  });
  new MutationObserver(() => {
    if (pressed === null || document.activeElement !== body || talk.querySelector(".waiting")) return;
    const successor = [...talk.querySelectorAll(".stands [data-answer]")].find((b) => b.dataset.answer === pressed);
    const typing = matchMedia("(hover: hover)").matches ? document.querySelector(".composer textarea") : null;
    (successor ?? typing)?.focus({ preventScroll: true });
  }).observe(talk, { childList: true, subtree: true });

  // A dialog that goes leaves the page where it was opened: what its press brought meanwhile is not in sight yet.
  let held = false;
  new MutationObserver(() => {
    if (held !== (held = body.classList.contains("q-body--prevent-scroll")) && !held && iccFollowing && !iccTouched) {
      iccShowLatest(lastEntry());
    }
  }).observe(body, { attributes: true, attributeFilter: ["class"] });

  let dark = null;
  const tellDark = () => {
    if (dark === (dark = body.classList.contains("body--dark"))) return;
    emitEvent("icc-dark", dark);
  };
  new MutationObserver(tellDark).observe(body, { attributes: true, attributeFilter: ["class"] });
  tellDark();
}

function iccRemember(theme) {
  document.cookie = `icc_theme=${theme}; path=/; max-age=31536000; samesite=lax`;
}
