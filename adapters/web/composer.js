// Where one types: Enter sends, Shift+Enter starts a new line. The text stays until the server has taken it,
// and a draft outlives a reload of the tab.
export default {
  template: `
    <form class="composer" @submit.prevent="send">
      <textarea ref="text" v-model="text" rows="1" :placeholder="placeholder" :aria-label="placeholder"
                enterkeyhint="send" @keydown="key" @input="grow"></textarea>
      <button type="submit" aria-label="Send" :disabled="!text.trim()">
        <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><path d="M12 19V5M5 12l7-7 7 7"
          fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"/></svg>
      </button>
    </form>`,
  props: { placeholder: String, draft: String },
  emits: ["send"],
  data: () => ({ text: "" }),
  mounted() {
    this.text = sessionStorage.getItem(this.draft) ?? "";
    this.$nextTick(this.grow);
    if (matchMedia("(hover: hover)").matches) this.$refs.text.focus();
  },
  watch: {
    draft(_, before) {
      sessionStorage.removeItem(before);
      this.grow();
    },
  },
  methods: {
    key(event) {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.send();
    },
    send() {
      if (!this.text.trim()) return;
      iccFollow();
      this.$emit("send", this.text);
    },
    taken(text) {
      if (this.text === text) this.text = "";
      this.$nextTick(this.grow);
    },
    grow() {
      sessionStorage.setItem(this.draft, this.text);
      const box = this.$refs.text;
      box.style.height = "auto";
      box.style.height = Math.min(box.scrollHeight, innerHeight * 0.4) + "px";
    },
  },
};
