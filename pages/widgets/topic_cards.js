export default function ({ data, parentElement }) {
  fillList(parentElement, data, (row, item) => {
    const name = linkTo(row.href, 'name', row.name);
    if (data.cloud) {
      item.style.fontSize = `${.9 + 1.1 * Math.sqrt(row.share)}rem`;
      name.setAttribute('aria-label', `${row.name}, ${row.size}`);
      return [name];
    }
    const parts = [name, make('div', 'size', row.size), make('div', 'about', row.about), make('div', 'from', row.from)];
    return row.share ? [...parts, barOf(Math.max(0.04, row.share))] : parts;
  }).className = data.cloud ? 'cloud' : '';
}
