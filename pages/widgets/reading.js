const seen = new WeakMap();
const make = (tag, text, name) => {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  if (name) element.className = name;
  return element;
};
// Write a text with the quoted part marked; white space may differ between the two.
const write = (element, text, quote) => {
  const found = quote ? locate(text, quote) : null;
  if (!found) { element.textContent = text; return; }
  const mark = make('mark', text.slice(found[0], found[1]));
  element.replaceChildren(text.slice(0, found[0]), mark, text.slice(found[1]));
};
const locate = (text, quote) => {
  const places = [];
  let bare = '';
  for (let i = 0; i < text.length; i++) if (text[i].trim()) { bare += text[i]; places.push(i); }
  const wanted = quote.replace(/\s+/g, '');
  const at = wanted ? bare.indexOf(wanted) : -1;
  return at < 0 ? null : [places[at], places[at + wanted.length - 1] + 1];
};
const table = (block) => {
  const element = make('table');
  if (block.columns.length) {
    const row = make('tr');
    for (const name of block.columns) { const cell = make('th', name); cell.scope = 'col'; row.appendChild(cell); }
    element.appendChild(make('thead')).appendChild(row);
  }
  const body = element.appendChild(make('tbody'));
  for (const cells of block.rows) {
    const row = make('tr');
    for (const cell of cells) row.appendChild(make('td', cell));
    body.appendChild(row);
  }
  return element;
};
const draw = (block, quote) => {
  if (block.rows) { const box = make('div', undefined, 'table'); box.appendChild(table(block)); return box; }
  if (block.role === 'section') {
    const heading = make('div', undefined, `h h${Math.min(block.level, 4)}`);
    heading.setAttribute('role', 'heading');
    heading.setAttribute('aria-level', String(Math.min(block.level + 1, 6)));
    write(heading, block.text, quote);
    return heading;
  }
  const element = make(block.role === 'code' ? 'pre' : 'p', undefined, block.role);
  write(element, block.text, quote);
  return element;
};
export default function ({ data, parentElement, setTriggerValue }) {
  const state = seen.get(parentElement) ?? {};
  seen.set(parentElement, state);
  const panel = parentElement.querySelector('.panel');
  panel.className = data.quiet ? 'panel quiet' : 'panel scrolls pickable';
  panel.setAttribute('aria-label', data.label);
  const text = panel.querySelector('.text');
  let active = null;
  text.replaceChildren(...data.blocks.map((block) => {
    const node = make('div', undefined, 'node');
    const chosen = block.id === data.active;
    node.appendChild(draw(block, chosen || data.quiet ? data.quote : ''));
    if (chosen && !data.quiet) {
      node.classList.add('active');
      node.setAttribute('aria-current', 'true');
      active = node;
    }
    if (!data.quiet) node.onclick = () => {
      if (!String(window.getSelection())) setTriggerValue('picked', block.id);
    };
    return node;
  }));
  if (!data.blocks.length) text.appendChild(make('p', data.empty, 'caption'));
  const shown = `${data.key} ${data.active}`;
  if (state.shown !== shown && !data.quiet) {
    requestAnimationFrame(() => {
      if (!active) { panel.scrollTop = 0; return; }
      if (panel.scrollHeight > panel.clientHeight + 4) {
        panel.scrollTop = active.offsetTop - Math.max(24, (panel.clientHeight - active.offsetHeight) / 2);
      } else if (state.shown !== undefined || data.linked) {
        active.scrollIntoView({ block: 'center' });
      }
    });
  }
  state.shown = shown;
}
