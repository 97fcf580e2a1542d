// node slack.cjs FILE: reads {NAME: [{name, blocks}]} from the file, and prints {NAME: {light: HTML, dark: HTML}}.
// It draws some things that Slack refuses: it shows how a message looks, not whether Slack takes it.
const fs = require('fs'), path = require('path');
const React = require('react'), {renderToStaticMarkup} = require('react-dom/server');
const {Message} = require('slack-blocks-to-jsx');

const css = fs.readFileSync(path.join(__dirname, 'node_modules/slack-blocks-to-jsx/dist/style.css'), 'utf8');
const data = {users: [{id: 'UBOT', name: 'icc-bot'}], channels: [], user_groups: []};

const CODE = /^```\n?([^]*?)\n?```$/;

// What the renderer knows a field by: it draws every text field as high as one of many lines, and no choice.
function knownField(element) {
  if (element.type === 'plain_text_input' && !element.multiline) return {...element, type: 'email_text_input'};
  return element.initial_option ? {...element, placeholder: element.initial_option.text} : element;
}

function preformatted(text) {
  const plain = text.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');
  const elements = [{type: 'rich_text_preformatted', elements: [{type: 'text', text: plain}]}];
  return {type: 'rich_text', elements};
}

// The renderer knows no cell that is a number, and no table that people page through.
function known(block) {
  if (block.type === 'input') return {...block, element: knownField(block.element)};
  const code = block.type === 'section' && CODE.exec(block.text?.text ?? '');
  if (code) return preformatted(code[1]);
  if (block.type === 'container') return {...block, child_blocks: block.child_blocks.map(known)};
  if (block.type === 'data_table') block = {type: 'table', rows: block.rows.slice(0, (block.page_size || 5) + 1)};
  if (block.type !== 'table') return block;
  const cell = each => each.type === 'raw_number' ? {type: 'raw_text', text: each.text} : each;
  return {...block, rows: block.rows.map(row => row.map(cell))};
}

// Nor does it know people, times and marks in small print, or any mark in text that Slack is to leave alone.
function worded(blocks) {
  const person = (all, id) => `@${id[0]}${id.slice(1).toLowerCase()}`;
  const text = JSON.stringify(blocks).replace(/<@U([A-Z]+)\d*>/g, person)
    .replace(/<!date\^[^|>]*\|([^>]*)>/g, '$1').replaceAll(':heavy_check_mark:', '✔️').replaceAll('"verbatim":true', '"verbatim":false');
  return JSON.parse(text).map(known);
}

function logo(name) {
  const colour = name === 'icc-bot' ? '#4A154B' : '#0b6e99';
  const letter = `<text x="36" y="47" font-size="32" text-anchor="middle" fill="white">${name[0].toUpperCase()}</text>`;
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="72" height="72" font-family="sans-serif">` +
    `<rect width="72" height="72" rx="12" fill="${colour}"/>${letter}</svg>`;
  return 'data:image/svg+xml;utf8,' + encodeURIComponent(picture);
}

function drawn({name, blocks}, theme) {
  const time = new Date('2026-03-15T09:00:00Z');
  try {
    return renderToStaticMarkup(React.createElement(
      Message, {blocks: worded(blocks), name, logo: logo(name), theme, time, data}));
  } catch (error) {
    return `<pre style="color:red">${error.message}</pre>`;
  }
}

function page(messages, theme) {
  const [ground, ink] = theme === 'dark' ? ['#1a1d21', '#d1d2d3'] : ['#fff', '#1d1c1d'];
  const style = `${css} html,body{overflow-x:hidden} body{margin:0;padding:12px;background:${ground};color:${ink};` +
    `font-family:Lato,'Noto Sans',sans-serif}`;
  const gap = '<div style="height:8px"></div>';
  return `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<style>${style}</style>${messages.map(each => drawn(each, theme)).join(gap)}`;
}

const given = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));
const pages = Object.entries(given).map(
  ([name, messages]) => [name, {light: page(messages, 'light'), dark: page(messages, 'dark')}]);
process.stdout.write(JSON.stringify(Object.fromEntries(pages)));
