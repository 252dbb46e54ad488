const seen = new WeakMap();
const coloured = (element, part) => { element.style.setProperty('--part', `var(--${part})`); return element; };
export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  const state = seen.get(parentElement) ?? { expected: new Set() };
  seen.set(parentElement, state);
  const legend = parentElement.querySelector('.legend');
  const list = parentElement.querySelector('ol');
  legend.replaceChildren(...data.legend.map((part) => {
    const item = make('li', '');
    item.append(coloured(make('span', 'key'), part.name), part.label);
    return item;
  }));
  const hit = (row) => {
    const item = make('li', row.id === data.chosen ? 'hit chosen' : 'hit');
    const text = make('button', 'text', row.text);
    text.onclick = () => setTriggerValue('picked', row.id);
    const bar = make('div', 'bar');
    bar.setAttribute('aria-hidden', 'true');
    bar.append(...row.parts.map((part) => {
      const piece = coloured(make('i', ''), part.name);
      piece.style.width = `${100 * part.share}%`;
      piece.title = `${part.label} ${part.value}`;
      return piece;
    }));
    const numbers = make('div', 'numbers');
    numbers.append(...row.parts.map((part) => {
      const number = make('span', '', `${part.label} `);
      number.append(make('b', '', part.value));
      return number;
    }));
    numbers.append(...row.notes.map((note) => make('span', '', note)));
    const tick = make('input');
    tick.type = 'checkbox';
    tick.checked = state.expected.has(row.id);
    tick.onchange = () => {
      if (tick.checked) state.expected.add(row.id); else state.expected.delete(row.id);
      setStateValue('expected', [...state.expected]);
    };
    const expected = make('label', '');
    expected.append(tick, data.says.expected);
    const acts = make('div', 'acts');
    acts.append(expected, linkTo(row.href, '', data.says.open));
    const where = make('div', 'where', row.path ? `${row.where} · ${row.path}` : row.where);
    where.title = where.textContent;
    const foot = make('div', 'foot');
    foot.append(numbers, acts);
    item.append(make('span', 'rank', String(row.rank)), text, make('span', 'score', row.score), where, bar, foot);
    return item;
  };
  const focused = parentElement.getRootNode().activeElement?.closest?.('li.hit');
  const at = focused ? [...list.children].indexOf(focused) : -1;
  const kind = parentElement.getRootNode().activeElement?.tagName;
  list.replaceChildren(...data.rows.map(hit));
  if (at >= 0) list.children[at]?.querySelector(kind.toLowerCase())?.focus({ preventScroll: true });
}
