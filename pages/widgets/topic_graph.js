const SVG = 'http://www.w3.org/2000/svg';
const WIDE = 960, HIGH = 600, STEPS = 260;
const draw = (tag, attributes, text) => {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  return element;
};
// Fruchterman and Reingold (1991), started from a spiral: the same topics always lie the same way.
const layout = (nodes, edges) => {
  const placed = nodes.map((node, i) => {
    const turn = i * 2.39996, reach = 26 * Math.sqrt(i + .5);
    return { x: WIDE / 2 + 1.5 * reach * Math.cos(turn), y: HIGH / 2 + reach * Math.sin(turn) };
  });
  const index = new Map(nodes.map((node, i) => [node.id, i]));
  const near = Math.sqrt((WIDE * HIGH) / Math.max(1, nodes.length)) * .72;
  for (let step = 0; step < STEPS; step += 1) {
    const moves = placed.map(() => ({ x: 0, y: 0 }));
    for (let i = 0; i < placed.length; i += 1) {
      for (let j = i + 1; j < placed.length; j += 1) {
        const dx = placed[i].x - placed[j].x || .1, dy = placed[i].y - placed[j].y || .1;
        const far = Math.hypot(dx, dy), push = (near * near) / far / far;
        moves[i].x += dx * push; moves[i].y += dy * push;
        moves[j].x -= dx * push; moves[j].y -= dy * push;
      }
    }
    for (const edge of edges) {
      const i = index.get(edge.from), j = index.get(edge.to);
      const dx = placed[i].x - placed[j].x, dy = placed[i].y - placed[j].y;
      const pull = (Math.hypot(dx, dy) / near) * Math.min(1, edge.count / 4) * .35;
      moves[i].x -= dx * pull; moves[i].y -= dy * pull;
      moves[j].x += dx * pull; moves[j].y += dy * pull;
    }
    placed.forEach((place, i) => {  // without it, what has no line ends up at the edge
      moves[i].x += (WIDE / 2 - place.x) * .012;
      moves[i].y += (HIGH / 2 - place.y) * .02;
    });
    const heat = 40 * (1 - step / STEPS);
    placed.forEach((place, i) => {
      const far = Math.hypot(moves[i].x, moves[i].y) || 1, go = Math.min(far, heat);
      place.x = Math.min(WIDE - 70, Math.max(70, place.x + (moves[i].x / far) * go));
      place.y = Math.min(HIGH - 48, Math.max(34, place.y + (moves[i].y / far) * go));
    });
  }
  return placed;
};
export default function ({ data, parentElement }) {
  const frame = parentElement.querySelector('.frame');
  const places = layout(data.nodes, data.edges);
  const at = new Map(data.nodes.map((node, i) => [node.id, places[i]]));
  const most = Math.max(...data.nodes.map((node) => node.size));
  const svg = draw('svg', { viewBox: `0 0 ${WIDE} ${HIGH}`, role: 'group', 'aria-label': data.label });
  for (const edge of data.edges) {
    const a = at.get(edge.from), b = at.get(edge.to);
    const line = draw('line', { x1: a.x, y1: a.y, x2: b.x, y2: b.y, 'stroke-width': Math.min(6, .6 + edge.count * .7) });
    line.append(draw('title', {}, edge.told));
    line.dataset.ends = `${edge.from} ${edge.to}`;
    svg.append(line);
  }
  for (const node of data.nodes) {
    const place = at.get(node.id), radius = 8 + 20 * Math.sqrt(node.size / most);
    const link = draw('a', { href: node.href, 'aria-label': `${node.name}, ${node.told}` });
    const name = node.name.length > 22 ? `${node.name.slice(0, 21)}…` : node.name;
    link.append(draw('circle', { cx: place.x, cy: place.y, r: radius }),
      draw('text', { x: place.x, y: place.y + radius + 16 }, name), draw('title', {}, `${node.name}: ${node.told}`));
    link.addEventListener('click', (event) => openHere(event, node.href));
    const mark = (on) => svg.querySelectorAll('line').forEach((line) =>
      line.classList.toggle('on', on && line.dataset.ends.split(' ').includes(node.id)));
    link.addEventListener('pointerenter', () => mark(true));
    link.addEventListener('pointerleave', () => mark(false));
    link.addEventListener('focus', () => mark(true));
    link.addEventListener('blur', () => mark(false));
    svg.append(link);
  }
  frame.replaceChildren(svg);
}
