// Arrays of pages are deflated (RFC 1951). Browsers can undo that themselves, but only for those who wait, and older ones
// not at all; this does it at once.

/** A Huffman code as a table: what the next `wide` bits mean, symbol * 16 + bits it takes; 0: nothing. */
interface Code { wide: number; table: Uint16Array }

function codeOf(sizes: Uint8Array): Code {
  const wide = Math.max(1, ...sizes), table = new Uint16Array(1 << wide);
  for (let size = 1, next = 0; size <= wide; size++, next <<= 1)
    for (let symbol = 0; symbol < sizes.length; symbol++) {
      if (sizes[symbol] !== size) continue;
      let turned = 0;
      for (let b = 0; b < size; b++) turned |= ((next >> b) & 1) << (size - 1 - b);
      for (let at = turned; at < table.length; at += 1 << size) table[at] = symbol * 16 + size;
      next++;
    }
  return { wide, table };
}

const lengthFrom = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258];
const lengthBits = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const farFrom = [1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577];
const order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** The bytes of a stream of blocks with codes of their own, which are the only ones that carom writes; throws where it is damaged. */
export function inflate(from: Uint8Array, count: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(count), damaged = () => new Error("the page is damaged: an array cannot be unpacked");
  let held = 0, nheld = 0, at = 0, filled = 0;
  const fill = () => { // at least 25 bits: more than any code or number takes
    for (; nheld < 25; nheld += 8) held |= (at < from.length ? from[at] : 0) << nheld, at++;
    if (at > from.length + 4) throw damaged();
  };
  const bits = (n: number) => {
    if (nheld < n) fill();
    const value = held & ((1 << n) - 1);
    held >>>= n, nheld -= n;
    return value;
  };
  const symbol = (code: Code) => {
    if (nheld < code.wide) fill();
    const entry = code.table[held & (code.table.length - 1)], size = entry & 15;
    if (size === 0) throw damaged();
    held >>>= size, nheld -= size;
    return entry >> 4;
  };
  for (let last = 0; !last;) {
    last = bits(1);
    if (bits(2) !== 2) throw damaged();
    const literals = bits(5) + 257, all = literals + bits(5) + 1, few = new Uint8Array(19), sizes = new Uint8Array(all);
    for (let i = 0, n = bits(4) + 4; i < n; i++) few[order[i]] = bits(3);
    const code = codeOf(few);
    for (let i = 0; i < all;) {
      const s = symbol(code);
      if (s === 16) throw damaged();
      if (s < 16) sizes[i++] = s;
      else i += s === 17 ? bits(3) + 3 : bits(7) + 11;
    }
    const literal = codeOf(sizes.subarray(0, literals)), distance = codeOf(sizes.subarray(literals));
    for (const { wide, table } = literal, mask = table.length - 1;;) {
      if (nheld < wide) fill();
      const entry = table[held & mask], size = entry & 15, s = entry >> 4; // symbol(), written out: most of the time is spent here
      if (size === 0) throw damaged();
      held >>>= size, nheld -= size;
      if (s < 256) {
        if (filled >= count) throw damaged();
        out[filled++] = s;
        continue;
      }
      if (s === 256) break;
      const length = lengthFrom[s - 257] + bits(lengthBits[s - 257]), d = symbol(distance);
      const far = farFrom[d] + bits(d < 4 ? 0 : (d >> 1) - 1);
      if (!(far <= filled) || !(filled + length <= count)) throw damaged();
      if (far === 1) out.fill(out[filled - 1], filled, filled += length);
      else for (let i = 0; i < length; i++, filled++) out[filled] = out[filled - far];
    }
  }
  if (filled !== count) throw damaged();
  return out;
}

/** Numbers of `size` bytes each whose first bytes come first, then all second ones, as they were. */
export function unshuffle(bytes: Uint8Array<ArrayBuffer>, size: number): Uint8Array<ArrayBuffer> {
  if (size === 1) return bytes;
  const out = new Uint8Array(bytes.length), count = bytes.length / size, words = size / 4;
  if (size === 2) for (let i = 0; i < count; i++) out[2 * i] = bytes[i], out[2 * i + 1] = bytes[count + i];
  const word = size === 2 ? null : new Uint32Array(out.buffer); // four bytes at once: a page is little-endian, and says so elsewhere
  for (let w = 0; word && w < words; w++)
    for (let i = 0, a = 4 * w * count, b = a + count, c = b + count, d = c + count; i < count; i++)
      word[words * i + w] = bytes[a + i] | (bytes[b + i] << 8) | (bytes[c + i] << 16) | (bytes[d + i] << 24);
  return out;
}
