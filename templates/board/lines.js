// What may be ordered, from the page's tables; and a line written as the referee reads it. No rule is known here.
const $ = (id) => document.getElementById(id);
const UNITS = ["unit", "units"], PLACES = ["hex", "hexes"];

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== null) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

class Orders {
  constructor(data) {
    this.data = data;
    this.where = data.position.where;
    this.places = Object.keys(data.hexes).sort();
    const sets = data.sets.map((bits) => this.members(bits));
    this.begun = data.begun.map(([verb, given, field, places]) => ({
      ...this.about(verb, given), field, places: typeof places === "number" ? sets[places] : places, onMap: typeof places === "number",
    }));
    this.gather = data.gather.map(([verb, given, field, values, table, known, fullest]) => ({
      ...this.about(verb, given), field, values, table, known, fullest, ofUnits: UNITS.includes(this.kind(verb, field)),
    }));
    this.whole = data.whole.map(([verb, given, result]) => ({ ...this.about(verb, given), result }));
    this.sort();
  }

  members(bits) {
    const bytes = Uint8Array.from(atob(bits), (char) => char.charCodeAt(0));
    return this.places.filter((_, n) => bytes[n >> 3] >> (n & 7) & 1);
  }

  kind(verb, name) { return this.data.verbs[verb][3].find(([field]) => field === name)[1]; }

  own(id) { return this.data.units[id] !== undefined && this.data.units[id].side === this.data.side; }

  // Whom a line is about, and which hexes: by the kinds of its fields, whatever they are called.
  about(verb, given) {
    const units = [], hexes = [], cards = [], held = this.data.hand.cards || {};
    for (const [name, kind] of this.data.verbs[verb][3]) {
      if (!(name in given)) continue;
      cards.push(...[given[name]].flat().map((word) => word.split(" ")[0]).filter((word) => word in held));
      if (UNITS.includes(kind)) units.push(...[given[name]].flat().filter((id) => this.own(id)));
      if (PLACES.includes(kind)) hexes.push(...[given[name]].flat());
    }
    return { verb, word: this.data.verbs[verb][0], given, units, hexes, cards };
  }

  // A line, or its beginning up to the word that opens a field to follow.
  line(verb, given, following = "") {
    const [word, , , fields] = this.data.verbs[verb], parts = [word];
    for (const [name, , opener] of fields) if (name in given) parts.push(opener, [given[name]].flat().join(", "));
    for (const [name, , opener] of fields) if (name === following) parts.push(opener);
    return parts.filter((part) => part !== "").join(" ");
  }

  // Who may do something, hex by hex; what may be done about a hex; and what is about neither.
  sort() {
    this.stacks = new Map();
    this.absent = [];
    this.targets = new Map();
    const actors = new Set();
    for (const entry of [...this.begun, ...this.whole, ...this.gather]) entry.units.forEach((id) => actors.add(id));
    for (const entry of this.gather) if (entry.ofUnits) entry.values.filter((id) => this.own(id)).forEach((id) => actors.add(id));
    for (const id of Object.keys(this.data.units)) {
      if (!actors.has(id)) continue;
      if (this.where[id] === undefined) this.absent.push(id); else add(this.stacks, this.where[id], id);
    }
    for (const entry of [...this.gather, ...this.whole]) {
      if (entry.result === undefined || entry.result !== null || !entry.units.length) entry.hexes.forEach((place) => add(this.targets, place, entry));
    }
    const neither = (entry) => !entry.units.length && !entry.hexes.length;
    this.plain = this.whole.filter((entry) => neither(entry) && !entry.cards.length);
    this.open = [...this.begun, ...this.gather].filter(neither);
  }

  // The lines that speak of exactly these units.
  exact(entries, units) {
    const wanted = [...units].sort().join("\n");
    return entries.filter((entry) => entry.units.length === units.length && [...entry.units].sort().join("\n") === wanted);
  }

  // Several units that have no line of their own: where each of them may go, one must ask whether all may.
  common(units) {
    const found = [], singles = units.map((id) => this.exact(this.begun, [id]));
    for (const first of singles[0] || []) {
      const list = this.data.verbs[first.verb][3].find(([name, kind]) => kind === "units" && name in first.given);
      const same = singles.map((lines) => lines.find((line) => line.verb === first.verb && line.field === first.field));
      if (!list || same.some((line) => !line)) continue;
      const places = first.places.filter((place) => same.every((line) => line.places.includes(place)));
      if (places.length) found.push({ ...first, units, given: { ...first.given, [list[0]]: units }, places, unsure: true });
    }
    return found;
  }

  // The sets of attackers, or of whatever is gathered: the result, null if it has none, undefined if it may not be said.
  outcome(entry, chosen) {
    if (entry.known >= 0 && chosen.length > entry.known) return { unsure: true, result: null };
    if (typeof entry.table === "number") return chosen.length || entry.table ? { result: null } : undefined;
    const found = entry.table[chosen.join(".")];
    return found === undefined ? undefined : { result: found };
  }

  said(entry, chosen) {
    return this.line(entry.verb, chosen.length ? { ...entry.given, [entry.field]: chosen.map((n) => entry.values[n]) } : entry.given);
  }

  nextTo(place) {
    const [x, y] = this.data.hexes[place], far = this.data.pitch * 1.2;
    return this.places.filter((other) => {
      const [ox, oy] = this.data.hexes[other];
      return other !== place && Math.hypot(ox - x, oy - y) < far;
    });
  }

  at(place) { return Object.keys(this.where).filter((id) => this.where[id] === place); }

  named(place) { return this.data.places[place] ? `${place} ${this.data.places[place]}` : place; }
}

function add(map, key, value) {
  if (!map.has(key)) map.set(key, []);
  if (!map.get(key).includes(value)) map.get(key).push(value);
}
