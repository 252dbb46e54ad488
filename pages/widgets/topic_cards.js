const make = (tag, name, text) => {
  const element = document.createElement(tag);
  element.className = name;
  if (text !== undefined) element.textContent = text;
  return element;
};
export default function ({ data, parentElement }) {
  const list = parentElement.querySelector('ul');
  list.setAttribute('aria-label', data.label);
  list.replaceChildren(...data.rows.map((row) => {
    const item = make('li', '');
    const link = make('a', 'name', row.name);
    link.href = row.href;
    link.onclick = (event) => openHere(event, row.href);
    const bar = make('span', 'bar');
    const filled = make('span', '');
    filled.style.width = `${Math.max(4, Math.round(row.share * 100))}%`;
    bar.append(filled);
    bar.setAttribute('aria-hidden', 'true');
    item.append(link, make('div', 'size', row.size), make('div', 'about', row.about), bar);
    return item;
  }));
}
