const seen = new WeakMap();
const place = (element, [x0, y0, x1, y1]) => {
  element.style.left = `${x0 * 100}%`;
  element.style.top = `${y0 * 100}%`;
  element.style.width = `${(x1 - x0) * 100}%`;
  element.style.height = `${(y1 - y0) * 100}%`;
  return element;
};
// Letters as large as their line's box, so that a selection looks like one on paper.
const fit = (page) => {
  page.querySelectorAll('.line').forEach((line) => {
    const text = line.firstElementChild;
    line.style.fontSize = `${Math.max(6, line.clientHeight * 0.78)}px`;
    text.style.transform = '';
    const wanted = line.clientWidth, is = text.offsetWidth;
    if (wanted && is) text.style.transform = `scaleX(${(wanted / is).toFixed(3)})`;
  });
};
export default function ({ data, parentElement, setTriggerValue }) {
  const panel = parentElement.querySelector('.panel');
  const page = parentElement.querySelector('.page');
  const image = parentElement.querySelector('img');
  const bar = parentElement.querySelector('.bar');
  const tick = bar.querySelector('input');
  const state = seen.get(parentElement) ?? { shows: false };
  seen.set(parentElement, state);
  panel.setAttribute('role', 'group');
  panel.setAttribute('aria-label', data.alt);
  page.style.aspectRatio = data.ratio ? String(data.ratio) : '';
  image.alt = data.alt;
  bar.hidden = !data.recognised;
  bar.querySelector('.found').textContent = data.recognised;
  bar.querySelector('label span').textContent = data.show;
  tick.checked = state.shows;
  tick.onchange = () => { state.shows = tick.checked; page.classList.toggle('shows', state.shows); fit(page); };
  page.classList.toggle('shows', state.shows);
  if (state.source !== data.key) { image.src = data.source; state.source = data.key; panel.scrollTop = 0; }
  page.querySelectorAll('.box, .cited, .line').forEach((box) => box.remove());
  let first = null;
  for (const node of data.nodes) {
    const active = node.id === data.active;
    for (const where of node.boxes) {
      const box = place(document.createElement('button'), where);
      box.type = 'button';
      box.className = active ? 'box active' : 'box';
      box.tabIndex = active ? 0 : -1;
      box.setAttribute('aria-label', node.label);
      if (active) box.setAttribute('aria-current', 'true');
      box.onclick = () => setTriggerValue('picked', node.id);
      page.appendChild(box);
      if (active && !first) first = box;
    }
  }
  for (const where of data.cited) {
    const cell = place(document.createElement('div'), where);
    cell.className = 'cited';
    page.appendChild(cell);
  }
  first = page.querySelector('.cited') ?? first;
  for (const node of data.nodes) {
    for (const [where, text, sure, low] of node.lines) {
      const line = place(document.createElement('div'), where);
      line.className = low ? 'line low' : 'line';
      line.title = `${text}\n${sure}`;
      const words = document.createElement('span');
      words.textContent = text;
      line.appendChild(words);
      line.onclick = () => { if (!String(window.getSelection())) setTriggerValue('picked', node.id); };
      page.appendChild(line);
    }
  }
  state.watch?.disconnect();
  if (data.recognised) {
    state.watch = new ResizeObserver(() => fit(page));
    state.watch.observe(page);
  }
  const watch = state.watch;
  const shown = `${data.key} ${data.active} ${data.cited}`;
  if (first && state.shown !== shown) {
    requestAnimationFrame(() => {
      if (panel.scrollHeight > panel.clientHeight + 4) {
        panel.scrollTop = first.offsetTop - Math.max(24, (panel.clientHeight - first.offsetHeight) / 2);
      } else {
        first.scrollIntoView({ block: 'center' });
      }
    });
  }
  state.shown = shown;
  return () => watch?.disconnect();
}
