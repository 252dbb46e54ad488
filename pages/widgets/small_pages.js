const SIDE = 104;
const kept = new WeakMap();
export default function ({ data, parentElement, setTriggerValue, setStateValue }) {
  const strip = parentElement.querySelector('.strip');
  const state = kept.get(parentElement) ?? {};
  kept.set(parentElement, state);
  strip.setAttribute('aria-label', data.says.label);
  if (state.document !== data.document) {
    Object.assign(state, { document: data.document, number: 0, asked: '' });
    strip.replaceChildren(...Array.from({ length: data.pages }, (_, at) => {
      const button = make('button');
      const sheet = button.appendChild(make('span', 'sheet'));
      sheet.style.width = `${Math.round(SIDE * (data.ratios[at] || 0.71))}px`;
      button.append(String(at + 1));
      button.setAttribute('role', 'option');
      button.setAttribute('aria-label', `${data.says.page} ${at + 1}`);
      button.onclick = () => setTriggerValue('picked', at + 1);
      return button;
    }));
  }
  const buttons = [...strip.children];
  for (const [page, source] of Object.entries(data.pictures)) {
    const sheet = buttons[page - 1]?.firstElementChild;
    if (!sheet || sheet.firstChild || !source) continue;
    const image = sheet.appendChild(make('img'));
    image.alt = '';
    image.src = source;
  }
  buttons.forEach((button, at) => {
    button.setAttribute('aria-selected', String(at + 1 === data.number));
    button.tabIndex = at + 1 === data.number ? 0 : -1;
  });
  strip.onkeydown = (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = by && buttons[buttons.indexOf(event.target) + by];
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  if (state.number !== data.number) {
    const now = buttons[data.number - 1];
    if (now) strip.scrollLeft = now.offsetLeft - (strip.clientWidth - now.offsetWidth) / 2;
    state.number = data.number;
  }
  // Only those that are seen are asked for, when the scrolling has come to rest.
  const ask = () => {
    const seen = buttons.map((button, at) => [button, at + 1]).filter(([button]) =>
      button.offsetLeft + button.offsetWidth > strip.scrollLeft && button.offsetLeft < strip.scrollLeft + strip.clientWidth);
    if (!seen.some(([button]) => !button.firstElementChild.firstChild)) return;
    const wanted = [seen[0][1] - 2, seen.at(-1)[1] + 2];
    if (String(wanted) === state.asked) return;
    state.asked = String(wanted);
    setStateValue('seen', wanted);
  };
  strip.onscroll = () => { clearTimeout(state.soon); state.soon = setTimeout(ask, 200); };
  clearTimeout(state.soon);
  state.soon = setTimeout(ask, 200);
}
