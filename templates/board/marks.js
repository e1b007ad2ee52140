// What the sheet and the choice look like on the map: who may act, lit places, odds, arrows, counters where they will be.
class Marks {
  constructor(board, orders) {
    this.board = board;
    this.orders = orders;
    this.data = orders.data;
    board.resized = () => { if (this.last) this.draw(...this.last); };
  }

  draw(choice, lines, put) {
    this.last = [choice, lines, put];
    const { stacks, targets } = this.orders, lit = [], over = [];
    for (const place of stacks.keys()) lit.push(this.hex(place, "tint"));
    for (const place of targets.keys()) if (!stacks.has(place)) lit.push(this.hex(place, "tint target"));
    if (choice.places) {
      for (const place of choice.places) {
        const [x, y] = this.data.hexes[place];
        lit.push(this.hex(place, choice.unsure ? "open maybe" : "open"), svg("circle", { cx: x, cy: y, r: this.data.pitch * 0.1, class: "dot" }));
      }
    }
    if (choice.place) lit.push(this.hex(choice.place, "chosen"));
    for (const line of lines) over.push(...this.arrows(line));
    for (const [place, entries] of targets) {
      const column = this.best(entries);
      if (column) over.push(this.tag(place, column));
    }
    this.board.layers.lit.replaceChildren(...lit.filter(Boolean));
    this.board.layers.over.replaceChildren(...over.filter(Boolean));
    this.counters(put);
  }

  counters(put) {
    const { position } = this.data;
    this.board.show({ ...position, where: { ...position.where, ...put } }, {}, 0);
    for (const id of Object.keys(this.data.units)) this.board.unit(id).classList.toggle("ghost", id in put);
  }

  hex(place, name) {
    const at = this.data.hexes[place];
    if (!at) return null;
    const points = this.data.corners.map(([dx, dy]) => `${(at[0] + dx * 0.97).toFixed(1)},${(at[1] + dy * 0.97).toFixed(1)}`);
    return svg("polygon", { points: points.join(" "), class: name });
  }

  // The odds with everybody who can join.
  best(entries) {
    for (const entry of entries) {
      const found = entry.result !== undefined ? entry.result : typeof entry.table === "object" ? entry.table[entry.fullest] : null;
      if (found !== null && found !== undefined) return this.data.results[found][0];
    }
    return "";
  }

  tag(place, words) {
    const [x, y] = this.data.hexes[place], size = Math.max(this.data.pitch * 0.23, 11 * this.board.dot);
    const wide = size * (0.9 + 0.62 * words.length), high = size * 1.3, down = y + this.data.pitch * 0.43 + high / 2; // below the counter's figures
    return svg("g", { class: "tag", transform: `translate(${x.toFixed(1)} ${down.toFixed(1)})` },
      svg("rect", { x: -wide / 2, y: -high / 2, width: wide, height: high, rx: high / 4 }),
      svg("text", { "font-size": size, y: size * 0.36 }, words));
  }

  arrows(line) {
    const goal = this.data.hexes[line.to];
    if (!goal) return [];
    const from = new Set(line.units.map((id) => this.data.position.where[id]).filter((place) => place && place !== line.to));
    return [...from].flatMap((place) => this.arrow(this.data.hexes[place], goal, line.ghost ? this.board.colour(this.data.side) : "#8c1a1a", line.ghost ? 0.82 : 0.7));
  }

  arrow([x, y], [tx, ty], colour, reach) {
    const far = Math.hypot(tx - x, ty - y), ux = (tx - x) / far, uy = (ty - y) / far, end = far - this.data.pitch * (1 - reach);
    const start = this.data.pitch * 0.3, head = this.data.pitch * 0.3, side = this.data.pitch * 0.17, at = (d, s = 0) => `${(x + ux * d - uy * s).toFixed(1)} ${(y + uy * d + ux * s).toFixed(1)}`;
    const line = `M${at(Math.min(start, end / 3))}L${at(end - head * 0.8)}`;
    return [
      svg("path", { d: `${line}L${at(end - head * 0.3)}`, class: "arrow halo" }),
      svg("path", { d: line, class: "arrow", stroke: colour }),
      svg("path", { d: `M${at(end)}L${at(end - head, side)}L${at(end - head, -side)}z`, fill: colour, stroke: "#fffdf6", "stroke-width": 3, "paint-order": "stroke" }),
    ];
  }
}
