// The map: counters moved about on it, what happened drawn over it, zoom and pan.
const SVG = "http://www.w3.org/2000/svg";

function svg(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

class Board {
  constructor(root, data) {
    this.root = root;
    this.ground = document.getElementById("ground");
    this.data = data;
    this.home = root.getAttribute("viewBox").split(" ").map(Number);
    this.box = [...this.home];
    this.layers = {};
    for (const name of ["held", "trails", "counters", "counts", "fights"]) this.layers[name] = root.querySelector(`#${name}`);
    this.units = {};
    this.calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.measure();
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
    group.firstChild.setAttribute("href", `#${looks.faces[lost]}${unsure ? `-${unsure[0]}` : ""}`);
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
    for (const running of group.getAnimations ? group.getAnimations() : []) running.cancel();
    group.style.transform = there;
    if (!duration || this.calm || !before || before === there || !group.animate) return;
    const stops = (way || []).slice(1, -1).map((place) => this.centre(place)).filter(Boolean);
    const frames = [before, ...stops.map(([px, py]) => at(px, py)), there].map((transform) => ({ transform }));
    group.animate(frames, { duration, easing: "ease-in-out" });
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
    for (const [place, side] of Object.entries(position.owners)) {
      const at = this.centre(place);
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

  // -- what happened

  draw(facts, before) {
    this.drawn = [facts, before];
    const trails = [], fights = [];
    for (const fact of facts) {
      if (fact.fact === "Moved") trails.push(...this.trail(fact));
      if (fact.fact === "Fought") this.fight(fact, before, trails, fights);
      if (fact.fact === "Eliminated" && this.centre(fact.at)) fights.push(this.cross(this.centre(fact.at)));
      if (fact.fact === "StepLost" && this.centre(before.where[fact.unit])) fights.push(this.hit(this.centre(before.where[fact.unit])));
    }
    fights.sort((a, b) => a.classList.contains("result") - b.classList.contains("result")); // what was rolled lies on top
    this.layers.trails.replaceChildren(...trails);
    this.layers.fights.replaceChildren(...fights);
  }

  trail(fact) {
    const points = fact.path.map((place) => this.centre(place)).filter(Boolean);
    if (points.length < 2) return [];
    const line = this.line(points, `trail ${fact.how || "move"}`, this.colour(this.data.units[fact.unit]?.side));
    const [x, y] = points[points.length - 1];
    return [...line, svg("circle", { cx: x, cy: y, r: this.data.pitch * 0.55, class: "mover" })];
  }

  line(points, name, colour) {
    const path = "M" + points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
    return [
      svg("path", { d: path, class: "halo" }),
      svg("path", { d: path, class: name, stroke: colour, "marker-end": `url(#arrow-${this.arrow(colour)})` }),
    ];
  }

  arrow(colour) { return Math.max(0, Object.values(this.data.colours).findIndex((pair) => pair[1] === colour)); }

  fight(fact, before, trails, fights) {
    const targets = fact.targets.map((place) => this.centre(place)).filter(Boolean);
    if (!targets.length) return;
    const from = new Set(fact.attackers.map((id) => before.where[id]));
    const side = this.data.units[fact.attackers[0]]?.side;
    for (const place of from) {
      const start = this.centre(place);
      const goal = start && nearest(targets, start);
      if (start && (goal[0] !== start[0] || goal[1] !== start[1])) {
        const short = 0.72;
        const end = [start[0] + (goal[0] - start[0]) * short, start[1] + (goal[1] - start[1]) * short];
        trails.push(...this.line([start, end], "attack", this.colour(side)));
      }
    }
    for (const [x, y] of targets) fights.push(svg("circle", { cx: x, cy: y, r: this.data.pitch * 0.56, class: "target" }));
    const [x, y] = targets[0], pitch = this.data.pitch;
    const words = `${fact.column}  ${fact.result}`;
    const size = Math.max(pitch * 0.3, 12 * this.dot), wide = size * (1.2 + words.length * 0.6), high = size * 1.5;
    const left = Math.min(Math.max(x, this.home[0] + wide / 2), this.home[0] + this.home[2] - wide / 2);
    const down = y - pitch * 0.62 - high / 2 < this.home[1] + high ? y + pitch * 0.62 + high / 2 : y - pitch * 0.62 - high / 2;
    fights.push(svg("g", { class: "result", transform: `translate(${left.toFixed(1)} ${down.toFixed(1)})` },
      svg("rect", { x: -wide / 2, y: -high / 2, width: wide, height: high, rx: high / 4 }),
      svg("text", { "font-size": size, y: size * 0.35 }, words)));
  }

  cross([x, y]) {
    const r = this.data.pitch * 0.3;
    const path = `M${x - r} ${y - r}L${x + r} ${y + r}M${x - r} ${y + r}L${x + r} ${y - r}`;
    return svg("g", { class: "cross" }, svg("path", { d: path, class: "halo" }), svg("path", { d: path }));
  }

  hit([x, y]) {
    const r = this.data.pitch * 0.3, points = [];
    for (let i = 0; i < 16; i++) {
      const far = i % 2 ? r * 0.5 : r, angle = i * Math.PI / 8;
      points.push(`${(x + far * Math.sin(angle)).toFixed(1)},${(y - far * Math.cos(angle)).toFixed(1)}`);
    }
    return svg("polygon", { points: points.join(" "), class: "hit" });
  }

  // -- zoom and pan

  setBox([x, y, width, height]) {
    const [hx, hy, hw, hh] = this.home;
    const w = Math.min(Math.max(width, hw / 12), hw), h = w * hh / hw;
    this.box = [Math.min(Math.max(x, hx), hx + hw - w), Math.min(Math.max(y, hy), hy + hh - h), w, h];
    const box = this.box.map((n) => n.toFixed(1)).join(" ");
    for (const sheet of [this.ground, this.root]) sheet.setAttribute("viewBox", box);
    this.measure();
    if (this.drawn) this.draw(...this.drawn);
  }

  // Lines and letters over the map stay readable when the whole of it is small on the screen.
  measure() {
    this.dot = this.box[2] / (this.root.clientWidth || this.home[2]);
    this.root.style.setProperty("--line", `${Math.max(this.data.pitch * 0.12, 2.4 * this.dot).toFixed(1)}px`);
  }

  get zoomed() { return this.box[2] < this.home[2] * 0.999; }

  zoom(factor, point) {
    const [x, y, w, h] = this.box;
    const [px, py] = point || [x + w / 2, y + h / 2];
    const width = Math.min(Math.max(w / factor, this.home[2] / 12), this.home[2]), real = width / w;
    this.setBox([px - (px - x) * real, py - (py - y) * real, width, h * real]);
  }

  pan(dx, dy) { this.setBox([this.box[0] + dx * this.box[2], this.box[1] + dy * this.box[3], this.box[2], this.box[3]]); }

  fit() { this.setBox([...this.home]); }

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
    this.setBox([cx - w / 2, cy - h / 2, w, h]);
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

function nearest(points, [x, y]) {
  return points.reduce((best, p) =>
    (p[0] - x) ** 2 + (p[1] - y) ** 2 < (best[0] - x) ** 2 + (best[1] - y) ** 2 ? p : best);
}

function unitText(data, id, position) {
  const unit = data.units[id], lost = position.lost[id] || 0;
  const name = unit.name && unit.name !== id ? `${id}, ${unit.name}` : id;
  if (position.unsure[id] === "unknown") return `${name}, strength not known`;
  const values = unit.values[Math.min(lost, unit.values.length - 1)];
  const told = lost ? `${name} (${values}), ${lost} of ${unit.faces.length} steps lost` : `${name} (${values})`;
  return position.unsure[id] ? `${told}, as last seen` : told;
}
