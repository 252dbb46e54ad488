const PEN = `<svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.8"
  stroke-linecap="round" stroke-linejoin="round"><path d="M19 13v5a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V7a2 2 0 0 1
  2-2h5M10 14l.6-2.8L18.2 3.6a1.5 1.5 0 0 1 2.2 2.2L12.8 13.4z"/></svg>`;
export default function ({ data, parentElement }) {
  const fresh = parentElement.querySelector('.new');
  fresh.innerHTML = PEN;
  fresh.append(data.fresh);
  fresh.href = data.address;
  fresh.onclick = (event) => openHere(event, data.address);
  const head = parentElement.querySelector('.head');
  head.textContent = data.label;
  head.hidden = !data.rows.length;
  const list = parentElement.querySelector('ul');
  list.setAttribute('aria-label', data.label);
  const scroll = list.scrollTop;
  list.replaceChildren(...data.rows.map((row) => {
    const item = document.createElement('li');
    const link = document.createElement('a');
    link.textContent = row.title;
    link.title = row.title;
    link.href = row.href;
    if (row.current) link.setAttribute('aria-current', 'page');
    link.onclick = (event) => openHere(event, row.href);
    item.append(link);
    return item;
  }));
  list.scrollTop = scroll;
}
