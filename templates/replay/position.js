// The position: the facts of the log, applied one by one as the engine does.
const ELIMINATED = "eliminated";

function newPosition() {
  return {
    turn: 0, stage: "", side: "", where: {}, lost: {}, marks: {}, tracks: {}, owners: {}, pools: {}, seats: {},
    ended: "", winner: "", points: [],
  };
}

const copied = (position) => JSON.parse(JSON.stringify(position));

function mark(position, subject, name, value) {
  if (value !== null) {
    (position.marks[subject] = position.marks[subject] || {})[name] = value;
  } else if (position.marks[subject]) {
    delete position.marks[subject][name];
    if (!Object.keys(position.marks[subject]).length) delete position.marks[subject];
  }
}

function lose(position, unit, lost) {
  if (lost > 0) position.lost[unit] = lost; else delete position.lost[unit];
}

const WRITERS = {
  StageBegan(p, f) { p.stage = f.stage; p.turn = f.turn; p.side = f.side; },
  Placed(p, f) { p.where[f.unit] = f.at; if (f.lost !== undefined && f.lost !== null) lose(p, f.unit, f.lost); },
  Moved(p, f) { p.where[f.unit] = f.path[f.path.length - 1]; },
  StepLost(p, f) { p.lost[f.unit] = (p.lost[f.unit] || 0) + (f.steps ?? 1); },
  StepGained(p, f) { lose(p, f.unit, (p.lost[f.unit] || 0) - (f.steps ?? 1)); },
  Eliminated(p, f) { p.where[f.unit] = ELIMINATED; delete p.marks[f.unit]; },
  Turned(p, f) {
    const place = p.where[f.unit];
    p.where[f.unit] = "turned";
    p.where[f.into] = place;
    if (p.marks[f.unit]) { p.marks[f.into] = p.marks[f.unit]; delete p.marks[f.unit]; }
  },
  Marked(p, f) { mark(p, f.subject, f.mark, f.value === undefined ? 1 : f.value); },
  Counted(p, f) { p.tracks[f.track] = f.value; },
  TookHex(p, f) { p.owners[f.hex] = f.side; },
  Pooled(p, f) { p.pools[f.pool] = [...f.items]; },
  Drew(p, f) { p.pools[f.pool].splice(p.pools[f.pool].indexOf(f.item), 1); },
  Sighted(p, f) { mark(p, f.unit, `seen by ${f.by}`, 1); },
  LostSight(p, f) { mark(p, f.unit, `seen by ${f.by}`, null); },
  SeatTaken(p, f) { p.seats[f.seat] = f.side; },
  GameEnded(p, f) { p.ended = f.result; p.winner = f.winner || ""; p.points = f.points || []; },
};

function apply(position, body) {
  const writer = WRITERS[body.fact];
  if (writer) writer(position, body);
}

// The positions after each step as one reader knows them; one in so many is kept, the rest are worked out again.
class Course {
  constructor(steps, reader) {
    this.steps = steps;
    this.reader = reader;
    this.kept = [newPosition()];
  }
  facts(number) {
    return this.steps[number].items.filter(([kind, , audience]) => kind === "fact" && readableBy(audience, this.reader))
      .map(([, body]) => body);
  }
  // The position after that many steps.
  after(count) {
    let from = Math.min(Math.floor(count / Course.EVERY), this.kept.length - 1);
    const position = copied(this.kept[from]);
    for (let number = from * Course.EVERY; number < count; number++) {
      for (const body of this.facts(number)) apply(position, body);
      if ((number + 1) % Course.EVERY === 0) this.kept[(number + 1) / Course.EVERY] = copied(position);
    }
    return position;
  }
}
Course.EVERY = 40;
