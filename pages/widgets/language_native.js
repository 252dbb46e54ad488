const PLACES = '[data-testid=stSkipToContent], [data-testid=stFileUploader], [data-testid=InputInstructions], [data-testid=stStatusWidget], [role=option][style*=contents]';
const native = globalThis.dropqaNative ??= { kept: new Map(), observer: null };

function put(node, name, text) {
  if (!native.kept.has(node)) native.kept.set(node, {});
  native.kept.get(node)[name] = { from: name ? node.getAttribute(name) : node.data, to: text };
  if (name) node.setAttribute(name, text);
  else node.data = text;
}

function translator(texts, patterns) {
  const rules = patterns.map(([pattern, into]) => [new RegExp(`^${pattern}$`), into]);
  return (text) => {
    const trimmed = text.trim();
    if (texts[trimmed]) return texts[trimmed];
    const rule = rules.find(([pattern]) => pattern.test(trimmed));
    return rule && trimmed.replace(rule[0], rule[1]);
  };
}

function scan(translated) {
  for (const node of native.kept.keys()) if (!node.isConnected) native.kept.delete(node);
  for (const place of document.querySelectorAll(PLACES)) {
    const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = translated(walker.currentNode.data);
      if (text) put(walker.currentNode, '', text);
    }
  }
  for (const element of document.querySelectorAll('[aria-label]')) {
    const text = translated(element.getAttribute('aria-label'));
    if (text) put(element, 'aria-label', text);
  }
}

// A toast of Streamlit's names a heading that it does not have.
function nameToasts() {
  for (const toast of document.querySelectorAll('[data-testid=stToast]:not([aria-label])')) {
    const text = toast.querySelector('[data-testid=stMarkdownContainer]') ?? toast;
    toast.setAttribute('aria-label', text.textContent.trim());
  }
}

function restore() {
  for (const [node, changes] of native.kept) {
    for (const [name, { from, to }] of Object.entries(changes)) {
      if (name && node.getAttribute(name) === to) node.setAttribute(name, from);
      else if (!name && node.data === to) node.data = from;
    }
  }
  native.kept.clear();
}

export default function ({ data }) {
  document.documentElement.lang = data.language;
  native.observer?.disconnect();
  restore();
  const translated = Object.keys(data.texts).length ? translator(data.texts, data.patterns) : null;
  const look = () => {
    nameToasts();
    if (translated) scan(translated);
  };
  let waiting = 0;
  const soon = () => { waiting ||= requestAnimationFrame(() => { waiting = 0; look(); }); };
  native.observer = new MutationObserver(soon);
  native.observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  look();
}
