// The position as one reader knows it ("*": the truth): the facts he may read, applied one by one as the engine does.
const ELIMINATED = "eliminated", UNSEEN = "unseen";

function newPosition() {
  return {
    clock: { turn: 0, stage: "", side: "" }, where: {}, lost: {}, unsure: {}, marks: {}, noted: [], tracks: {},
    owners: {}, pools: {}, seats: {}, end: { result: "", winner: "", points: [] },
  };
}

const copied = (position) => JSON.parse(JSON.stringify(position));

function put(section, key, value) {
  if (value === null || value === 0) delete section[key]; else section[key] = value;
}

function bear(position, subject, marks) {
  put(position.marks, subject, Object.keys(marks).length ? marks : null);
}

function without(marks, names) {
  return Object.fromEntries(Object.entries(marks || {}).filter(([name]) => !names.includes(name)));
}

function mark(p, { subject, mark: name, value = 1 }) {
  if (value === null) bear(p, subject, without(p.marks[subject], [name]));
  else p.marks[subject] = { ...p.marks[subject], [name]: value };
}

// What each fact writes: the position, the fact, who reads, and the side of each unit.
const WRITERS = {
  StageBegan(p, { turn, stage, side }) { p.clock = { turn, stage, side }; },
  Placed(p, { unit, at, lost = null }) { p.where[unit] = at; if (lost !== null) put(p.lost, unit, lost); },
  Moved(p, { unit, path }) { p.where[unit] = path[path.length - 1]; },
  StepLost(p, { unit, steps = 1 }) { put(p.lost, unit, (p.lost[unit] || 0) + steps); },
  StepGained(p, { unit, steps = 1 }) { put(p.lost, unit, Math.max((p.lost[unit] || 0) - steps, 0)); },
  Eliminated(p, { unit }) { p.where[unit] = ELIMINATED; delete p.unsure[unit]; delete p.marks[unit]; },
  Turned(p, { unit, into, at }) {
    p.where[unit] = "turned";
    p.where[into] = at;
    bear(p, into, p.marks[unit] || {});
    delete p.marks[unit];
  },
  Marked: mark,
  Noted(p, fact) { mark(p, fact); if (!p.noted.includes(fact.mark)) p.noted = [...p.noted, fact.mark].sort(); },
  Wiped(p, { marks, side = "" }, reader, sides) {
    for (const [subject, borne] of Object.entries(p.marks)) {
      if (!side || sides[subject] === side) bear(p, subject, without(borne, marks));
    }
  },
  Counted(p, { track, value }) { p.tracks[track] = value; },
  TookHex(p, { hex, side }) { p.owners[hex] = side; },
  Pooled(p, { pool, items }) { p.pools[pool] = [...items]; },
  Drew(p, { pool, item }) { // a reader who was never told what is in it goes on not knowing
    if (!(pool in p.pools)) return;
    const at = p.pools[pool].indexOf(item);
    p.pools[pool] = p.pools[pool].filter((_, place) => place !== at);
  },
  Sighted(p, { unit, by, at, lost = 0, marks = [] }, reader) {
    if (by !== reader) return;
    p.where[unit] = at;
    put(p.lost, unit, lost);
    put(p.unsure, unit, lost === null ? "unknown" : null);
    bear(p, unit, Object.fromEntries(marks));
  },
  LostSight(p, { unit, by, kept = false }, reader) {
    if (by !== reader) return;
    p.where[unit] = UNSEEN;
    for (const section of kept ? [p.marks] : [p.lost, p.unsure, p.marks]) delete section[unit];
    if (kept && !(unit in p.unsure)) p.unsure[unit] = "last seen";
  },
  Doubted(p, { unit, by }, reader) { if (by === reader && !(unit in p.unsure)) p.unsure[unit] = "last seen"; },
  SeatTaken(p, { seat, side }) { p.seats[seat] = side; },
  GameEnded(p, { result, winner = "", points = [] }) { p.end = { result, winner, points }; },
};

function apply(position, fact, reader, sides) {
  const writer = WRITERS[fact.fact];
  if (writer) writer(position, fact, reader, sides);
}

// The items of each step, by where they stand in the lines of the log.
function itemsBy(steps, texts) {
  const happened = texts.map((text) => itemsOf(JSON.parse(text)));
  return steps.map((ranges) => ranges.flatMap(([line, from, to]) => happened[line].slice(from, to)));
}

// The positions after each step as one reader knows them; one in so many is kept, the rest are worked out again.
class Course {
  constructor(steps, reader, sides) {
    Object.assign(this, { steps, reader, sides });
    this.kept = [newPosition()];
    this.latest = { count: 0, position: this.kept[0] };
  }
  facts(number) {
    return this.steps[number].filter(([kind, , audience]) => kind === "fact" && readableBy(audience, this.reader))
      .map(([, body]) => body);
  }
  advance(position, number) {
    for (const fact of this.facts(number)) apply(position, fact, this.reader, this.sides);
  }
  // The position after that many steps; nobody writes into it, for the next one is begun from it.
  after(count) {
    const kept = Math.min(Math.floor(count / Course.EVERY), this.kept.length - 1);
    const near = this.latest.count > kept * Course.EVERY && this.latest.count <= count;
    const from = near ? this.latest : { count: kept * Course.EVERY, position: this.kept[kept] };
    if (from.count === count) return from.position;
    const position = copied(from.position);
    for (let number = from.count; number < count; number++) {
      this.advance(position, number);
      if ((number + 1) % Course.EVERY === 0) this.kept[(number + 1) / Course.EVERY] = copied(position);
    }
    this.latest = { count, position };
    return position;
  }
}
Course.EVERY = 40;
