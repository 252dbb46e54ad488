const ROW = 34;
const EDGES = {
  parent: 'orange', child: 'blue', sibling: 'green', same_page: 'gray', caption: 'violet', caption_of: 'violet',
  refers_to: 'red', referred_by: 'red', window: 'green',
};
const SVG = 'http://www.w3.org/2000/svg';
export default function ({ data, parentElement, setTriggerValue }) {
  const walk = parentElement.querySelector('.walk');
  walk.setAttribute('role', 'list');
  walk.setAttribute('aria-label', data.label);
  const nodes = [];
  const edges = new Map();
  const point = (id) => {
    nodes.forEach((node) => node.classList.toggle('pointed', node.dataset.id === id));
    edges.forEach((path, node) => path.classList.toggle('pointed', node === id));
  };
  const nodeOf = (item) => {
    const node = make('button', item.hit ? 'node hit' : 'node');
    node.dataset.id = item.id;
    node.title = item.named ? `${item.named}: ${item.label}` : item.label;
    node.setAttribute('aria-pressed', String(item.id === data.chosen));
    if (item.kind) {
      const kind = make('span', 'kind');
      kind.style.setProperty('--edge', `var(--st-${EDGES[item.kind] ?? 'gray'}-color)`);
      kind.append(make('i', ''), item.named);
      node.append(kind);
    }
    node.append(make('span', 'label', item.label));
    if (item.hit) node.append(make('span', 'rank', item.hit));
    node.onmouseenter = node.onfocus = () => point(item.id);
    node.onmouseleave = node.onblur = () => point('');
    node.onclick = () => setTriggerValue('picked', item.id);
    nodes.push(node);
    return node;
  };
  const linesOf = (steps) => {
    const height = ROW * steps.length;
    const svg = document.createElementNS(SVG, 'svg');
    svg.setAttribute('viewBox', `0 0 100 ${height}`);
    svg.setAttribute('preserveAspectRatio', 'none');
    svg.setAttribute('aria-hidden', 'true');
    steps.forEach((step, at) => {
      const path = document.createElementNS(SVG, 'path');
      const y = ROW * (at + 0.5);
      path.setAttribute('d', `M0 ${height / 2} C55 ${height / 2} 45 ${y} 100 ${y}`);
      path.style.setProperty('--edge', `var(--st-${EDGES[step.kind] ?? 'gray'}-color)`);
      svg.append(path);
      edges.set(step.id, path);
    });
    return svg;
  };
  walk.replaceChildren(...data.groups.map((group) => {
    const row = make('div', 'group');
    row.setAttribute('role', 'listitem');
    const from = make('div', 'from');
    from.append(nodeOf({ id: group.id, label: group.label, hit: group.hit }));
    const to = make('div', 'to');
    to.append(...group.steps.map(nodeOf));
    const lines = make('div', 'lines');
    lines.style.height = `${ROW * group.steps.length}px`;
    lines.style.alignSelf = 'center';
    lines.append(linesOf(group.steps));
    row.append(from, lines, to);
    return row;
  }));
}
