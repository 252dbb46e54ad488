// Links within the app. A plain click opens the address in the same session, the way Streamlit itself does on
// Back and Forward; with a key or another button the browser does what it always does.
const opensHere = (event) =>
  !(event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
const openHere = (event, address) => {
  if (!opensHere(event)) return;
  event.preventDefault();
  event.stopPropagation();
  window.dropqaKeyed = event.detail ? 0 : Date.now();
  history.pushState(null, '', new URL(address, location.href));
  window.dispatchEvent(new PopStateEvent('popstate'));
};
// Whether a link was just followed by key: the focus then goes along, unless somebody types.
const justKeyed = () => Date.now() - (window.dropqaKeyed ?? 0) < 4000
  && !['TEXTAREA', 'INPUT'].includes(document.activeElement?.tagName);
// A link that opens in the same session.
const linkTo = (href, name, text) => {
  const link = make('a', name, text);
  link.href = href;
  link.onclick = (event) => openHere(event, href);
  return link;
};
// What an address says of the conversation that is being read, one's own or one that is shared.
const conversationOf = (query) => [...query].find(([name]) => name === 'conversation' || name === 'shared');
// The address of a place in a document, open beside the conversation that is being read, if one is.
// `turn` is the answer that cites it.
const besideChat = (href, turn) => {
  const now = new URL(location.href).searchParams;
  const open = conversationOf(now);
  if (!open) return href;
  const query = new URL(href, location.href).searchParams;
  query.set(...open);
  query.set('turn', turn ?? now.get('turn') ?? '');
  return `chat?${query}`;
};
