const seen = new WeakMap();
const put = (tag, text, name) => make(tag, name, text);
const PICTURE = `<svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.5"
  stroke-linecap="round" stroke-linejoin="round"><rect x="3.5" y="5" width="17" height="14" rx="2"/><circle cx="9"
  cy="10" r="1.6"/><path d="M4 17l5-4 3.5 3 3-2.5L20 17"/></svg>`;
// Where a text stands in another, whatever the white space between.
const locate = (text, wanted) => {
  const places = [];
  let bare = '';
  for (let i = 0; i < text.length; i++) if (text[i].trim()) { bare += text[i]; places.push(i); }
  const sought = wanted.replace(/\s+/g, '');
  const at = sought ? bare.indexOf(sought) : -1;
  return at < 0 ? null : [places[at], places[at + sought.length - 1] + 1];
};
// Write a text with the quote and the doubtful stretches marked.
const write = (element, text, quote, doubtful, says) => {
  const found = [];
  const cited = quote ? locate(text, quote) : null;
  if (cited) found.push([...cited, () => put('mark')]);
  for (const [line, percent] of doubtful ?? []) {
    const place = locate(text, line);
    if (place && !found.some(([from, to]) => place[0] < to && from < place[1])) {
      found.push([...place, () => {
        const span = put('span', undefined, 'doubtful');
        span.title = says.doubtful.replace('{percent}', percent);
        return span;
      }]);
    }
  }
  found.sort((a, b) => a[0] - b[0]);
  const parts = [];
  let end = 0;
  for (const [from, to, made] of found) {
    const piece = made();
    piece.textContent = text.slice(from, to);
    parts.push(text.slice(end, from), piece);
    end = to;
  }
  element.replaceChildren(...parts, text.slice(end));
};
const table = (data, label, says) => {
  const box = put('div', undefined, data.letters.length ? 'table sheet' : 'table');
  box.tabIndex = 0;
  box.setAttribute('role', 'region');
  box.setAttribute('aria-label', label || says.table);
  const element = box.appendChild(put('table'));
  const head = put('thead');
  const body = put('tbody');
  if (data.letters.length) {
    const row = head.appendChild(put('tr', undefined, 'letters'));
    row.setAttribute('aria-hidden', 'true');
    row.appendChild(put('td', '', 'number'));
    for (const letter of data.letters) row.appendChild(put('td', letter));
  }
  const width = Math.max(1, ...data.grid.map((row) => row.reduce((sum, cell) => sum + cell[2], 0)));
  const gap = (count, text) => {
    const row = put('tr', undefined, 'gap');
    const cell = row.appendChild(put('td', text.replace('{count}', count)));
    cell.colSpan = width + (data.numbers.length ? 1 : 0);
    return row;
  };
  data.grid.forEach((cells, at) => {
    const row = put('tr');
    if (data.numbers.length) {
      const number = row.appendChild(put('td', String(data.numbers[at]), 'number'));
      number.setAttribute('aria-hidden', 'true');
    }
    for (const [text, down, across, kind, owner] of cells) {
      const header = kind.includes('h') || kind.includes('r');
      const cell = put(header && text ? 'th' : 'td', text, [...kind].map((letter) => `k${letter}`).join(' '));
      if (header && text) cell.scope = kind.includes('h') ? (across > 1 ? 'colgroup' : 'col') : 'row';
      if (down > 1) {
        cell.rowSpan = down;
        cell.replaceChildren(put('span', text, 'lasting'));  // of many rows: seen at each of them
      }
      if (across > 1) cell.colSpan = across;
      if (owner) cell.dataset.node = owner;
      row.appendChild(cell);
    }
    if (at === data.head && data.skipped) body.appendChild(gap(data.skipped, says.rows_above));
    (at < data.head && !data.letters.length ? head : body).appendChild(row);
  });
  if (data.left) body.appendChild(gap(data.left, says.rows_below));
  if (head.childElementCount) element.appendChild(head);
  element.appendChild(body);
  return box;
};
const picture = (block, says) => {
  const box = put('figure', undefined, block.source ? 'picture' : 'picture missing');
  if (block.source) {
    const image = box.appendChild(put('img'));
    image.src = block.source;
    image.alt = block.text || says.picture;
    image.loading = 'lazy';
  } else {
    const sign = box.appendChild(put('span', undefined, 'sign'));
    sign.innerHTML = PICTURE;
    box.appendChild(put('span', block.text || says.picture));
  }
  return box;
};
// What was read in a picture, line by line; cells that stand apart in it stay apart.
const readIn = (block, quote, says) => {
  const box = put('div', undefined, 'read');
  box.append(put('div', says.read, 'remark'));
  const lines = box.appendChild(put('table')).appendChild(put('tbody'));
  const width = Math.max(...block.read.map((cells) => cells.length));
  for (const cells of block.read) {
    const row = lines.appendChild(put('tr'));
    const cited = quote && quote.includes(cells.join(' | '));
    cells.forEach((text, at) => {
      const cell = row.appendChild(put('td'));
      if (at === cells.length - 1) cell.colSpan = width - at;
      if (cited) cell.append(put('mark', text)); else write(cell, text, quote, block.doubtful, says);
    });
  }
  return box;
};
const list = (block, quote, says) => {
  const element = put('ul');
  element.dir = 'auto';  // Hebrew and Arabic run from the right
  for (const [depth, marker, text] of block.items) {
    const item = element.appendChild(put('li'));
    item.style.marginInlineStart = `${depth * 1.4}rem`;
    if (marker) item.appendChild(put('span', marker, 'marker'));
    write(item.appendChild(put('span')), text, quote, block.doubtful, says);
  }
  return element;
};
const draw = (block, quote, says) => {
  if (block.table) return table(block.table, block.label, says);
  if (block.role === 'image') return picture(block, says);
  if (block.items) return list(block, quote, says);
  if (block.role === 'section') {
    const heading = put('div', undefined, block.marks?.generated ? 'remark' : `h h${Math.min(block.level, 4)}`);
    heading.dir = 'auto';
    heading.setAttribute('role', 'heading');
    heading.setAttribute('aria-level', String(Math.min(block.level + 1, 6)));
    write(heading, block.text, quote, block.doubtful, says);
    return heading;
  }
  const element = put(block.role === 'code' ? 'pre' : 'p', undefined, block.role);
  if (block.role === 'code') element.tabIndex = 0; else element.dir = 'auto';
  write(element, block.text, quote, block.doubtful, says);
  return element;
};
// What names rows and columns stays in view while the others are scrolled, but never fills more than this of the table.
const MOST_STILL = 0.45;
// The headers of the tables on a sheet, each with the last row that it stands above.
const headersOf = (rows) => {
  const found = [];
  rows.forEach((row, at) => {
    if (!row.querySelector('.kh')) { if (found.length) found.at(-1).end = row; return; }
    if (at && found.at(-1)?.rows.at(-1) === rows[at - 1]) found.at(-1).rows.push(row);
    else found.push({ rows: [row], end: row });
  });
  return found;
};
const pin = (box) => {
  const kept = [box.scrollLeft, box.scrollTop];
  const room = { across: box.parentElement.clientWidth * MOST_STILL, down: box.clientHeight * MOST_STILL };
  const edge = box.querySelector('.number')?.getBoundingClientRect().width ?? 0;
  box.style.setProperty('--name', `${Math.floor(room.across / (box.querySelector('.kp + .kp') ? 2 : 1))}px`);
  box.style.setProperty('--cell', `${Math.floor(box.parentElement.clientWidth - room.across - edge - 24)}px`);
  box.scrollTo(0, 0);
  const left = (cell) => cell.getBoundingClientRect().left;
  const names = [...box.querySelectorAll('.kp')];
  const natural = names.map(left);
  // The first column of each table goes to the edge, the others keep their way from it: also in rows where a merged
  // cell of a row above stands in the first one.
  const base = {};
  names.forEach((cell, at) => { base[cell.dataset.node] = Math.min(base[cell.dataset.node] ?? Infinity, natural[at]); });
  const starts = names.map((cell, at) => edge + natural[at] - base[cell.dataset.node]);
  names.forEach((cell, at) => { cell.style.left = `${starts[at]}px`; });
  for (const letter of box.querySelectorAll('.letters td:not(.number)')) {
    const at = natural.findIndex((place) => Math.abs(place - left(letter)) < 2);
    Object.assign(letter.style, at < 0 ? {} : { position: 'sticky', left: `${starts[at]}px`, zIndex: 1 });
  }
  // Of a high header the lowest rows stay.
  const head = box.querySelector('thead');
  const first = Math.min(head?.offsetHeight ?? 0, Math.max(room.down, head?.lastElementChild.offsetHeight ?? 0));
  if (head) head.style.top = `${first - head.offsetHeight}px`;
  box.headers = headersOf([...box.querySelectorAll('tbody tr')]);
  for (const header of box.headers) {
    const heights = header.rows.map((row) => row.offsetHeight);
    const height = heights.reduce((sum, one) => sum + one, 0);
    header.height = Math.min(height, Math.max(room.down - first, heights.at(-1)));
    header.from = header.rows[0].offsetTop - first;
    header.to = header.end.offsetTop + header.end.offsetHeight - first - header.height;
    let top = first + header.height - height;
    header.rows.forEach((row, at) => {
      for (const cell of row.querySelectorAll('.kh, .number')) cell.style.top = `${top}px`;
      row.querySelector('.number')?.classList.add('ofhead');
      top += heights[at];
    });
  }
  box.first = first;
  box.style.setProperty('--head', `${first + Math.max(0, ...box.headers.map((one) => one.height)) + 4}px`);
  box.onscroll = () => {
    for (const { rows, from, to } of box.headers) {
      const over = box.scrollTop < from || box.scrollTop > to;
      for (const row of rows) row.classList.toggle('over', over);
    }
  };
  box.scrollTo(...kept);
  box.onscroll();
};
// Scroll a table so far that a cell is seen below what stays in view; one that is seen already is left where it is.
const bring = (box, cell) => {
  const at = cell.getBoundingClientRect();
  const frame = box.getBoundingClientRect();
  const row = cell.parentElement;
  const names = Math.max(frame.left, ...[...row.querySelectorAll('.number, .kp')].filter((one) => one !== cell)
    .map((one) => one.getBoundingClientRect().right));
  const header = box.headers.findLast((one) => one.rows[0].offsetTop <= row.offsetTop);
  const of = header && !header.rows.includes(row) && row.offsetTop <= header.end.offsetTop ? header.height : 0;
  const below = frame.top + box.first + of;
  if (at.top < below || at.bottom > Math.min(frame.bottom, innerHeight))
    box.scrollTop += at.top - Math.max(below, frame.top + box.clientHeight / 3);
  if (at.left >= names && at.right <= frame.right) return;
  // Of a cell that is wider than the room beside the names the figure is seen: it stands to the right.
  const past = cell.matches('.kn') ? at.right - frame.right + 6 : -Infinity;
  box.scrollLeft += Math.max(past, at.left - Math.max(names + 12, frame.left + box.clientWidth / 3));
};
// What is known of a node beside its text: a note of the speaker, a quotation, a hidden sheet.
const remark = (node, marks, says, look) => {
  if (marks.quote) node.classList.add('quote');
  if (marks.note) node.classList.add('note');
  const words = [marks.note && says[marks.note], marks.hidden && says.hidden, marks.chart && says.chart].filter(Boolean);
  if (marks.generated && look !== 'slide') node.title = says.generated;
  if (marks.number && marks.note) words.push(String(marks.number));
  if (marks.author) words.push(marks.author);
  for (const { author, deleted, inserted } of marks.changes ?? [])
    words.push(`${author} ${deleted ? `− ${deleted}` : `+ ${inserted}`}`);
  if (words.length) node.prepend(put('div', words.join(' '), 'remark'));
};
export default function ({ data, parentElement, setTriggerValue }) {
  const state = seen.get(parentElement) ?? {};
  seen.set(parentElement, state);
  const panel = parentElement.querySelector('.panel');
  panel.className = `panel scrolls pickable ${data.look}`;
  panel.setAttribute('aria-label', data.label);
  const text = panel.querySelector('.text');
  let active = null;
  const pick = (id) => { state.picked = id; setTriggerValue('picked', id); };
  const scrolled = state.key === data.key ? [...text.querySelectorAll('.table')].map((box) => [box.scrollLeft, box.scrollTop]) : [];
  // Three or more such short ones are the labels of a drawing, each in a shape of its own: they stand side by side.
  const isLabel = (block) => data.look === 'slide' && block?.role === 'paragraph' && !block.marks?.note
    && block.text.length <= 24;
  text.replaceChildren(...data.blocks.map((block, at) => {
    const beside = [-2, -1, 0].some((from) => [0, 1, 2].every((far) => isLabel(data.blocks[at + from + far])));
    const node = put('div', undefined, `node is-${block.role}${beside ? ' label' : ''}`);
    const chosen = block.id === data.active;
    if (!block.holds) node.dataset.of = block.id;
    const inside = block.holds?.includes(data.active);
    node.appendChild(draw(block, chosen ? data.quote : '', data.says));
    remark(node, block.marks ?? {}, data.says, data.look);
    if (chosen) {
      if (block.source && block.read?.length) node.append(readIn(block, data.quote, data.says));
      node.classList.add('active');
      node.setAttribute('aria-current', 'true');
      active = node;
    } else if (inside) {
      active = node.querySelector('.km') ?? node.querySelector('.ka') ?? node;
    }
    node.onclick = (event) => {
      const id = block.holds ? event.target.closest('[data-node]')?.dataset.node : block.id;
      if (id && !String(selectionAt(node))) pick(id);
    };
    return node;
  }));
  state.end?.();
  state.end = offerAtSelection(panel, data.acts, (element) =>
    element?.closest('[data-node]')?.dataset.node ?? element?.closest('[data-of]')?.dataset.of,
  (asked) => setTriggerValue('act', asked));
  markSought(text, data.sought);
  if (!data.blocks.length) text.appendChild(put('p', data.empty, 'caption'));
  const boxes = [...text.querySelectorAll('.table')];
  scrolled.forEach((place, at) => boxes[at]?.scrollTo(...place));
  // What was picked here is seen; to what was picked elsewhere one is led once.
  const at = [...text.querySelectorAll('td, th')].findIndex((one) => one.matches('.km'));
  const shown = `${data.key} ${data.active} ${data.quote} ${at}`;
  const led = state.shown !== shown && state.picked !== data.active;
  const first = state.shown === undefined && !data.linked;
  requestAnimationFrame(() => {
    const cell = text.querySelector('.km') ?? text.querySelector('.ka');
    state.watch?.disconnect();
    state.watch = new ResizeObserver((changed) => changed.forEach(({ target: box }) => {
      pin(box);  // its width is settled only when the rest of the page is
      if (led && cell && box.contains(cell)) bring(box, cell);
    }));
    boxes.forEach((box) => state.watch.observe(box));
    endInPane(panel);
    if (!led) return;
    if (!active) { panel.scrollTop = 0; return; }
    if (active.tagName !== 'DIV') active = active.closest('.node');
    const { top, bottom } = active.getBoundingClientRect();
    if (panel.scrollHeight > panel.clientHeight + 4) {
      panel.scrollTop = active.offsetTop - Math.max(24, (panel.clientHeight - active.offsetHeight) / 2);
    } else if (!first && (top < 0 || bottom > innerHeight)) {
      active.scrollIntoView({ block: 'center' });
    }
  });
  Object.assign(state, { shown, key: data.key, picked: null });
  return () => { state.watch?.disconnect(); state.end?.(); };
}
