const PEN = iconOf(`M19 13v5a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2h5M10 14l.6-2.8L18.2 3.6a1.5 1.5 0 0 1
  2.2 2.2L12.8 13.4z`);
export default function ({ data, parentElement }) {
  const fresh = parentElement.querySelector('.new');
  fresh.innerHTML = PEN;
  fresh.append(data.fresh);
  fresh.href = data.address;
  fresh.onclick = (event) => openHere(event, data.address);
  const head = parentElement.querySelector('.head');
  head.textContent = data.label;
  head.hidden = !data.rows.length;
  const scroll = parentElement.querySelector('ul').scrollTop;
  const list = fillList(parentElement, data, (row) => {
    const link = linkTo(row.href, '', row.title);
    link.title = row.title;
    if (row.current) link.setAttribute('aria-current', 'page');
    return [link];
  });
  list.scrollTop = scroll;
}
