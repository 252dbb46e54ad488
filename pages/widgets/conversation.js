export default function ({ data, parentElement, setTriggerValue }) {
  parentElement.querySelector('.head').textContent = data.label;
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
    link.onclick = (event) => {
      if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      setTriggerValue('picked', row.id);
    };
    item.append(link);
    return item;
  }));
  list.scrollTop = scroll;
}
