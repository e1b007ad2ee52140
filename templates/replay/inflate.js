// The log is packed (raw DEFLATE, base64): unpacked here, as not every mail reader's browser can do it by itself.
function unpacked(base64) {
  const letters = atob(base64.trim()), packed = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) packed[i] = letters.charCodeAt(i);
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(inflate(packed));
}

function inflate(source) {
  let out = new Uint8Array(source.length * 8 + 1024), length = 0, at = 0, held = 0, count = 0;
  const bits = (wanted) => {
    while (count < wanted) {
      if (at >= source.length) throw new RangeError("the packed log is cut off");
      held |= source[at++] << count;
      count += 8;
    }
    const value = held & ((1 << wanted) - 1);
    held >>>= wanted;
    count -= wanted;
    return value;
  };
  const put = (byte) => {
    if (length === out.length) { const more = new Uint8Array(2 * length); more.set(out); out = more; }
    out[length++] = byte;
  };
  const symbol = ({ counts, symbols }) => {
    let code = 0, first = 0, index = 0;
    for (let size = 1; size < 16; size++) {
      code |= bits(1);
      const many = counts[size];
      if (code - many < first) return symbols[index + code - first];
      index += many;
      first = (first + many) << 1;
      code <<= 1;
    }
    throw new RangeError("the packed log is damaged");
  };
  const copy = (literals, distances) => {
    for (let found = symbol(literals); found !== 256; found = symbol(literals)) {
      if (found < 256) { put(found); continue; }
      let many = LENGTHS[0][found - 257] + bits(LENGTHS[1][found - 257]);
      const code = symbol(distances), back = DISTANCES[0][code] + bits(DISTANCES[1][code]);
      for (; many; many--) put(out[length - back]);
    }
  };
  for (let last = 0; !last;) {
    last = bits(1);
    const kind = bits(2);
    if (kind === 0) {
      held = count = 0;
      const many = source[at] | (source[at + 1] << 8);
      at += 4;
      for (let i = 0; i < many; i++) put(source[at++]);
    } else if (kind === 1) copy(FIXED, FIXED_DISTANCES);
    else copy(...codes(bits, symbol));
  }
  return out.subarray(0, length);
}

function table(sizes) {
  const counts = new Uint16Array(16), starts = new Uint16Array(16), symbols = new Uint16Array(sizes.length);
  for (const size of sizes) counts[size]++;
  counts[0] = 0;
  for (let size = 1; size < 16; size++) starts[size] = starts[size - 1] + counts[size - 1];
  sizes.forEach((size, value) => { if (size) symbols[starts[size]++] = value; });
  return { counts, symbols };
}

function codes(bits, symbol) {
  const literals = bits(5) + 257, distances = bits(5) + 1, given = bits(4) + 4;
  const order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15], first = Array(19).fill(0);
  for (let i = 0; i < given; i++) first[order[i]] = bits(3);
  const lengths = table(first), sizes = [];
  while (sizes.length < literals + distances) {
    const found = symbol(lengths);
    if (found < 16) sizes.push(found);
    else if (found === 16) sizes.push(...Array(3 + bits(2)).fill(sizes[sizes.length - 1]));
    else sizes.push(...Array(found === 17 ? 3 + bits(3) : 11 + bits(7)).fill(0));
  }
  return [table(sizes.slice(0, literals)), table(sizes.slice(literals))];
}

// Where each code of a length or distance begins, and how many bits more it has.
function ranges(start, more) {
  const from = [];
  more.reduce((next, extra, i) => { from[i] = next; return next + (1 << extra); }, start);
  return [from, more];
}
const LENGTHS = ranges(3, Array.from({ length: 28 }, (_, i) => (i < 8 ? 0 : (i >> 2) - 1)));
LENGTHS[0][28] = 258;
LENGTHS[1][28] = 0;
const DISTANCES = ranges(1, Array.from({ length: 30 }, (_, i) => (i < 4 ? 0 : (i >> 1) - 1)));
const FIXED = table(Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8)));
const FIXED_DISTANCES = table(Array(30).fill(5));
