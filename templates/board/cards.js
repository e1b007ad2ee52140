// The panel: who is chosen, what he may be ordered, places, attackers to tick with what they come to.
class Cards {
  constructor(orders, sheet, shown) {
    this.orders = orders;
    this.sheet = sheet;
    this.shown = shown; // told when the choice is another
    this.data = orders.data;
    this.choice = {};
    this.fillWho();
    $("who").addEventListener("change", () => this.byName($("who").value));
    this.fillDeck();
    this.fillThen();
    this.fillUsages();
    this.fillQuestions();
  }

  // -- lists

  fillWho() {
    const { stacks, absent, targets, open } = this.orders, option = (value, text) => element("option", { value }, text);
    const group = (label, options) => (options.length ? [element("optgroup", { label }, ...options)] : []);
    $("who").replaceChildren(option("", "Choose"),
      ...group("Your units", [...stacks].sort().map(([place, ids]) => option(`stack ${place}`, `${place}: ${ids.join(", ")}`))),
      ...group("Not on the map", absent.map((id) => option(`unit ${id}`, id))),
      ...group("Against, or about", [...targets.keys()].filter((place) => !stacks.has(place)).sort().map((place) => option(`target ${place}`, `${this.orders.named(place)}: ${this.orders.at(place).join(", ") || "nobody"}`))),
      ...group("Other orders", open.map((entry, n) => option(`open ${n}`, `${entry.word} \u2026`))));
  }

  // One's hand, each card to be tapped for what it may be played for.
  fillDeck() {
    const { size, cards = {} } = this.data.hand;
    $("deck").hidden = !size;
    $("deck").replaceChildren(...Object.entries(cards).map(([card, face]) => {
      const made = element("button", { type: "button", class: "held", "aria-pressed": "false", "data-card": card }, cardFace(size, face));
      made.addEventListener("click", () => this.play(card));
      return made;
    }));
  }

  fillThen() {
    const { plain } = this.orders;
    $("then-row").hidden = !plain.length;
    const write = (entry) => this.write(entry, this.orders.line(entry.verb, entry.given));
    if (plain.length <= 6) {
      $("then").replaceChildren(...plain.map((entry) => button(this.orders.line(entry.verb, entry.given), () => write(entry))));
      return;
    }
    const list = element("select", { "aria-label": "Then" }, ...plain.map((entry, n) => element("option", { value: n }, this.orders.line(entry.verb, entry.given))));
    $("then").replaceChildren(list, button("Order it", () => write(plain[Number(list.value)])));
  }

  fillUsages() {
    $("usages").replaceChildren(...this.data.verbs.flatMap(([, usage, about]) => [element("dt", {}, usage), element("dd", {}, about)]));
  }

  fillQuestions() {
    $("standing").hidden = !this.data.questions.length;
    $("questions").replaceChildren(...this.data.questions.map(([name, about, answers, now]) => {
      const label = `${name}: ${about}`;
      return element("div", { class: "question" }, element("p", {}, `${label}. Now: ${now}.`),
        element("div", { class: "group", role: "group", "aria-label": label }, ...answers.map((answer) =>
          button(answer, () => this.sheet.add({ text: `when ${name}: ${answer}`, units: [] })))));
    }));
  }

  // -- what is chosen

  byName(name) {
    const [kind, ...rest] = name.split(" "), what = rest.join(" ");
    if (kind === "stack") this.stack(what);
    else if (kind === "target") this.target(what);
    else if (kind === "unit") this.units([what], [what], what);
    else if (kind === "open") this.opened(this.orders.open[Number(what)]);
    else this.drop();
  }

  drop(quiet = false) {
    this.choose({}, "", "Tap a marked stack, or choose one in the list.", []);
    if (!quiet) say("");
  }

  choose(choice, who, told, parts) {
    const mark = (part) => `${part.tagName} ${part.type === "checkbox" ? part.parentNode.textContent : part.id || part.textContent}`;
    const held = $("card").contains(document.activeElement) ? mark(document.activeElement) : "";
    this.choice = choice;
    $("who").value = who;
    $("told").textContent = told;
    $("card").replaceChildren(...parts);
    for (const held of $("deck").children) held.setAttribute("aria-pressed", String(held.dataset.card === choice.card));
    // Who goes by keyboard stays where he was, or begins anew.
    if (held) ([...$("card").querySelectorAll("button, input, select")].find((part) => mark(part) === held) || $("who")).focus();
    this.shown();
  }

  // A hex was tapped: a lit one is ordered, otherwise it is looked at.
  tap(place) {
    const { choice } = this;
    if (choice.begun && choice.places.includes(place)) this.go(choice.begun, place);
    else if (this.orders.stacks.has(place)) this.stack(place);
    else if (this.orders.targets.has(place)) this.target(place);
    else this.look(place);
  }

  look(place) {
    const there = this.orders.at(place).map((id) => this.unitText(id)).join("; ");
    const foe = this.orders.at(place).some((id) => !this.orders.own(id));
    this.choose({ place }, "", `${this.orders.named(place)}: ${there || "nobody"}.`, foe ? this.near(place) : []);
  }

  stack(place, preferred = "") {
    const ids = this.orders.stacks.get(place);
    this.units(this.party(ids.filter((id) => !this.sheet.ordered(id))), ids, `stack ${place}`, preferred);
  }

  // The whole stack if there is a line for it, else as many of it as there is one for.
  party(ids) {
    const fits = (entry) => entry.units.length && entry.units.every((id) => ids.includes(id));
    const begun = this.orders.begun.filter(fits), lines = begun.length ? begun : this.orders.whole.filter(fits);
    const best = lines.reduce((most, entry) => (entry.units.length > most.length ? entry.units : most), []);
    return best.length ? ids.filter((id) => best.includes(id)) : ids.slice(0, 1);
  }

  units(chosen, ids, who, preferred = "") {
    const place = this.orders.where[ids[0]], { orders } = this;
    const begun = orders.exact(orders.begun, chosen), lines = begun.length || chosen.length < 2 ? begun : orders.common(chosen);
    const active = lines.find((entry) => entry.word === preferred) || lines[0];
    const parts = [this.chips(ids, chosen, (id, on) => this.units(ids.filter((one) => (one === id ? on : chosen.includes(one))), ids, who, preferred))];
    if (lines.length) {
      parts.push(group("What", lines.map((entry) => {
        const made = button(`${entry.word} (${entry.places.length})`, () => this.units(chosen, ids, who, entry.word));
        made.setAttribute("aria-pressed", String(entry === active));
        return made;
      })));
      parts.push(this.where(active));
      if (active.unsure) parts.push(note("These have no line together: each of them may go there; whether all may, only the referee can tell. Check first."));
    }
    parts.push(...this.ready(orders.exact(orders.whole, chosen)), ...this.joins(chosen));
    const told = `${place ? `${orders.named(place)}: ` : ""}${chosen.map((id) => this.unitText(id)).join("; ") || "nobody chosen"}.`;
    const choice = { place, begun: active, places: active && active.onMap ? active.places : null, unsure: active && active.unsure };
    this.choose(choice, who, told, parts);
    if (choice.places) say(`${chosen.join(", ")}: ${active.word} to a lit hex, as the map stands now.`);
  }

  // What units may take part in: attacks on hexes, and lines that gather units.
  joins(chosen) {
    const takes = (entry) => entry.ofUnits && chosen.some((id) => entry.values.includes(id));
    const found = [...this.orders.exact(this.orders.gather, chosen).filter((entry) => entry.units.length), ...this.orders.gather.filter(takes)];
    if (!found.length) return [];
    return [group("Takes part in", found.map((entry) => {
      const column = typeof entry.table === "object" && entry.table[entry.fullest] != null ? ` (${this.data.results[entry.table[entry.fullest]][0]})` : "";
      const words = `${this.orders.line(entry.verb, entry.given)}${column} \u2026`;
      return button(words, () => (entry.hexes.length ? this.target(entry.hexes[0], entry) : this.opened(entry, takes(entry) ? chosen : [])));
    }))];
  }

  // A card: lines with it as they stand, and lines that want something more.
  play(card, wanted = null) {
    const { orders } = this, names = (entry) => entry.cards.includes(card);
    const longer = [...orders.begun, ...orders.gather].filter(names), active = longer.includes(wanted) ? wanted : longer[0];
    const without = (given) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== card));
    const parts = this.ready(orders.whole.filter(names));
    if (longer.length) {
      parts.push(group("What", longer.map((entry) => {
        const many = (entry.places || entry.values).length, made = button(`${orders.line(entry.verb, without(entry.given))} (${many})`, () => this.play(card, entry));
        made.setAttribute("aria-pressed", String(entry === active));
        return made;
      })));
      parts.push(active.values ? this.gathering(active, orders.line(active.verb, without(active.given), active.field)) : this.where(active));
    }
    if (!parts.length) parts.push(note("Nothing can be ordered with it now."));
    this.choose({ card, begun: active && active.places ? active : null, places: active && active.onMap ? active.places : null }, "", this.data.hand.cards[card][1], parts);
    if (active && active.onMap) say(`${card}: ${active.word} at a lit hex.`);
  }

  // A line that wants one thing more: a place of the lit ones, or a word.
  where(entry) {
    const list = element("select", { id: "where" }, ...entry.places.map((place) => element("option", { value: place }, entry.onMap ? this.orders.named(place) : place)));
    return element("div", { class: "row" }, element("label", { for: "where" }, entry.onMap ? "Where" : "Which"), list, button("Order it", () => this.go(entry, list.value)));
  }

  go(entry, place) {
    const from = this.choice.place, put = Object.values(this.sheet.put()).filter((there) => there === place).length;
    const text = this.orders.line(entry.verb, { ...entry.given, [entry.field]: place });
    this.write(entry, text, { to: entry.onMap ? place : "", ghost: entry.onMap && entry.units.length > 0, unsure: entry.unsure });
    if (put) say(`Written: ${text}. You have put ${count(put, "unit")} into ${place} before: whether all find room, the referee can tell.`);
    const left = (this.orders.stacks.get(from) || []).filter((id) => !this.sheet.ordered(id));
    const said = $("said").textContent;
    if (left.length) this.stack(from, entry.word); else this.drop(true);
    say(said);
  }

  // -- a hex that lines are about

  target(place, wanted = null) {
    const entries = this.orders.targets.get(place), gathers = entries.filter((entry) => entry.values);
    const active = wanted || gathers[0], who = this.orders.at(place).map((id) => this.unitText(id)).join(", ");
    const parts = [];
    if (gathers.length > 1) {
      parts.push(group("What", gathers.map((entry) => {
        const made = button(entry.word, () => this.target(place, entry));
        made.setAttribute("aria-pressed", String(entry === active));
        return made;
      })));
    }
    if (active) parts.push(this.gathering(active, who ? `${place}: ${who}` : this.orders.named(place)));
    parts.push(...this.ready(entries.filter((entry) => !entry.values)), ...this.near(place));
    this.choose({ place }, this.orders.stacks.has(place) ? "" : `target ${place}`, `${this.orders.named(place)}: ${who || "nobody"}.`, parts);
  }

  opened(entry, ticked = []) {
    const n = this.orders.open.indexOf(entry), who = n < 0 ? `stack ${this.orders.where[entry.units[0]]}` : `open ${n}`, told = `${this.data.verbs[entry.verb][1]}. ${this.data.verbs[entry.verb][2]}`;
    if (entry.values) this.choose({}, who, told, [this.gathering(entry, this.orders.line(entry.verb, entry.given, entry.field), ticked)]);
    else this.choose({ begun: entry, places: entry.onMap ? entry.places : null }, who, told, [this.where(entry)]);
  }

  // Things to tick, what they come to, and the line as a button.
  gathering(entry, title, ticked = []) {
    const free = (n) => !this.sheet.ordered(entry.values[n]);
    let chosen = ticked.map((id) => entry.values.indexOf(id)).filter((n) => n >= 0).sort((a, b) => a - b);
    if (!ticked.length && entry.fullest && entry.hexes.length) {
      const all = entry.fullest.split(".").map(Number).filter(free);
      chosen = this.orders.outcome(entry, all) ? all : [];
    }
    const outcome = element("div", { "aria-live": "polite" });
    const show = () => outcome.replaceChildren(...this.outcome(entry, chosen));
    const chips = this.chips(entry.values, chosen.map((n) => entry.values[n]), (value, on) => {
      const n = entry.values.indexOf(value);
      chosen = on ? [...chosen, n].sort((a, b) => a - b) : chosen.filter((one) => one !== n);
      show();
    }, !entry.ofUnits);
    show();
    return element("div", { class: "target" }, element("h3", {}, title), chips, outcome);
  }

  outcome(entry, chosen) {
    const found = this.orders.outcome(entry, chosen), text = this.orders.said(entry, chosen);
    if (!found) return [note(chosen.length ? "That may not be ordered as the map stands now." : "Tick whom or what it shall be.")];
    const result = found.result === null ? null : this.data.results[found.result];
    const units = entry.ofUnits ? chosen.map((n) => entry.values[n]) : [];
    const made = button(text, () => this.write({ ...entry, units: [...entry.units, ...units] }, text, { to: entry.hexes[0] || "", result, unsure: found.unsure }), "wide strong");
    const parts = result ? this.odds(result) : [];
    if (found.unsure) parts.push(note("So many at once were not worked out: only the referee can tell. Check first."));
    const edit = button("Go on by hand", () => { $("hand").value = text; $("hand").focus(); }); // what else the line may have
    return [...parts, made, edit, ...(result ? [note("As the map stands now; what your earlier lines change, only the referee can tell.")] : [])];
  }

  odds([column, , sentence, chances]) {
    const bars = chances.flatMap(([name, words, part]) => [element("span", {}, name), bar(part), element("span", {}, words)]);
    return [element("div", { class: "odds" }, element("b", {}, column), element("p", {}, sentence)), element("div", { class: "bars" }, ...bars)];
  }

  // Lines as they stand, those with odds with their odds.
  ready(entries) {
    return entries.flatMap((entry) => {
      const text = this.orders.line(entry.verb, entry.given), result = entry.result === null ? null : this.data.results[entry.result];
      const made = button(text, () => this.write(entry, text, { to: entry.hexes[0] || "", result }), "wide");
      return result ? [made, note(`${result[0]}: ${result[1] || result[3].map(([name, words]) => `${name} ${words}`).join(", ")}`)] : [made];
    });
  }

  // Who of one's own stands next to a hex, and who could come there.
  near(place) {
    const around = this.orders.nextTo(place), next = Object.keys(this.orders.where).filter((id) => this.orders.own(id) && around.includes(this.orders.where[id]));
    const come = new Set(this.orders.begun.filter((entry) => entry.onMap && around.some((hex) => entry.places.includes(hex))).flatMap((entry) => entry.units));
    next.forEach((id) => come.delete(id));
    const told = [[next, "Next to it"], [[...come], "Could come next to it"]].filter(([ids]) => ids.length);
    return told.length ? [element("ul", {}, ...told.map(([ids, words]) => element("li", {}, `${words}: ${ids.join(", ")}`)))] : [];
  }

  // -- small parts

  write(entry, text, { to = "", ghost = false, result = null, unsure = false } = {}) {
    const odds = result ? `${result[0]}${result[1] ? `: ${result[1]}` : ""}` : "";
    this.sheet.add({ text, units: entry.units, to, ghost, note: unsure ? "only the referee can tell: check first" : odds });
  }

  chips(ids, chosen, changed, bare = false) {
    const name = bare ? "What" : "Units";
    return element("div", { class: "group", role: "group", "aria-label": name }, ...ids.map((id) => {
      const tick = element("input", { type: "checkbox" });
      tick.checked = chosen.includes(id);
      tick.addEventListener("change", () => changed(id, tick.checked));
      const unit = bare ? undefined : this.data.units[id];
      const face = unit ? [svg("svg", { viewBox: "-38 -38 76 76", "aria-hidden": "true" }, svg("use", { href: `#${this.face(id)}` }))] : [];
      return element("label", { class: this.sheet.ordered(id) ? "chip given" : "chip", title: unit ? unit.name : null }, tick, ...face, element("span", {}, id));
    }));
  }

  face(id) {
    const { faces } = this.data.units[id], { lost, unsure } = this.data.position;
    return `${faces[Math.min(lost[id] || 0, faces.length - 1)]}${unsure[id] ? `-${unsure[id][0]}` : ""}`;
  }

  unitText(id) {
    const { values } = this.data.units[id], { lost, unsure } = this.data.position;
    if (unsure[id] === "unknown") return `${id} (strength not known)`;
    const figures = values[Math.min(lost[id] || 0, values.length - 1)].replace(/[()]/g, "");
    return `${id} (${figures}${unsure[id] ? ", as last seen" : ""})`;
  }
}

const note = (words) => element("p", { class: "small" }, words);

const group = (label, buttons) => element("div", { class: "group", role: "group", "aria-label": label }, ...buttons);

function button(words, act, name = "") {
  const made = element("button", name ? { type: "button", class: name } : { type: "button" }, words);
  made.addEventListener("click", act);
  return made;
}

function bar(part) {
  const made = element("span", {}, element("i", {}));
  made.firstChild.style.width = `${Math.max(1, 100 * part)}%`;
  return made;
}
