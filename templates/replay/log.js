// The log inside the page: its lines, its items, and whether it is what was written.

// JSON as the log writes it, byte for byte: keys in the order of their code points, no spaces, numbers as they stand.
// Gives {value, text} and, for an object, its members' own {value, text}.
function scan(source) {
  let at = 0;
  const spaces = /[ \t\n\r]*/y, quoted = /"(?:[^"\\]|\\.)*"/y, word = /[-+.0-9A-Za-z]+/y;
  const fail = () => { throw new SyntaxError(`no JSON at ${at}`); };
  const take = (pattern) => {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (!found) fail();
    at = pattern.lastIndex;
    return found[0];
  };
  const next = (char) => { take(spaces); if (source[at] !== char) return false; at++; return true; };
  const string = () => { const value = JSON.parse(take(quoted)); return { value, text: JSON.stringify(value) }; };
  const list = (end, one) => {
    if (next(end)) return;
    do one(); while (next(","));
    if (!next(end)) fail();
  };
  function node() {
    if (next("{")) {
      const members = {};
      list("}", () => { take(spaces); const key = string().value; if (!next(":")) fail(); members[key] = node(); });
      return object(members);
    }
    if (next("[")) {
      const found = [];
      list("]", () => found.push(node()));
      return { value: found.map((one) => one.value), text: `[${found.map((one) => one.text).join(",")}]` };
    }
    if (source[at] === '"') return string();
    const text = take(word);
    return { value: JSON.parse(text), text };
  }
  const found = node();
  take(spaces);
  if (at !== source.length) fail();
  return found;
}

function object(members) {
  const keys = Object.keys(members).sort(byCodePoint);
  const text = `{${keys.map((key) => `${JSON.stringify(key)}:${members[key].text}`).join(",")}}`;
  return { value: Object.fromEntries(keys.map((key) => [key, members[key].value])), text, members };
}

function byCodePoint(a, b) {
  const one = Array.from(a), other = Array.from(b);
  for (let i = 0; i < one.length && i < other.length; i++) {
    const difference = one[i].codePointAt(0) - other[i].codePointAt(0);
    if (difference) return difference;
  }
  return one.length - other.length;
}

const canonical = (value) => scan(JSON.stringify(value)).text;

// What happened in a line, as far as this copy has it: [kind, body, audience] each.
function itemsOf(line) {
  const sealed = line.parts.none;
  if (sealed && sealed.length && sealed[0][1] === "order") {
    const left = {};
    for (const audience of Object.keys(line.parts)) left[audience] = audience === "none" ? 1 : 0;
    return sealed[0][2].of.map((audience) => {
      const [, kind, body] = line.parts[audience][left[audience]++];
      return [kind, body, audience];
    });
  }
  const placed = [];
  for (const [audience, part] of Object.entries(line.parts)) {
    for (const [place, kind, body] of part) placed.push([place, audience === "all" ? 1 : 0, [kind, body, audience]]);
  }
  placed.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  return placed.map((entry) => entry[2]);
}

const readableBy = (audience, reader) =>
  reader === "*" || audience === "all" || (reader !== "" && audience !== "none" && audience.split("+").includes(reader));

// Everything wrong with the log: [line, what] each. Without the secret, what a reader was given is checked.
function faultsOf(texts) {
  const faults = [];
  const nodes = texts.map((text, n) => {
    try { return scan(text); } catch (error) { faults.push([n, "it cannot be read"]); return null; }
  });
  const last = nodes[nodes.length - 1];
  const secret = last && last.value.secret ? unhex(last.value.secret) : null;
  const header = nodes[0] && nodes[0].value;
  if (!header || header.format === undefined) return [...faults, [0, "there is no header"]];
  if (secret && hex(sha256(secret)) !== header.commit) {
    faults.push([nodes.length - 1, "the secret revealed is not the one committed to"]);
  }
  let before = "0".repeat(64);
  const rolls = {};
  nodes.forEach((node, n) => {
    if (!node) { before = null; return; }
    try {
      for (const what of lineFaults(node, n, before, header, secret)) faults.push([n, what]);
      if (secret) for (const what of diceFaults(node.value, header, secret, rolls)) faults.push([n, what]);
    } catch (error) {
      faults.push([n, "it does not have the form of a line"]);
    }
    before = node.value.hash;
  });
  return faults;
}

function* lineFaults(node, n, before, header, secret) {
  const line = node.value;
  if (line.n !== n) yield `it is numbered ${line.n}`;
  if (before !== null && line.prev !== before) yield "it does not follow from the line before it";
  const covered = { ...node.members };
  for (const key of ["parts", "salts", "hash"]) delete covered[key];
  if (hex(sha256(utf8(object(covered).text))) !== line.hash) yield "it is not what its hash says";
  for (const [audience, part] of Object.entries(node.members.parts.members)) {
    const salt = line.salts ? unhex(line.salts[audience])
      : secret && hmac(secret, utf8(`salt|${header.game}|${n}|${audience}`));
    if (salt && hex(sha256(joined(salt, utf8(part.text)))) !== line.seals[audience]) {
      yield `the part for ${audience} is not the one sealed`;
    }
  }
}

function* diceFaults(line, header, secret, rolls) {
  const nonces = Object.keys(header.nonces).sort(byCodePoint).map((side) => [side, header.nonces[side]]);
  for (const [stream, k] of Object.entries(line.skip || {})) {
    const highest = stream ? rolls[stream] || 0 : Math.max(0, ...Object.values(rolls));  // "" stands for all
    if (k < highest) yield `it skips to roll ${k} of ${stream || "all"}, which was rolled before`;
    rolls[stream] = Math.max(rolls[stream] || 0, k);
  }
  for (const [kind, body] of itemsOf(line)) {
    if (kind !== "roll") continue;
    const { stream, k, sides, value, of, shuffle } = body;
    if (of) {
      const skipped = rolls[""] ? `/${rolls[""]}` : "";
      if (onTop(secret, header.game, nonces, `${stream.replace(/^pile /, "")}/${shuffle}${skipped}`, of) !== value) yield `another card lay on top of ${stream}`;
      continue;
    }
    rolls[stream] = Math.max(rolls[stream] || 0, rolls[""] || 0) + 1;
    if (k !== rolls[stream]) yield `roll ${k} of ${stream} should be roll ${rolls[stream]}`;
    if (rollValue(secret, header.game, nonces, stream, k, sides) !== value) yield `roll ${k} of ${stream} was not ${value}`;
  }
}

// The place of the card of lowest rank: a pile is kept nowhere, the secret ranks it.
function onTop(secret, game, nonces, shuffle, cards) {
  const ranks = cards.map((card) => hex(hmac(secret, utf8(canonical(["rank", game, nonces, shuffle, card])))));
  return ranks.indexOf(ranks.reduce((least, rank) => (rank < least ? rank : least))) + 1;
}

function rollValue(secret, game, nonces, stream, k, sides) {
  const span = 1n << 256n, fair = span - (span % BigInt(sides));
  for (let attempt = 0; ; attempt++) {
    const number = BigInt("0x" + hex(hmac(secret, utf8(canonical(["roll", game, nonces, stream, k, attempt])))));
    if (number < fair) return Number(number % BigInt(sides)) + 1;
  }
}
