const filled = new Set();
export default function ({ data }) {
  if (filled.has(data.id)) return;
  filled.add(data.id);
  const COVERED = matchMedia('(max-width: 1099.98px)');
  // On a narrow screen what was read lies over the field.
  const alone = new URL('chat', location.href);
  const open = conversationOf(new URL(location.href).searchParams);
  if (open && COVERED.matches) {
    alone.searchParams.set(...open);
    history.pushState(null, '', alone);
    window.dispatchEvent(new PopStateEvent('popstate'));
  }
  const until = Date.now() + 5000;
  const fill = () => {
    const field = document.querySelector('[data-testid=stChatInputTextArea]');
    if (!field || field.disabled) {
      if (Date.now() < until) setTimeout(fill, 100);
      return;
    }
    // As if it were typed, or Streamlit would not know of it.
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set.call(field, data.words);
    field.dispatchEvent(new Event('input', { bubbles: true }));
    field.focus();
    field.setSelectionRange(data.words.length, data.words.length);
  };
  fill();
}
