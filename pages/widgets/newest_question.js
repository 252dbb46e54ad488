// Kept while the page lives: a rerun must not pull back who has scrolled away.
const broughtIntoView = new Set();
const PATIENCE = 60000;
export default function ({ data, parentElement }) {
  if (broughtIntoView.has(data.id)) return;
  broughtIntoView.add(data.id);
  if (!data.bring) return;
  const turn = parentElement.closest?.('[data-testid="stChatMessage"]')
    ?? parentElement.getRootNode().host?.closest('[data-testid="stChatMessage"]');
  if (!turn) return;
  // There is no room to scroll to before the answer has come: as it grows the question moves up, until it is at the
  // top or its reader scrolls. Without a glide, which the growing would stop.
  const growing = new ResizeObserver(() => {
    turn.scrollIntoView({ block: 'start', behavior: 'instant' });
  });
  const end = () => {
    growing.disconnect();
    for (const kind of ['wheel', 'touchmove', 'keydown', 'pointerdown']) removeEventListener(kind, end, true);
  };
  for (const kind of ['wheel', 'touchmove', 'keydown', 'pointerdown']) addEventListener(kind, end, true);
  growing.observe(turn.closest('[data-testid="stMainBlockContainer"]') ?? turn.parentElement);
  setTimeout(end, PATIENCE);
}
