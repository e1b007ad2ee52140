// The player: which step is shown, to whom, how fast; and everything a hand can do about it.
const $ = (id) => document.getElementById(id);
const SPEEDS = [0.5, 1, 2, 4, 8];
const PAUSE = { battle: 2400, end: 2400, turn: 1600, loss: 1600, arrival: 1300 };

class Player {
  constructor(data, texts) {
    this.data = data;
    this.texts = texts;
    const items = itemsBy(data.steps.map(([ranges]) => ranges), texts);
    this.steps = data.steps.map(([, kind, dull, stage, words, battles], number) => ({
      number, kind, dull: Boolean(dull), stage, words, battles, items: items[number],
    }));
    this.sides = Object.fromEntries(Object.entries(data.units).map(([id, unit]) => [id, unit.side]));
    this.board = new Board($("map"), data);
    this.events = new Events(this.board);
    this.playing = false;
    this.read(data.reader);
  }

  // -- what is shown

  read(reader) {
    this.reader = reader;
    this.course = new Course(this.steps.map((step) => step.items), reader, this.sides);
    const seen = ([, , audience]) => readableBy(audience, reader);
    this.shown = this.steps.filter((step) => step.items.some(seen)).map((step) => step.number);
    const turns = new Map();
    for (const number of this.shown) {
      const turn = this.turn(number);
      if (!turns.has(turn)) turns.set(turn, number);
    }
    this.turns = turns;
    this.known = this.data.course[reader] || this.data.course["*"];
    this.charts = [["losses", "Steps lost"], ["score", "Points"]].filter(([name]) => this.known[name].length > 1)
      .map(([name, title]) => new Chart($(name), title, this.known[name], this.data.sides, this.data.colours,
        this.steps.length, Array.from(turns, ([turn, step]) => [step, turn]).filter(([, turn]) => turn > 0)));
    for (const name of ["losses", "score"]) $(`${name}-box`).hidden = this.known[name].length < 2;
    this.fillTurns();
    this.fillBattles();
    $("slider").max = this.shown.length - 1;
  }

  turn(number) { return this.data.stages[this.steps[number].stage][0]; }
  stageName(number) { return this.data.stages[this.steps[number].stage][1]; }
  get step() { return this.steps[this.shown[this.at]]; }

  // Shows a step by its place among those the reader has; a unit's way is walked when it is the next one.
  go(at, { quick = false } = {}) {
    at = Math.min(Math.max(at, 0), this.shown.length - 1);
    const onward = this.at !== undefined && at === this.at + 1;
    this.at = at;
    const { number } = this.step, facts = this.course.facts(number);
    const before = this.course.after(number);
    this.position = this.course.after(number + 1);
    const ways = {};
    for (const fact of facts) if (fact.fact === "Moved") ways[fact.unit] = [...(ways[fact.unit] || []), ...fact.path];
    this.board.show(this.position, ways, onward && !quick ? Math.min(900, 0.7 * this.pause()) : 0);
    this.events.draw(facts, before);
    this.board.follow(placesOf(facts, before));
    this.tell();
  }

  tell() {
    const { number, words } = this.step;
    const readable = words.filter(([, , audience]) => readableBy(audience || "all", this.reader));
    $("when").textContent = this.stageName(number);
    $("count").textContent = `Step ${number + 1} of ${this.steps.length}`;
    $("words").replaceChildren(...readable.filter(([style]) => style !== "mark").map(wordsItem));
    const small = readable.filter(([style]) => style === "mark");
    $("small").hidden = !small.length;
    $("small-words").replaceChildren(...small.map(wordsItem));
    const heads = this.known.headlines.filter(([from]) => from <= number);
    $("headline").textContent = heads.length ? heads[heads.length - 1][1] : this.data.scenario;
    $("slider").value = this.at;
    $("slider").setAttribute("aria-valuetext", `${this.stageName(number)}, step ${number + 1}`);
    $("tally").textContent = this.charts.map((chart) => chart.show(number)).join(". ");
    $("turn").value = String(this.turn(number));
    this.fillPhases();
    $("battle").value = this.step.kind === "battle" ? String(number) : "";
    // Not `disabled`: a button that goes dead under a finger or a reader's cursor takes the focus with it.
    for (const name of ["first", "back"]) $(name).setAttribute("aria-disabled", String(this.at === 0));
    for (const name of ["forward", "last"]) $(name).setAttribute("aria-disabled", String(this.at === this.shown.length - 1));
    this.hands();
    if (this.place) this.inspect(this.place);
    if ($("standing").open) this.list();
    if (!this.playing) this.link();
  }

  // The hands as they stand, as far as the reader knows them.
  hands() {
    const held = this.data.hands.map((hand) => (this.position.pools[hand.pool] || []).filter((card) => card in hand.cards));
    const key = JSON.stringify(held);
    if (this.held === key) return;
    this.held = key;
    $("hands").hidden = !held.some((cards) => cards.length);
    $("hands").replaceChildren(...this.data.hands.flatMap((hand, n) => (held[n].length ? [
      element("h3", {}, `Hand: ${hand.side}`),
      element("div", { class: "deck" }, ...held[n].map((card) => cardFace(hand.size, hand.cards[card]))),
    ] : [])));
  }

  // -- playing

  pause() { return (PAUSE[this.step.kind] || 950) / SPEEDS[this.speed()]; }
  speed() { return Number($("speed").value); }

  play() {
    if (this.playing) return;
    if (this.at === this.shown.length - 1) this.go(0);
    this.setPlaying(true);
    this.wait();
  }

  wait() {
    this.timer = setTimeout(() => {
      const next = this.next(1);
      if (next === this.at) { this.stop(); return; }
      this.go(next);
      if (this.at === this.shown.length - 1) this.stop(); else this.wait();
    }, this.pause());
  }

  stop() {
    clearTimeout(this.timer);
    this.setPlaying(false);
    this.link();
  }

  setPlaying(playing) {
    this.playing = playing;
    document.body.classList.toggle("playing", playing);
    $("play").setAttribute("aria-label", playing ? "Pause" : "Play");
    $("play").title = playing ? "Pause (space)" : "Play (space)";
    // A voice that reads every step of a running film never gets to the end of one.
    $("words").setAttribute("aria-live", playing ? "off" : "polite");
  }

  toggle() { if (this.playing) this.stop(); else this.play(); }

  // The next step in a direction; dull ones are passed over if that is wanted.
  next(direction) {
    let at = this.at + direction;
    if ($("skip").checked) {
      while (at > 0 && at < this.shown.length - 1 && this.steps[this.shown[at]].dull) at += direction;
    }
    return Math.min(Math.max(at, 0), this.shown.length - 1);
  }

  by(direction) { this.stop(); this.go(this.next(direction)); }
  to(number) {
    this.stop();
    const at = this.shown.findIndex((shown) => shown >= number);
    this.go(at < 0 ? this.shown.length - 1 : at);
  }

  byBattle(direction) { this.seek(direction, (step) => step.kind === "battle"); }
  byTurn(direction) { this.seek(direction, (step) => this.turns.get(this.turn(step.number)) === step.number); }
  byPhase(direction) {
    this.seek(direction, (step, at) => at === 0 || this.steps[this.shown[at - 1]].stage !== step.stage);
  }

  seek(direction, wanted) {
    this.stop();
    for (let at = this.at + direction; at >= 0 && at < this.shown.length; at += direction) {
      if (wanted(this.steps[this.shown[at]], at)) { this.go(at); return; }
    }
  }

  bySpeed(change) {
    $("speed").value = String(Math.min(Math.max(this.speed() + change, 0), SPEEDS.length - 1));
    $("said").textContent = `Speed ${SPEEDS[this.speed()]}`;
  }

  // -- lists to jump by

  fillTurns() {
    $("turn").replaceChildren(...Array.from(this.turns.keys(), (turn) => option(turn, turn ? `Turn ${turn}` : "Set-up")));
  }

  fillPhases() {
    const turn = this.turn(this.step.number), found = [];
    this.shown.forEach((number, at) => {
      const { stage } = this.steps[number];
      if (this.turn(number) === turn && (at === 0 || this.steps[this.shown[at - 1]].stage !== stage)) {
        found.push([number, this.data.stages[stage][2], stage]);
      }
    });
    const key = JSON.stringify([this.reader, turn]);
    if (this.phasesOf !== key) {
      $("phase").replaceChildren(...found.map(([number, name]) => option(number, name)));
      this.phasesOf = key;
    }
    const here = found.filter(([number]) => number <= this.step.number).pop();
    if (here) $("phase").value = String(here[0]);
  }

  fillBattles() {
    const groups = new Map();
    for (const number of this.shown) {
      for (const [name, audience] of this.steps[number].battles) {
        if (!readableBy(audience || "all", this.reader)) continue;
        const turn = this.turn(number);
        if (!groups.has(turn)) groups.set(turn, []);
        groups.get(turn).push(option(number, name));
      }
    }
    const count = Array.from(groups.values()).flat().length;
    const head = option("", count ? `Battles (${count})` : "No battles");
    $("battle").disabled = !count;
    $("battle").replaceChildren(head, ...Array.from(groups, ([turn, options]) => {
      const group = document.createElement("optgroup");
      group.label = `Turn ${turn}`;
      group.append(...options);
      return group;
    }));
  }

  // -- looking closer

  inspect(place) {
    this.place = place;
    const ids = Object.keys(this.data.units).filter((id) => this.position.where[id] === place);
    const name = this.data.places[place];
    const who = ids.map((id) => this.describe(id)).join("; ");
    $("hex").textContent = `Hex ${place}${name ? ` (${name})` : ""}: ${who || "nobody"}.`;
  }

  describe(id) {
    const marks = this.board.badges(this.position.marks[id]).map((badge) => badge.about);
    return [unitText(this.data, id, this.position), ...marks].join(", ");
  }

  list() {
    const blocks = this.data.sides.map((side) => {
      const places = new Map();
      for (const [id, unit] of Object.entries(this.data.units)) {
        const place = this.position.where[id];
        if (unit.side !== side || place === undefined || !(this.data.hexes[place] || place === ELIMINATED)) continue;
        if (!places.has(place)) places.set(place, []);
        places.get(place).push(this.describe(id));
      }
      const rows = Array.from(places).sort(([a], [b]) => (a < b ? -1 : 1)).map(([place, who]) =>
        element("li", {}, element("b", {}, place === ELIMINATED ? "Eliminated" : place), ` ${who.join("; ")}`));
      return element("section", {}, element("h3", {}, side), element("ul", {}, ...rows));
    });
    $("standing-list").replaceChildren(...blocks);
  }

  link() {
    try { history.replaceState(null, "", `#step=${this.step.number + 1}`); } catch (error) { /* a page in a frame of a mail */ }
  }

  follow() {
    const found = /step=(\d+)/.exec(location.hash);
    if (found) this.to(Number(found[1]) - 1); else this.go(0);
  }

  // For the paper: all that happened in the turn that is shown.
  story() {
    const turn = this.turn(this.step.number);
    const parts = [];
    let stage = null;
    for (const number of this.shown) {
      const step = this.steps[number];
      if (this.turn(number) !== turn) continue;
      if (step.stage !== stage) { stage = step.stage; parts.push(element("h3", {}, this.stageName(number))); }
      const words = step.words.filter(([style, , audience]) => style !== "mark" && readableBy(audience || "all", this.reader));
      parts.push(element("ul", { class: number === this.step.number ? "here" : "" }, ...words.map(wordsItem)));
    }
    $("paper").replaceChildren(element("h2", {}, turn ? `All of turn ${turn}` : "The set-up"), ...parts);
  }

  // -- the proof

  check() {
    const out = $("verdict");
    out.textContent = "Checking …";
    out.className = "";
    setTimeout(() => {
      const faults = faultsOf(this.texts);
      out.className = faults.length ? "bad" : "good";
      out.textContent = faults.length ? verdictBad(faults) : this.verdictGood();
    }, 20);
  }

  verdictGood() {
    const what = this.data.over ? "every hash, every seal and every die is right" : "every hash is right, and every seal of what you may read";
    return `The log holds: ${this.texts.length} lines, ${what}. The head of the chain is ${this.head()}. Compare it with the one in your mail.`;
  }

  head() { return JSON.parse(this.texts[this.texts.length - 1]).hash; }

  find(typed) {
    const wanted = typed.trim().toLowerCase();
    const lines = this.texts.map((text) => JSON.parse(text));
    const line = wanted.length < 6 ? undefined : lines.find((one) => one.hash.startsWith(wanted));
    $("verdict").className = line ? "good" : "bad";
    $("verdict").textContent = wanted.length < 6 ? "Give at least six digits of the head."
      : line ? `That is the head after line ${line.n} of this log.` : "No line of this log has that head.";
  }

  save() {
    const text = this.texts.map((line) => `${scan(line).text}\n`).join("");
    const link = element("a", { href: URL.createObjectURL(new Blob([text], { type: "application/jsonl" })), download: `${this.data.game}.jsonl` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
}

function verdictBad(faults) {
  const told = faults.slice(0, 3).map(([line, what]) => `line ${line}: ${what}`).join("; ");
  const more = faults.length > 3 ? `; and ${faults.length - 3} more` : "";
  return `The log does not hold: ${told}${more}.`;
}

function placesOf(facts, before) {
  return facts.flatMap((fact) => fact.path || fact.targets || (fact.fact === "Eliminated" ? [fact.at] : []))
    .concat(facts.flatMap((fact) => (fact.attackers || []).map((id) => before.where[id])));
}

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const option = (value, text) => element("option", { value }, text);
const wordsItem = ([style, text]) => element("li", { class: style }, text);
