// <del> and <ins> say to a screen reader what differs; signs and lines show it without colour.
const TAGS = { removed: 'del', added: 'ins', same: 'span' };
// A long stretch that is the same is folded, but for what stands beside a change.
const LONG = 400, BESIDE = 120;
const folded = ([kind, words], at, spans, more) => {
  if (kind !== 'same' || words.length < LONG) return [make(TAGS[kind], kind, words)];
  // Between words, where there are any near.
  const head = at ? BESIDE + (words.slice(BESIDE, BESIDE + 20).search(/\s/) + 1) : 0;
  const end = at < spans.length - 1 || !at ? words.length - BESIDE : words.length;
  const tail = end + (words.slice(end, end + 20).search(/\s/) + 1);
  const rest = make('span', kind, words.slice(head, tail));
  const open = make('button', 'more', '⋯');
  open.title = more;
  open.setAttribute('aria-label', more);
  open.onclick = () => { rest.hidden = false; open.remove(); };
  rest.hidden = true;
  return [make('span', kind, words.slice(0, head)), open, rest, make('span', kind, words.slice(tail))];
};
const side = (spans, name, href, title, version, says, kind) => {
  const box = make('div', `side ${name}`);
  const head = href ? linkTo(href, 'version', version) : make('span', 'version', version);
  if (href) head.title = title;
  const text = make('p', 'text');
  if (spans.length) text.append(...spans.flatMap((span, at) => folded(span, at, spans, says.more)));
  else text.append(make('span', 'nothing', says.nothing));
  box.append(head, ...(kind ? [make('span', `kind ${kind}`, says[kind])] : []), text);
  return box;
};
export default function ({ data, parentElement }) {
  const list = parentElement.querySelector('.rows');
  const at = parentElement.querySelector('.at');
  const [previous, next] = ['previous', 'next'].map((name) => parentElement.querySelector(`.${name}`));
  previous.textContent = `↑ ${data.says.previous}`;
  next.textContent = `↓ ${data.says.next}`;
  if (list.dataset.key !== data.key + data.label) {
    list.dataset.key = data.key + data.label;
    list.setAttribute('aria-label', data.label);
    list.replaceChildren(...data.rows.map((row) => {
      const item = make('section', 'row');
      item.setAttribute('role', 'listitem');
      const head = make('div', 'head');
      head.append(make('span', 'place', row.place));
      item.append(head, ...row.passages.map((passage) => {
        const pair = make('div', 'pair');
        pair.tabIndex = -1;
        ['before', 'after'].forEach((name, i) => pair.append(side(
          passage[name], name, passage.links[i], data.titles[i], data.versions[i], data.says,
          (passage.kind === 'removed') === (name === 'before') && passage.kind)));
        return pair;
      }));
      return item;
    }));
    list.dataset.at = '-1';
  }
  const show = (place) => {
    const rows = list.querySelectorAll('.pair');
    if (!rows.length) return;
    const number = Math.min(Math.max(place, 0), rows.length - 1);
    list.dataset.at = String(number);
    at.textContent = data.place[number];
    [...rows].forEach((row, i) => row.classList.toggle('current', i === number));
    previous.disabled = number === 0;
    next.disabled = number === rows.length - 1;
    if (place >= 0) {
      rows[number].focus({ preventScroll: true });
      rows[number].scrollIntoView({ block: 'center', behavior: 'auto' });
    }
  };
  previous.onclick = () => show(Number(list.dataset.at) - 1);
  next.onclick = () => show(Number(list.dataset.at) + 1);
  if (Number(list.dataset.at) < 0) {
    show(-1);
    list.dataset.at = '-1';
    previous.disabled = true;
    next.disabled = data.place.length === 0;
  }
}
