const seen = new WeakMap();
// A mark [n] in the answer's text is a link that Streamlit would open in a new tab, which is a new session.
const NAMES = ['doc', 'node', 'quote', 'cell'];
const openNow = (href, turn) => {
  const [one, other] = [new URL(href, location.href), new URL(location.href)].map((url) => url.searchParams);
  return other.get('turn') === turn && NAMES.every((name) => one.get(name) === other.get(name));
};
const markOf = (event) => event.target.closest?.('a[href*="document?"]');
export default function ({ data, parentElement }) {
  const root = parentElement.getRootNode();
  const message = (root.host ?? parentElement).closest('[data-testid="stChatMessage"], [class*="st-key-reports-text"]');
  const state = seen.get(parentElement) ?? {};
  seen.set(parentElement, state);
  parentElement.querySelector('.head').textContent = data.label;
  state.links = new Map();
  const list = fillList(parentElement, data, (row) => {
    const link = make('a');
    link.href = row.href;
    link.title = row.said;
    link.classList.toggle('lines', row.lines);
    link.onclick = (event) => openHere(event, besideChat(row.href, data.turn));
    const where = make('span', 'where', '');
    where.append(make('span', 'name', row.name));
    if (row.place) where.append(make('span', 'place', row.place));
    link.append(make('span', 'n', row.n.length > 3 ? `${row.n[0]}–${row.n.at(-1)}` : row.n.join(', ')), where);
    if (row.section) {
      const [above, last] = row.section.split(/(?<= › )(?!.* › )/);
      const section = make('span', 'section');
      if (last) section.append(make('span', 'above', above));
      section.append(make('span', 'last', last ?? above));
      section.title = row.section;
      link.append(section);
    }
    link.append(make('span', 'said', row.said));
    row.n.forEach((n) => state.links.set(n, link));
    return [link];
  });
  list.classList.toggle('near', data.near);
  parentElement.querySelector('.newer').replaceChildren(...data.newer.map(([told, compare, href]) => {
    const line = make('p', '', `${told} `);
    line.append(linkTo(href, 'compare', compare));
    return line;
  }));
  if (message && !state.message) {
    state.message = message;
    state.click = (event) => {
      const mark = markOf(event);
      if (mark) openHere(event, besideChat(mark.href, data.turn));
    };
    state.over = (event) => {
      const number = Number(markOf(event)?.textContent);
      state.links.forEach((link, n) => link.classList.toggle('pointed', n === number));
    };
    message.addEventListener('click', state.click, true);
    message.addEventListener('mouseover', state.over);
  }
  const show = () => {
    const marks = message?.querySelectorAll('a[href*="document?"]') ?? [];
    const links = [...marks, ...state.links.values()];
    const reading = new URL(location.href).searchParams.get('turn');
    for (const link of links) {
      if (openNow(link.href, data.turn)) {
        link.setAttribute('aria-current', 'location');
        [state.last, window.dropqaLast] = [link, data.turn + link.href];
      }
      else link.removeAttribute('aria-current');
    }
    if (!reading && justKeyed()) links.find((link) => window.dropqaLast === data.turn + link.href)?.focus();
    state.until = Date.now() + 4000;
  };
  // What is read beside the chat narrows it and its end widens it again: the mark that was followed stays in view.
  const resized = new ResizeObserver(() => {
    if (Date.now() < state.until) state.last?.scrollIntoView({ block: 'nearest' });
  });
  if (message) resized.observe(message);
  show();
  window.addEventListener('popstate', show);
  return () => {
    window.removeEventListener('popstate', show);
    resized.disconnect();
    state.message?.removeEventListener('click', state.click, true);
    state.message?.removeEventListener('mouseover', state.over);
    seen.delete(parentElement);
  };
}
