// Draws Teams messages in a page where adaptivecards.js is loaded: show([{name, text, card}], 'light').
// What only Teams knows, the code block and the charts, is drawn here, plainly.
(() => {
  const {AdaptiveCard, CardElement, GlobalRegistry, HostConfig} = AdaptiveCards;
  const CHARTS = ['Line', 'VerticalBar', 'VerticalBar.Grouped', 'HorizontalBar', 'HorizontalBar.Stacked', 'Pie', 'Donut'];

  function element(tag, className, text = '') {
    const made = document.createElement(tag);
    made.className = className;
    made.textContent = text;
    return made;
  }

  class TeamsElement extends CardElement {
    getJsonTypeName() { return this.constructor.kind; }
    internalParse(source, context) {
      super.internalParse(source, context);
      this.source = source;
    }
  }

  class CodeBlock extends TeamsElement {
    static kind = 'CodeBlock';
    internalRender() { return element('pre', 'code', this.source.codeSnippet); }
  }

  function bars(source) {
    const made = element('div', 'chart', source.title || '');
    const series = source.data.map(each => each.values ? each : {legend: '', values: [each]});
    const all = series.flatMap(each => each.values.map(point => Number(point.y ?? point.value)));
    for (const {legend, values} of series) for (const point of values) {
      const value = Number(point.y ?? point.value), row = element('div', 'bar');
      row.append(element('span', 'label', `${point.x ?? point.legend ?? ''} ${legend ? `(${legend})` : ''}`));
      const bar = element('span', 'filled');
      bar.style.width = `${Math.max(1, 50 * value / Math.max(...all))}%`;
      row.append(bar, element('span', '', String(value)));
      made.append(row);
    }
    return made;
  }

  GlobalRegistry.elements.register('CodeBlock', CodeBlock);
  for (const kind of CHARTS) {
    const Chart = class extends TeamsElement {
      static kind = `Chart.${kind}`;
      internalRender() { return bars(this.source); }
    };
    GlobalRegistry.elements.register(Chart.kind, Chart);
  }

  function host(theme) {
    const dark = theme === 'dark', pair = (light, other) => ({default: dark ? other : light, subtle: dark ? '#adadad' : '#616161'});
    const foregroundColors = {
      default: pair('#242424', '#ffffff'), accent: pair('#5b5fc7', '#9299f7'), attention: pair('#c4314b', '#f9526b'),
      good: pair('#237b4b', '#92c353'), warning: pair('#835c00', '#f8d22a'), dark: pair('#242424', '#ffffff'),
      light: pair('#ffffff', '#242424'),
    };
    const style = ground => ({backgroundColor: ground, foregroundColors});
    return new HostConfig({
      fontFamily: "'Segoe UI','Noto Sans',sans-serif",
      fontSizes: {small: 12, default: 14, medium: 14, large: 18, extraLarge: 24},
      fontWeights: {lighter: 200, default: 400, bolder: 600},
      spacing: {small: 4, default: 8, medium: 12, large: 16, extraLarge: 20, padding: 16},
      containerStyles: {
        default: style(dark ? '#292929' : '#ffffff'), emphasis: style(dark ? '#3d3d3d' : '#f5f5f5'),
        accent: style(dark ? '#2f2f4a' : '#e8ebfa'), good: style(dark ? '#1e3323' : '#e7f2da'),
        attention: style(dark ? '#3b1c22' : '#fcf4f6'), warning: style(dark ? '#3a3018' : '#fbf6d9'),
      },
      actions: {
        actionsOrientation: 'horizontal', actionAlignment: 'left', buttonSpacing: 8, maxActions: 6,
        showCard: {actionMode: 'inline', inlineTopMargin: 8},
      },
    });
  }

  const INK = {light: ['#f5f5f5', '#ffffff', '#242424', '#d1d1d1', '#5b5fc7'], dark: ['#1f1f1f', '#292929', '#ffffff', '#525252', '#7f85f5']};

  // What Teams leaves out by a card's width; the package does not know it. The pixels are those of its renderer.
  const SIZES = ['verynarrow', 'narrow', 'standard', 'wide'], ENDS = [150, 300, 600];
  function fits(wanted, width) {
    const size = ENDS.filter(end => width > end).length, [bound, name] = wanted.toLowerCase().split(/:(?=\w)/);
    const place = SIZES.indexOf(name ?? bound);
    return bound === 'atleast' ? size >= place : bound === 'atmost' ? size <= place : size === place;
  }
  function fitting(content, width) {
    if (Array.isArray(content)) {
      return content.filter(each => !each?.targetWidth || fits(each.targetWidth, width)).map(each => fitting(each, width));
    }
    if (content === null || typeof content !== 'object') return content;
    return Object.fromEntries(Object.entries(content).map(([name, value]) => [name, fitting(value, width)]));
  }

  window.show = (messages, theme) => {
    window.onresize = () => window.show(messages, theme);
    const [ground, card, ink, line, accent] = INK[theme];
    document.body.replaceChildren(element('style', '', `
      body {margin: 0; padding: 12px; background: ${ground}; color: ${ink}; font: 14px 'Segoe UI','Noto Sans',sans-serif}
      .who {font-size: 12px; opacity: .75; margin: 10px 0 3px}
      .said {background: ${card}; border: 1px solid ${line}; border-radius: 6px; overflow: hidden}
      .words {padding: 8px 14px; white-space: pre-wrap}
      .code {margin: 0; padding: 8px; background: ${ground}; border: 1px solid ${line}; border-radius: 4px; overflow: auto;
             font: 12px/1.45 'Noto Sans Mono',monospace; white-space: pre}
      .chart {font-weight: 600} .bar {display: flex; gap: 6px; font-weight: 400; font-size: 12px; margin: 4px 0}
      .bar .label {width: 35%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap}
      .bar .filled {background: ${accent}; border-radius: 2px}
      .ac-pushButton {background: ${card}; color: ${ink}; border: 1px solid ${line}; border-radius: 4px; padding: 5px 12px;
                      font: 600 13px 'Segoe UI','Noto Sans',sans-serif; overflow: visible}
      .ac-pushButton.style-positive {background: ${accent}; color: #fff; border-color: ${accent}}
      .ac-pushButton.style-destructive {color: #c4314b; border-color: #c4314b}
      .ac-input {background: ${ground}; color: ${ink}; border: 1px solid ${line}; border-radius: 4px; padding: 5px 8px;
                 font: 14px 'Segoe UI','Noto Sans',sans-serif; box-sizing: border-box; width: 100%}
      .ac-actionSet {flex-wrap: wrap; row-gap: 8px}
      td, th {border-color: ${line}}`));
    for (const {name, text, card: content} of messages) {
      const said = element('div', 'said');
      document.body.append(element('div', 'who', name), said);
      if (text) said.append(element('div', 'words', text));
      if (!content) continue;
      const made = new AdaptiveCard();
      made.hostConfig = host(theme);
      made.parse(fitting(content, window.innerWidth - 32));
      said.append(made.render());
    }
  };
})();
