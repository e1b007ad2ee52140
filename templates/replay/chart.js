// Losses and score over time: one small chart each, a line for each side, told apart by dashes and names.
class Chart {
  constructor(root, name, series, sides, colours, count, turns) {
    Object.assign(this, { root, name, series, sides, colours, count, turns });
    this.width = 320;
    this.height = 74;
    this.left = 26;
    this.right = 254;
    this.draw();
  }

  x(step) { return this.left + (this.right - this.left) * (this.count > 1 ? step / (this.count - 1) : 0); }
  y(value) { return 64 - 56 * value / this.most; }

  at(step) {
    let values = this.sides.map(() => 0);
    for (const [from, numbers] of this.series) { if (from > step) break; values = numbers; }
    return values;
  }

  draw() {
    const all = this.series.flatMap(([, values]) => values);
    this.most = Math.max(4, ...all);
    const parts = [svg("line", { x1: this.left, x2: this.right, y1: 64, y2: 64, class: "axis" })];
    for (const [step, turn] of this.turns) {
      parts.push(svg("line", { x1: this.x(step), x2: this.x(step), y1: 64, y2: 67, class: "axis" }));
      if (this.turns.length < 9 || turn % 2) parts.push(svg("text", { x: this.x(step), y: 74, class: "tick" }, String(turn)));
    }
    parts.push(svg("text", { x: this.left - 4, y: 12, class: "scale" }, String(this.most)));
    parts.push(svg("text", { x: this.left - 4, y: 66, class: "scale" }, "0"));
    const last = this.at(this.count - 1);
    const heights = spread(last.map((value) => this.y(value)), 11, 66);
    this.sides.forEach((side, number) => {
      parts.push(svg("path", { d: this.path(number), class: `line side-${number}`, stroke: this.colours[side][1] }));
      parts.push(svg("text", { x: this.right + 5, y: heights[number] + 3.5, class: "end", fill: this.colours[side][1] },
        `${side} ${last[number]}`));
    });
    this.cursor = svg("line", { y1: 4, y2: 66, class: "cursor" });
    this.root.setAttribute("viewBox", `0 0 ${this.width} ${this.height + 4}`);
    this.root.replaceChildren(svg("title", {}), ...parts, this.cursor);
  }

  path(number) {
    let path = "", y = this.y(0);
    path = `M${this.x(0)} ${y}`;
    for (const [step, values] of this.series) {
      path += `H${this.x(step).toFixed(1)}V${this.y(values[number]).toFixed(1)}`;
    }
    return `${path}H${this.right}`;
  }

  show(step) {
    const x = this.x(step).toFixed(1);
    this.cursor.setAttribute("x1", x);
    this.cursor.setAttribute("x2", x);
    const words = this.sides.map((side, number) => `${side} ${this.at(step)[number]}`).join(", ");
    this.root.querySelector("title").textContent = `${this.name} at this step: ${words}`;
    return `${this.name}: ${words}`;
  }

  stepAt(event) {
    const box = this.root.getBoundingClientRect();
    const x = (event.clientX - box.left) * this.width / box.width;
    return Math.round(Math.min(Math.max((x - this.left) / (this.right - this.left), 0), 1) * (this.count - 1));
  }
}

// Labels that would lie on each other, moved apart.
function spread(heights, gap, lowest) {
  const order = heights.map((_, i) => i).sort((a, b) => heights[a] - heights[b]);
  const placed = [...heights];
  for (let i = 1; i < order.length; i++) placed[order[i]] = Math.max(placed[order[i]], placed[order[i - 1]] + gap);
  const over = Math.max(0, placed[order[order.length - 1]] - lowest);
  return placed.map((height) => height - over);
}
