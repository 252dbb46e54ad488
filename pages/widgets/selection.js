// A bar at words that are selected in a document: what can be done with them. It shows however they were selected.
const ACTS = ['ask', 'similar', 'why'];
const LEAST_SELECTED = 2, MOST_SELECTED = 600;
// What is selected where an element stands; the window alone does not tell in a component.
const selectionAt = (element) => element.getRootNode().getSelection?.() ?? window.getSelection();
// Say of `panel` what may be done (nothing: no bar); `nodeOf` tells the node in which an element stands.
const offerAtSelection = (panel, says, nodeOf, act) => {
  panel.querySelector('.acts')?.remove();
  if (!says) return () => {};
  const bar = panel.appendChild(make('div', 'acts'));
  let chosen = {};
  bar.hidden = true;
  bar.setAttribute('role', 'toolbar');
  bar.setAttribute('aria-label', says.label);
  bar.onpointerdown = (event) => event.preventDefault();  // the words stay selected
  bar.onkeydown = (event) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    bar.hidden = true;
    panel.focus();
  };
  for (const name of ACTS) {
    const button = bar.appendChild(make('button', '', says[name]));
    button.onclick = () => {
      show();  // more may have been selected since the bar came
      bar.hidden = true;
      act({ act: name, ...chosen });
    };
  }
  const show = () => {
    const selected = selectionAt(panel);
    const words = String(selected).replace(/(\p{Ll})-\n(\p{Ll})/gu, '$1$2').replace(/\s+/g, ' ').trim();
    const range = selected?.rangeCount && selected.getRangeAt(0);
    bar.hidden = words.length < LEAST_SELECTED || !range || !panel.contains(range.commonAncestorContainer);
    if (bar.hidden) return;
    chosen = { words: words.slice(0, MOST_SELECTED), node: nodeOf(range.startContainer.parentElement) };
    const lines = range.getClientRects(), frame = panel.getBoundingClientRect();
    const last = lines[lines.length - 1] ?? range.getBoundingClientRect();
    const left = Math.min(last.left - frame.left, panel.clientWidth - bar.offsetWidth - 8);
    bar.style.left = `${panel.scrollLeft + Math.max(8, left)}px`;
    bar.style.top = `${panel.scrollTop + last.bottom - frame.top + 6}px`;
  };
  let soon;
  const later = () => { clearTimeout(soon); soon = setTimeout(show, 200); };
  document.addEventListener('selectionchange', later);
  return () => { clearTimeout(soon); document.removeEventListener('selectionchange', later); };
};
// Mark all places of the words that are sought, without changing what stands there. Sought are `parts`, `glue` between.
const markSought = (element, sought) => {
  if (!window.CSS?.highlights) return;
  const marks = new Highlight();
  CSS.highlights.set('dropqa-sought', marks);
  if (!sought) return;
  const nodes = [];
  let text = '';
  const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  while (walk.nextNode()) {
    const node = walk.currentNode;
    if (node.nodeName === 'BR') text += '\n';
    if (node.nodeType !== Node.TEXT_NODE) continue;
    nodes.push([text.length, node]);
    text += node.data;
  }
  const escaped = sought.parts.map((part) => part.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
  const place = (position) => {
    const [from, node] = nodes.findLast(([start]) => start <= position);
    return [node, Math.min(position - from, node.length)];
  };
  for (const found of text.matchAll(new RegExp(escaped.join(sought.glue), 'gi'))) {
    const range = document.createRange();
    range.setStart(...place(found.index));
    range.setEnd(...place(found.index + found[0].length - 1));
    range.setEnd(range.endContainer, Math.min(range.endOffset + 1, range.endContainer.length));
    marks.add(range);
  }
};
