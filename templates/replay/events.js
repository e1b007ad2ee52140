// What happened, drawn over the map: ways, attacks, losses.
class Events {
  constructor(board) {
    this.board = board;
    board.resized = () => { if (this.drawn) this.draw(...this.drawn); };
  }

  draw(facts, before) {
    this.drawn = [facts, before];
    const trails = [], fights = [];
    for (const fact of facts) {
      if (fact.fact === "Moved") trails.push(...this.trail(fact));
      if (fact.fact === "Fought") this.fight(fact, before, trails, fights);
      if (fact.fact === "Eliminated" && this.board.centre(fact.at)) fights.push(this.cross(this.board.centre(fact.at)));
      if (fact.fact === "StepLost" && this.board.centre(before.where[fact.unit])) fights.push(this.hit(this.board.centre(before.where[fact.unit])));
    }
    fights.sort((a, b) => a.classList.contains("result") - b.classList.contains("result")); // what was rolled lies on top
    this.board.layers.trails.replaceChildren(...trails);
    this.board.layers.fights.replaceChildren(...fights);
  }

  trail(fact) {
    const points = fact.path.map((place) => this.board.centre(place)).filter(Boolean);
    if (points.length < 2) return [];
    const line = this.line(points, `trail ${fact.how || "move"}`, this.board.colour(this.board.data.units[fact.unit]?.side));
    const [x, y] = points[points.length - 1];
    return [...line, svg("circle", { cx: x, cy: y, r: this.board.data.pitch * 0.55, class: "mover" })];
  }

  line(points, name, colour) {
    const path = "M" + points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
    return [
      svg("path", { d: path, class: "halo" }),
      svg("path", { d: path, class: name, stroke: colour, "marker-end": `url(#arrow-${this.arrow(colour)})` }),
    ];
  }

  arrow(colour) { return Math.max(0, Object.values(this.board.data.colours).findIndex((pair) => pair[1] === colour)); }

  fight(fact, before, trails, fights) {
    const targets = fact.targets.map((place) => this.board.centre(place)).filter(Boolean);
    if (!targets.length) return;
    const from = new Set(fact.attackers.map((id) => before.where[id]));
    const side = this.board.data.units[fact.attackers[0]]?.side;
    for (const place of from) {
      const start = this.board.centre(place);
      const goal = start && nearest(targets, start);
      if (start && (goal[0] !== start[0] || goal[1] !== start[1])) {
        const short = 0.72;
        const end = [start[0] + (goal[0] - start[0]) * short, start[1] + (goal[1] - start[1]) * short];
        trails.push(...this.line([start, end], "attack", this.board.colour(side)));
      }
    }
    for (const [x, y] of targets) fights.push(svg("circle", { cx: x, cy: y, r: this.board.data.pitch * 0.56, class: "target" }));
    const [x, y] = targets[0], pitch = this.board.data.pitch;
    const words = `${fact.column}  ${fact.result}`;
    const size = Math.max(pitch * 0.3, 12 * this.board.dot), wide = size * (1.2 + words.length * 0.6), high = size * 1.5;
    const left = Math.min(Math.max(x, this.board.home[0] + wide / 2), this.board.home[0] + this.board.home[2] - wide / 2);
    const down = y - pitch * 0.62 - high / 2 < this.board.home[1] + high ? y + pitch * 0.62 + high / 2 : y - pitch * 0.62 - high / 2;
    fights.push(svg("g", { class: "result", transform: `translate(${left.toFixed(1)} ${down.toFixed(1)})` },
      svg("rect", { x: -wide / 2, y: -high / 2, width: wide, height: high, rx: high / 4 }),
      svg("text", { "font-size": size, y: size * 0.35 }, words)));
  }

  cross([x, y]) {
    const r = this.board.data.pitch * 0.3;
    const path = `M${x - r} ${y - r}L${x + r} ${y + r}M${x - r} ${y + r}L${x + r} ${y - r}`;
    return svg("g", { class: "cross" }, svg("path", { d: path, class: "halo" }), svg("path", { d: path }));
  }

  hit([x, y]) {
    const r = this.board.data.pitch * 0.3, points = [];
    for (let i = 0; i < 16; i++) {
      const far = i % 2 ? r * 0.5 : r, angle = i * Math.PI / 8;
      points.push(`${(x + far * Math.sin(angle)).toFixed(1)},${(y - far * Math.cos(angle)).toFixed(1)}`);
    }
    return svg("polygon", { points: points.join(" "), class: "hit" });
  }
}

function nearest(points, [x, y]) {
  return points.reduce((best, p) =>
    (p[0] - x) ** 2 + (p[1] - y) ** 2 < (best[0] - x) ** 2 + (best[1] - y) ** 2 ? p : best);
}
