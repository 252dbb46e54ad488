const seen = new WeakMap();
export default function ({ data, parentElement, setTriggerValue }) {
  const panel = parentElement.querySelector('.panel');
  const page = parentElement.querySelector('.page');
  const image = parentElement.querySelector('img');
  const state = seen.get(parentElement) ?? {};
  seen.set(parentElement, state);
  page.style.aspectRatio = data.ratio ? String(data.ratio) : '';
  image.alt = data.alt;
  if (state.source !== data.key) { image.src = data.source; state.source = data.key; panel.scrollTop = 0; }
  page.querySelectorAll('.box').forEach((box) => box.remove());
  let first = null;
  for (const node of data.nodes) {
    const active = node.id === data.active;
    for (const [x0, y0, x1, y1] of node.boxes) {
      const box = document.createElement('button');
      box.type = 'button';
      box.className = active ? 'box active' : 'box';
      box.tabIndex = active ? 0 : -1;
      box.style.left = `${x0 * 100}%`;
      box.style.top = `${y0 * 100}%`;
      box.style.width = `${(x1 - x0) * 100}%`;
      box.style.height = `${(y1 - y0) * 100}%`;
      box.setAttribute('aria-label', node.label);
      if (active) box.setAttribute('aria-current', 'true');
      box.onclick = () => setTriggerValue('picked', node.id);
      page.appendChild(box);
      if (active && !first) first = box;
    }
  }
  const shown = `${data.key} ${data.active}`;
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
}
