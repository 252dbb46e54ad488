// Kept while the page lives: a rerun must not pull back who has scrolled away.
const broughtIntoView = new Set();
export default function ({ data, parentElement }) {
  if (broughtIntoView.has(data.id)) return;
  broughtIntoView.add(data.id);
  if (!data.bring) return;
  const turn = parentElement.closest?.('[data-testid="stChatMessage"]')
    ?? parentElement.getRootNode().host?.closest('[data-testid="stChatMessage"]');
  // Without a glide, which the answer that grows below would stop.
  requestAnimationFrame(() => turn?.scrollIntoView({ block: 'start', behavior: 'instant' }));
}
