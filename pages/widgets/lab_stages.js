export default function ({ data, parentElement }) {
  const list = fillList(parentElement, data, (row, item) => {
    item.title = row.about;
    const time = make('div', 'time');
    const bar = make('i', '');
    bar.style.width = `${100 * row.share}%`;
    time.append(bar);
    return [make('div', 'name', row.name), make('div', 'ms', row.ms), make('div', 'count', row.count), time];
  });
  list.tabIndex = 0; // it scrolls sideways where it is narrow
}
