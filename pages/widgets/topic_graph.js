const SVG = 'http://www.w3.org/2000/svg';
const STEPS = 260, NARROW_PX = 600;
// What a circle with its name takes, and how often neighbours are moved apart.
const ROOM_X = 96, ROOM_Y = 66, PASSES = 80;
const draw = (tag, attributes, text) => {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  return element;
};
// A narrow frame has a field as narrow as itself, as high as its topics need.
const fieldOf = (width, count) => (width && width < NARROW_PX
  ? { wide: 400, high: Math.max(440, 110 + Math.ceil(count / 3) * ROOM_Y * 1.5) } : { wide: 960, high: 600 });
// Fill the frame from end to end; a few topics stay near each other.
const spread = (placed, axis, least, most) => {
  const values = placed.map((place) => place[axis]);
  const first = Math.min(...values), wide = Math.max(...values) - first || 1;
  const room = Math.min(most - least, (most - least) * Math.sqrt(placed.length) / 6);
  placed.forEach((place) => {
    place[axis] = (least + most) / 2 + ((place[axis] - first) / wide - .5) * room;
  });
};
// Move circles off each other's circles and names, the shorter way, within the frame.
const apart = (placed, { wide, high }) => {
  for (let i = 0; i < placed.length; i += 1) {
    for (let j = i + 1; j < placed.length; j += 1) {
      const a = placed[i], b = placed[j], dx = b.x - a.x, dy = b.y - a.y;
      const overX = ROOM_X - Math.abs(dx), overY = ROOM_Y - Math.abs(dy);
      if (overX <= 0 || overY <= 0) continue;
      const axis = overX / ROOM_X < overY / ROOM_Y ? 'x' : 'y';
      const push = (axis === 'x' ? overX : overY) / 4 * ((axis === 'x' ? dx : dy) < 0 ? -1 : 1);
      a[axis] -= push;
      b[axis] += push;
    }
  }
  placed.forEach((place) => {
    place.x = Math.min(wide - 70, Math.max(70, place.x));
    place.y = Math.min(high - 48, Math.max(34, place.y));
  });
};
// Fruchterman and Reingold (1991), started from a spiral: the same topics always lie the same way.
const layout = (nodes, edges, { wide, high }) => {
  const placed = nodes.map((node, i) => {
    const turn = i * 2.39996, reach = 26 * Math.sqrt(i + .5);
    return { x: wide / 2 + 1.5 * reach * Math.cos(turn), y: high / 2 + reach * Math.sin(turn) };
  });
  const index = new Map(nodes.map((node, i) => [node.id, i]));
  const near = Math.sqrt((wide * high) / Math.max(1, nodes.length)) * .72;
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
    placed.forEach((place, i) => {  // without it, what has no line drifts away
      moves[i].x += (wide / 2 - place.x) * .03;
      moves[i].y += (high / 2 - place.y) * .05;
    });
    const heat = 40 * (1 - step / STEPS);
    placed.forEach((place, i) => {
      const far = Math.hypot(moves[i].x, moves[i].y) || 1, go = Math.min(far, heat);
      place.x += (moves[i].x / far) * go;
      place.y += (moves[i].y / far) * go;
    });
  }
  spread(placed, 'x', 70, wide - 70);
  spread(placed, 'y', 34, high - 48);
  for (let pass = 0; pass < PASSES; pass += 1) apart(placed, { wide, high });
  return placed;
};
export default function ({ data, parentElement }) {
  const frame = parentElement.querySelector('.frame');
  const field = fieldOf(frame.clientWidth, data.nodes.length);
  const places = layout(data.nodes, data.edges, field);
  const at = new Map(data.nodes.map((node, i) => [node.id, places[i]]));
  const most = Math.max(...data.nodes.map((node) => node.size));
  const svg = draw('svg', { viewBox: `0 0 ${field.wide} ${field.high}`, role: 'group', 'aria-label': data.label });
  for (const edge of data.edges) {
    const a = at.get(edge.from), b = at.get(edge.to);
    const line = draw('line', { x1: a.x, y1: a.y, x2: b.x, y2: b.y, 'stroke-width': Math.min(6, .6 + edge.count * .7) });
    line.append(draw('title', {}, edge.told));
    line.dataset.ends = `${edge.from} ${edge.to}`;
    svg.append(line);
  }
  const names = draw('g', { 'aria-hidden': 'true' });  // above all circles
  for (const node of data.nodes) {
    const place = at.get(node.id), radius = 8 + 20 * Math.sqrt(node.size / most);
    const link = draw('a', { href: node.href, 'aria-label': `${node.name}, ${node.told}` });
    const name = node.name.length > 22 ? `${node.name.slice(0, 21)}…` : node.name;
    link.append(draw('circle', { cx: place.x, cy: place.y, r: radius }), draw('title', {}, `${node.name}: ${node.told}`));
    names.append(draw('text', { x: place.x, y: place.y + radius + 16 }, name));
    link.addEventListener('click', (event) => openHere(event, node.href));
    const mark = (on) => svg.querySelectorAll('line').forEach((line) =>
      line.classList.toggle('on', on && line.dataset.ends.split(' ').includes(node.id)));
    link.addEventListener('pointerenter', () => mark(true));
    link.addEventListener('pointerleave', () => mark(false));
    link.addEventListener('focus', () => mark(true));
    link.addEventListener('blur', () => mark(false));
    svg.append(link);
  }
  svg.append(names);
  frame.replaceChildren(svg);
}
