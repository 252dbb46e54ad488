export default function ({ data, parentElement }) {
  const list = parentElement.querySelector('ol');
  list.setAttribute('aria-label', data.label);
  list.tabIndex = 0; // it scrolls sideways where it is narrow
  list.replaceChildren(...data.rows.map((row) => {
    const item = make('li', '');
    item.title = row.about;
    const time = make('div', 'time');
    const bar = make('i', '');
    bar.style.width = `${100 * row.share}%`;
    time.append(bar);
    item.append(make('div', 'name', row.name), make('div', 'ms', row.ms), make('div', 'count', row.count), time);
    return item;
  }));
}
