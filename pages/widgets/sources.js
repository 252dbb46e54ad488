const seen = new WeakMap();
const make = (tag, name, text) => {
  const element = document.createElement(tag);
  element.className = name;
  element.textContent = text;
  return element;
};
const plainClick = (event) =>
  !(event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
// A mark [n] in the answer's text is a link that Streamlit would open in a new tab, which is a new session.
const markOf = (event) => {
  const link = event.target.closest?.('a[href*="document?"]');
  const number = Number(link?.textContent);
  return Number.isInteger(number) && number > 0 ? number : null;
};
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.getRootNode();
  const host = root.host ?? parentElement;
  const message = host.closest('[data-testid="stChatMessage"]');
  const state = seen.get(parentElement) ?? {};
  seen.set(parentElement, state);
  parentElement.querySelector('.head').textContent = data.label;
  const list = parentElement.querySelector('ol');
  list.setAttribute('aria-label', data.label);
  const links = new Map();
  list.replaceChildren(...data.rows.map((row) => {
    const item = document.createElement('li');
    const link = document.createElement('a');
    link.href = row.href;
    link.title = row.said;
    link.onclick = (event) => {
      if (!plainClick(event)) return;
      event.preventDefault();
      setTriggerValue('picked', row.n);
    };
    const where = make('span', 'where', '');
    where.append(make('span', 'name', row.name));
    if (row.page) where.append(make('span', 'page', row.page));
    link.append(make('span', 'n', String(row.n)), where, make('span', 'said', row.said));
    links.set(row.n, link);
    item.append(link);
    return item;
  }));
  state.open = (event) => {
    const number = markOf(event);
    if (number === null || !links.has(number) || !plainClick(event)) return;
    event.preventDefault();
    event.stopPropagation();
    setTriggerValue('picked', number);
  };
  state.point = (event) => {
    const number = markOf(event);
    links.forEach((link, n) => link.classList.toggle('pointed', n === number));
  };
  if (message && !state.message) {
    state.message = message;
    message.addEventListener('click', state.click = (event) => state.open(event), true);
    message.addEventListener('mouseover', state.over = (event) => state.point(event));
  }
  return () => {
    state.message?.removeEventListener('click', state.click, true);
    state.message?.removeEventListener('mouseover', state.over);
    seen.delete(parentElement);
  };
}
