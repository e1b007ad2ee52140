// The map: its net, counters moved about on it, zoom and pan. Shared by all pages that have one.
const SVG = "http://www.w3.org/2000/svg";
const LEAST = 3; // pixels: numbers of hexes that nobody could read are not drawn

function svg(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// A card as the letters draw it.
function cardFace([wide, high], [id, told]) {
  return svg("svg", { viewBox: `-3 -3 ${wide + 8} ${high + 9}`, class: "face", role: "img", "aria-label": told, "font-family": "DejaVu Sans, Verdana, sans-serif", fill: "none" },
    svg("use", { href: `#${id}` }), svg("title", {}, told));
}

class Board {
  constructor(root, data) {
    this.root = root;
    this.ground = document.getElementById("ground");
    this.data = data;
    this.home = root.getAttribute("viewBox").split(" ").map(Number);
    this.box = [...this.home];
    this.layers = {};
    for (const layer of root.querySelectorAll("g[id]")) this.layers[layer.id] = layer;
    this.resized = () => {}; // told when what is drawn over the map has another scale
    this.units = {};
    this.kept = new Map();
    this.fresh = []; // faces that come up now
    this.calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    new ResizeObserver(() => { this.seen = null; }).observe(root);
    this.net();
    this.measure();
  }

  // The net and its numbers, from the middles of the hexes: in a file they would be a third of the map.
  net() {
    const { hexes, bare, corners, net, number } = this.data, drawn = new Set(), lines = [], letters = [], without = new Set(bare);
    for (const [place, [x, y]] of Object.entries(hexes)) {
      if (without.has(place)) continue;
      corners.forEach(([dx, dy], i) => {
        const [ex, ey] = corners[(i + 1) % 6], middle = `${Math.round((2 * x + dx + ex) / 8)},${Math.round((2 * y + dy + ey) / 8)}`;
        if (drawn.has(middle)) return;
        drawn.add(middle);
        lines.push(`M${(x + dx).toFixed(1)} ${(y + dy).toFixed(1)}L${(x + ex).toFixed(1)} ${(y + ey).toFixed(1)}`);
      });
      letters.push(svg("text", { x, y: (y + number[2]).toFixed(1) }, place));
    }
    const path = this.ground.querySelector("#net"), group = this.ground.querySelector("#numbers");
    for (const [key, value] of [["d", lines.join("")], ["stroke", net[0]], ["stroke-width", net[1]]]) path.setAttribute(key, value);
    for (const [key, value] of [["fill", number[0]], ["font-size", number[1]], ["text-anchor", "middle"]]) group.setAttribute(key, value);
    group.replaceChildren(...letters);
  }

  centre(place) { return this.data.hexes[place]; }

  // -- counters

  unit(id) {
    if (!this.units[id]) {
      const use = svg("use", {});
      const group = svg("g", { class: "unit", "data-unit": id }, use, svg("g", { class: "badges" }));
      group.append(svg("title", {}));
      this.units[id] = group;
    }
    return this.units[id];
  }

  // Faces that wait until they are up: a campaign has thousands, and the page would be slow with all of them.
  keep(faces) { this.kept = new Map(faces.map((face) => [/id="([^"]*)"/.exec(face)[1], face])); }

  face(id) {
    if (this.kept.has(id)) this.fresh.push(this.kept.get(id));
    this.kept.delete(id);
    return `#${id}`;
  }

  // Puts every counter where the position has it; those that moved go along their way if there is time for it.
  show(position, ways, duration) {
    const stacks = new Map();
    for (const id of Object.keys(this.data.units)) {
      const place = position.where[id];
      if (place !== undefined && this.centre(place)) {
        if (!stacks.has(place)) stacks.set(place, []);
        stacks.get(place).push(id);
      }
    }
    const lacking = this.lacking(position), drawn = [], counts = [];
    for (const [place, ids] of stacks) {
      const [x, y] = this.centre(place), fan = this.fan(ids.length);
      this.piled(ids, position).forEach((id, depth) => {
        const [dx, dy, size] = fan[depth];
        this.dress(id, position, depth === ids.length - 1, lacking);
        this.put(id, x + dx, y + dy, size, ways[id], duration);
        drawn.push([ways[id] ? 1 : 0, y, x, depth, id]);
      });
      if (ids.length > 3) counts.push(this.tally(x - 0.44 * this.data.pitch, y + 0.3 * this.data.pitch, ids.length));
    }
    if (this.fresh.length) this.root.querySelector("defs").insertAdjacentHTML("beforeend", this.fresh.join(""));
    this.fresh = [];
    drawn.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2] || a[3] - b[3]);
    this.lay(drawn.map((entry) => [this.unit(entry[4]), entry.slice(0, 4).join()]));
    this.layers.counts.replaceChildren(...counts);
    this.held(position);
  }

  // Counters in their order, taking up only those that must lie elsewhere: to lay all of them anew is slow.
  lay(wanted) {
    const layer = this.layers.counters, keys = new Map(wanted);
    for (const element of Array.from(layer.children)) {
      if (element.key !== keys.get(element)) element.remove();
    }
    let next = layer.firstChild;
    for (const [element, key] of wanted) {
      if (element === next) { next = next.nextSibling; continue; }
      element.key = key;
      layer.insertBefore(element, next);
    }
  }

  // A stack from below: the strongest on top, as on the maps in the mail.
  piled(ids, position) {
    const weight = (id) => {
      const { weight: by } = this.data.units[id];
      return by[Math.min(position.lost[id] || 0, by.length - 1)];
    };
    return ids.map((id, i) => [weight(id), -i, id]).sort((a, b) => a[0] - b[0] || a[1] - b[1]).map((entry) => entry[2]);
  }

  fan(count) {
    const fans = this.data.fans;
    return fans[Math.min(count, fans.length) - 1].concat(
      Array(Math.max(0, count - fans.length)).fill(fans[fans.length - 1][0]));
  }

  tally(x, y, count) {
    const r = 0.11 * this.data.pitch;
    return svg("g", { class: "tally", transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` },
      svg("circle", { r }), svg("text", { "font-size": r * 1.4, y: r * 0.5 }, String(count)));
  }

  // The badges of those who lack a mark that others have: [unit, badge] each.
  lacking(position) {
    const found = {};
    for (const [name, ids, badge, about] of this.data.lacking) {
      if (!Object.values(position.marks).some((marks) => name in marks)) continue;
      for (const id of ids) if (!(position.marks[id] && name in position.marks[id])) found[id] = { id: badge, about };
    }
    return found;
  }

  dress(id, position, top, lacking) {
    const group = this.unit(id), looks = this.data.units[id];
    const lost = Math.min(position.lost[id] || 0, looks.faces.length - 1), unsure = position.unsure[id];
    const badges = this.badges(position.marks[id]);
    if (lacking[id]) badges.push(lacking[id]);
    const state = JSON.stringify([lost, unsure, top, badges]);
    if (group.state === state) return;
    group.state = state;
    group.firstChild.setAttribute("href", this.face(`${looks.faces[lost]}${unsure ? `-${unsure[0]}` : ""}`));
    const [edge, r] = this.data.badge;
    group.querySelector(".badges").replaceChildren(...badges.map((found, number) => svg("use", {
      href: `#${found.id}`,
      x: (top ? edge + 0.2 * r : edge + 0.2 * r + number * 2 * r).toFixed(1),
      y: (top ? 0.2 * r - edge + number * 2.1 * r : 0.6 * r - edge).toFixed(1),
    })));
    const told = badges.map((found) => found.about).join(", ");
    group.querySelector("title").textContent = unitText(this.data, id, position) + (told ? ` (${told})` : "");
  }

  badges(marks) {
    return Object.entries(marks || {}).map(([name, value]) => this.data.badges[`${name}=${value}`])
      .filter(Boolean).map(([id, about]) => ({ id, about }));
  }

  put(id, x, y, size, way, duration) {
    const group = this.unit(id);
    const at = (px, py) => `translate(${px.toFixed(2)}px, ${py.toFixed(2)}px) scale(${size})`;
    const there = at(x, y);
    const before = group.there;
    group.there = there;
    if (group.running) group.running.cancel(); // to ask the browser which run is slow
    group.style.transform = there;
    if (!duration || this.calm || !before || before === there || !group.animate) return;
    const stops = (way || []).slice(1, -1).map((place) => this.centre(place)).filter(Boolean);
    const frames = [before, ...stops.map(([px, py]) => at(px, py)), there].map((transform) => ({ transform }));
    group.running = group.animate(frames, { duration, easing: "ease-in-out" });
  }

  held(position) {
    const marks = [], pitch = this.data.pitch;
    for (const [subject, named] of Object.entries(position.marks)) {
      const spots = subject.startsWith("@") ? subject.slice(1).split("/").map((place) => this.centre(place)) : [];
      if (spots.length && spots.every(Boolean)) this.badges(named).forEach(({ id, about }, number) => marks.push(svg("use",
        spots.length > 1 ? this.onSide(id, number, ...spots) : { href: `#h${id}`,
          x: (spots[0][0] + (0.38 - 0.3 * number) * pitch).toFixed(1), y: (spots[0][1] + 0.36 * pitch).toFixed(1) },
        svg("title", {}, about))));
    }
    for (const [name, value] of Object.entries(position.marks.game || {})) { // an objective, at the hex that it names
      const at = this.centre(String(value).split(" ")[0]), pointer = this.data.pointers[name];
      if (at && pointer) marks.push(svg("use", { href: `#${pointer[0]}`, x: (at[0] - 0.36 * pitch).toFixed(1), y: (at[1] - 0.36 * pitch).toFixed(1) }, svg("title", {}, pointer[1])));
    }
    for (const [place, side] of Object.entries(position.owners)) {
      const at = !this.data.owned || this.data.owned.includes(place) ? this.centre(place) : null;
      if (at) marks.push(svg("circle", { cx: at[0], cy: at[1], r: this.data.pitch * 0.44, class: "owner", stroke: this.colour(side) }));
    }
    this.layers.held.replaceChildren(...marks);
  }

  // A mark on the hexside between two hexes, turned to lie across the way; further ones lie beside the first.
  onSide(id, number, [x, y], [x2, y2]) {
    const dx = x2 - x, dy = y2 - y, turn = Math.atan2(dy, dx) * 180 / Math.PI;
    const at = [x + dx / 2 - 0.2 * number * dy, y + dy / 2 + 0.2 * number * dx];
    return { href: `#s${id}`, transform: `translate(${at[0].toFixed(1)} ${at[1].toFixed(1)}) rotate(${turn.toFixed(1)})` };
  }

  colour(side) { return (this.data.colours[side] || ["#555", "#333"])[1]; }

  // -- zoom and pan

  // What is seen is as wide as asked, within the map, and as high as the screen has room for.
  setBox([x, y, width]) {
    const [hx, hy, hw, hh] = this.home, shape = this.shape(), all = this.widest();
    const w = Math.min(Math.max(width, hw / 12), all), h = w * shape;
    const within = (at, size, from, length) => (size >= length ? from + (length - size) / 2 : Math.min(Math.max(at, from), from + length - size));
    this.fitted = w === all;
    this.box = [within(x, w, hx, hw), within(y, h, hy, hh), w, h];
    const box = this.box.map((n) => n.toFixed(1)).join(" ");
    for (const sheet of [this.ground, this.root]) sheet.setAttribute("viewBox", box);
    this.measure();
    this.resized();
  }

  // How large the map is on the screen: measured once, as measuring makes the browser lay out the page there and then.
  get screen() {
    if (!this.seen) this.seen = [this.root.clientWidth || this.home[2], this.root.clientHeight || this.home[3]];
    return this.seen;
  }

  shape() { return this.screen[1] / this.screen[0]; }

  // As wide as the whole map must be seen to be all on the screen.
  widest() { return Math.max(this.home[2], this.home[3] / this.shape()); }

  // Lines and letters over the map stay readable when the whole of it is small on the screen.
  measure() {
    this.dot = this.box[2] / this.screen[0];
    this.ground.querySelector("#numbers").style.display = this.data.number[1] < LEAST * this.dot ? "none" : "";
    this.root.style.setProperty("--line", `${Math.max(this.data.pitch * 0.12, 2.4 * this.dot).toFixed(1)}px`);
  }

  get zoomed() { return this.box[2] < this.widest() * 0.999; }

  zoom(factor, point) {
    const [x, y, w, h] = this.box;
    const [px, py] = point || [x + w / 2, y + h / 2];
    const width = Math.min(Math.max(w / factor, this.home[2] / 12), this.widest()), real = width / w;
    this.setBox([px - (px - x) * real, py - (py - y) * real, width]);
  }

  pan(dx, dy) { this.setBox([this.box[0] + dx * this.box[2], this.box[1] + dy * this.box[3], this.box[2]]); }

  fit() { this.setBox([this.home[0], this.home[1], Infinity]); }

  // The screen has another size: what was all of the map stays all of it.
  refit() { this.seen = null; if (this.fitted) this.fit(); else this.setBox(this.box); }

  // Brings what happened into sight when only a part of the map is shown.
  follow(places) {
    const points = places.map((place) => this.centre(place)).filter(Boolean);
    if (!this.zoomed || !points.length) return;
    const xs = points.map((p) => p[0]), ys = points.map((p) => p[1]);
    const [x, y, w, h] = this.box, margin = this.data.pitch;
    const inside = Math.min(...xs) > x + margin && Math.max(...xs) < x + w - margin
      && Math.min(...ys) > y + margin && Math.max(...ys) < y + h - margin;
    if (inside) return;
    const cx = (Math.min(...xs) + Math.max(...xs)) / 2, cy = (Math.min(...ys) + Math.max(...ys)) / 2;
    this.setBox([cx - w / 2, cy - h / 2, w]);
  }

  // Where on the map a point of the screen is, and the hex there.
  point(event) {
    const matrix = this.root.getScreenCTM();
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return [at.x, at.y];
  }

  hexAt([x, y]) {
    let best = null, least = (this.data.pitch * 0.62) ** 2;
    for (const [place, [hx, hy]] of Object.entries(this.data.hexes)) {
      const far = (hx - x) ** 2 + (hy - y) ** 2;
      if (far < least) { least = far; best = place; }
    }
    return best;
  }
}

function unitText(data, id, position) {
  const unit = data.units[id], lost = position.lost[id] || 0;
  const name = unit.name && unit.name !== id ? `${id}, ${unit.name}` : id;
  if (position.unsure[id] === "unknown") return `${name}, strength not known`;
  const values = unit.values[Math.min(lost, unit.values.length - 1)];
  const told = lost ? `${name} (${values}), ${lost} of ${unit.faces.length} steps lost` : `${name} (${values})`;
  return position.unsure[id] ? `${told}, as last seen` : told;
}
