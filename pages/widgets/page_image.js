const seen = new WeakMap();
const STEPS = [0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 4];
const WIDEST = 1000;
const WHOLE = `<svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.8"><path d="M4 9V4h5
  M15 4h5v5M20 15v5h-5M9 20H4v-5"/></svg>`;
// How large pages are shown: a share of the width there is, or "whole"; it stays from page to page.
let size = 1;
// The picture comes but once; see page_image.py.
const pictures = new Map();
const PICTURES_KEPT = 4;
const place = (element, [x0, y0, x1, y1]) => {
  element.style.left = `${x0 * 100}%`;
  element.style.top = `${y0 * 100}%`;
  element.style.width = `${(x1 - x0) * 100}%`;
  element.style.height = `${(y1 - y0) * 100}%`;
  return element;
};
// Letters as large as their line's box, so that a selection looks like one on paper.
const fit = (page) => {
  const lines = [...page.querySelectorAll('.line')].map((line) => [line, line.firstElementChild,
    line.clientWidth, line.clientHeight, line.classList.contains('tall')]);
  for (const [line, text, wide, high, tall] of lines) {
    line.style.fontSize = `${Math.max(4, (tall ? wide : high) * 0.78)}px`;
    line.style.lineHeight = `${tall ? wide : high}px`;
    text.style.transform = '';
  }
  const scales = lines.map(([, text, wide, high, tall]) => tall ? high / text.offsetHeight : wide / text.offsetWidth);
  lines.forEach(([, text, , , tall], at) => {
    if (Number.isFinite(scales[at])) text.style.transform = `scale${tall ? 'Y' : 'X'}(${scales[at].toFixed(3)})`;
  });
};
// The smallest box around the middle of a line; of equal ones the uppermost.
const nodeAround = (nodes, [x0, y0, x1, y1]) => {
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  const around = nodes.flatMap((node) => node.boxes.map((box) => [node.id, box]))
    .filter(([, [left, top, right, bottom]]) => left <= x && x <= right && top <= y && y <= bottom);
  const area = ([, [left, top, right, bottom]]) => (right - left) * (bottom - top);
  return around.reverse().sort((one, other) => area(one) - area(other))[0]?.[0];
};
const drawBoxes = (page, data, pick) => {
  for (const node of data.nodes) {
    const active = node.id === data.active;
    for (const where of node.boxes) {
      const box = page.appendChild(place(make('button', active ? 'box active' : 'box'), where));
      box.tabIndex = active ? 0 : -1;
      box.dataset.node = node.id;
      box.setAttribute('aria-label', node.label);
      if (active) box.setAttribute('aria-current', 'true');
      box.onclick = () => pick(node.id);
    }
  }
  for (const where of data.cited) page.appendChild(place(make('div', 'cited'), where));
};
const drawText = (page, data, pick) => {
  const words = page.appendChild(make('div', 'words'));
  const read = data.nodes.flatMap((node) => node.lines.map((line) => [...line, node.id]));
  const set = data.text.map(([where, text]) => [where, text, '', false, nodeAround(data.nodes, where)]);
  for (const [where, text, sure, low, node] of [...set, ...read]) {
    const [wide, high] = [(where[2] - where[0]) * (data.ratio || 1), where[3] - where[1]];
    const line = words.appendChild(place(make('span', 'line'), where));
    line.classList.toggle('tall', high > 1.6 * wide && text.trim().length > 1);
    line.classList.toggle('read', Boolean(sure));
    line.classList.toggle('low', low);
    if (sure) line.title = `${text}\n${sure}`;
    line.append(make('span', '', text));
    if (!text.endsWith(' ')) line.after(make('br'));
    if (!node) continue;
    line.dataset.of = node;
    line.onclick = () => { if (!String(selectionAt(line))) pick(node); };
    line.onmouseenter = line.onmouseleave = ({ type }) => page.querySelectorAll('.box').forEach(
      (box) => box.classList.toggle('over', type === 'mouseenter' && box.dataset.node === node));
  }
};
const zooming = (root, data, sharper) => {
  const [panel, page] = ['.panel', '.page'].map((name) => root.querySelector(name));
  const [less, level, more, whole] = root.querySelectorAll('.zoom button');
  const apply = () => {
    const wide = Math.min(panel.clientWidth, WIDEST);
    const width = size === 'whole' ? Math.min(wide, panel.clientHeight * (data.ratio || 1)) : wide * size;
    const middle = (panel.scrollTop + panel.clientHeight / 2) / panel.scrollHeight;
    page.style.width = `${Math.round(width)}px`;
    panel.scrollTop = middle * panel.scrollHeight - panel.clientHeight / 2;
    level.textContent = `${Math.round(100 * width / wide)}%`;
    level.setAttribute('aria-label', `${level.textContent} · ${data.says.fit}`);
    whole.setAttribute('aria-pressed', String(size === 'whole'));
    if (size > 1.3 && !data.sharp) sharper();
  };
  const step = (by) => {
    const now = page.clientWidth / Math.min(panel.clientWidth, WIDEST);
    const next = by > 0 ? STEPS.find((one) => one > now + 0.01) : STEPS.findLast((one) => one < now - 0.01);
    size = next ?? size;
    apply();
  };
  const buttons = [[less, '−', 'less', () => step(-1)], [level, '', 'fit', () => { size = 1; apply(); }],
    [more, '+', 'more', () => step(1)], [whole, '', 'whole', () => { size = size === 'whole' ? 1 : 'whole'; apply(); }]];
  for (const [button, sign, name, act] of buttons) {
    if (name === 'whole') button.innerHTML = WHOLE;
    if (sign) button.textContent = sign;
    button.title = data.says[name];
    button.setAttribute('aria-label', data.says[name]);
    button.onclick = act;
  }
  panel.onkeydown = (event) => {
    const act = { '+': more, '=': more, '-': less, 0: level }[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act.click();
  };
  panel.onwheel = (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    step(-event.deltaY);
  };
  return apply;
};
export default function ({ data, parentElement, setTriggerValue, setStateValue }) {
  const panel = parentElement.querySelector('.panel');
  endInPane(panel);
  const page = parentElement.querySelector('.page');
  const image = parentElement.querySelector('img');
  const bar = parentElement.querySelector('.bar');
  const tick = bar.querySelector('input');
  const state = seen.get(parentElement) ?? { shows: false };
  seen.set(parentElement, state);
  state.end?.();
  panel.setAttribute('role', 'group');
  panel.setAttribute('aria-label', data.alt);
  page.style.aspectRatio = data.ratio ? String(data.ratio) : '';
  image.alt = data.alt;
  bar.hidden = !data.recognised;
  bar.querySelector('.found').textContent = data.recognised;
  bar.querySelector('label span').textContent = data.says.show;
  tick.checked = state.shows;
  tick.onchange = () => { state.shows = tick.checked; page.classList.toggle('shows', state.shows); fit(page); };
  page.classList.toggle('shows', state.shows);
  if (data.source) {
    pictures.delete(data.picture);
    pictures.set(data.picture, data.source);
    if (pictures.size > PICTURES_KEPT) pictures.delete(pictures.keys().next().value);
  }
  const source = pictures.get(data.picture);
  if (!source) setTriggerValue('lacks', data.picture);
  else if (image.src !== source) image.src = source;
  if (state.key !== data.key) { panel.scrollTop = 0; state.key = data.key; }
  page.querySelectorAll('.box, .cited, .words').forEach((old) => old.remove());
  const pick = (node) => setTriggerValue('picked', node);
  drawBoxes(page, data, pick);
  drawText(page, data, pick);
  const apply = zooming(parentElement, data, () => setStateValue('sharp', true));
  const first = page.querySelector('.cited') ?? page.querySelector('.box.active');
  const shown = `${data.key} ${data.active} ${data.cited}`;
  if (first && state.shown !== shown) {
    requestAnimationFrame(() => {
      if (panel.scrollHeight > panel.clientHeight + 4) {
        panel.scrollTop = first.offsetTop - Math.max(24, (panel.clientHeight - first.offsetHeight) / 2);
        panel.scrollLeft = first.offsetLeft - 24;
      } else {
        first.scrollIntoView({ block: 'center' });
      }
    });
  }
  state.shown = shown;
  const watch = new ResizeObserver(() => { apply(); fit(page); });
  watch.observe(panel);
  watch.observe(page);
  const unoffer = offerAtSelection(panel, data.acts, (element) => element?.closest('[data-of]')?.dataset.of,
    (asked) => setTriggerValue('act', asked));
  markSought(page, data.sought);
  state.end = () => { watch.disconnect(); unoffer(); };
  return state.end;
}
