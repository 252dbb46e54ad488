const SIGNS = { close: 'M6 6l12 12M18 6 6 18', previous: 'M6 15l6-6 6 6', next: 'M6 9l6 6 6-6', open: 'M14 5h5v5M19 5l-8 8M11 6H6v12h12v-5' };
let keys;
export default function ({ data, parentElement }) {
  const bar = parentElement.querySelector('nav');
  const alone = new URL('chat', location.href);
  const open = conversationOf(new URL(location.href).searchParams);
  if (open) alone.searchParams.set(...open);
  const hrefs = { close: alone.href, open: data.links.open };
  for (const name of ['previous', 'next']) if (data.links[name]) hrefs[name] = besideChat(data.links[name]);
  const focused = parentElement.getRootNode().activeElement?.dataset?.name;
  const link = (name) => {
    const element = hrefs[name] ? linkTo(hrefs[name], name) : make('span', `${name} off`);
    element.innerHTML = iconOf(SIGNS[name]);
    element.dataset.name = name;
    element.title = data.says[name];
    element.setAttribute('aria-label', data.says[name]);
    if (!hrefs[name]) {
      element.setAttribute('role', 'link');
      element.setAttribute('aria-disabled', 'true');
    }
    return element;
  };
  bar.setAttribute('aria-label', data.says.label);
  const about = bar.querySelector('.about');
  const title = make('strong', '', data.name);
  title.setAttribute('role', 'heading');
  title.setAttribute('aria-level', '2');
  about.replaceChildren(title, make('span', '', data.section));
  about.title = [data.name, data.section].filter(Boolean).join(' · ');
  const turn = data.count ? [link('previous'), make('span', 'count', data.count), link('next')] : [];
  bar.querySelector('.turn').replaceChildren(...turn, ...(hrefs.open ? [link('open')] : []), link('close'));
  const first = justKeyed() ? bar.querySelector('a.next, a.close') : null;
  (bar.querySelector(`a[data-name="${focused}"]`) ?? first)?.focus();
  document.removeEventListener('keydown', keys, true);
  keys = (event) => {
    const turned = event.altKey && { ArrowDown: 'next', ArrowUp: 'previous' }[event.key];
    const typing = event.target.value || document.querySelector('[role=dialog], dialog[open]');
    const name = turned || (event.key === 'Escape' && !typing && 'close');
    const wanted = name && bar.querySelector(`a.${name}`);
    if (!wanted) return;
    event.preventDefault();
    wanted.click();
  };
  document.addEventListener('keydown', keys, true);
  const mine = keys;
  return () => document.removeEventListener('keydown', mine, true);
}
