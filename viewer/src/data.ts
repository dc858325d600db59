// What the page carries: the JSON that carom wrote, and the arrays it names.
import { inflate, unshuffle } from "./inflate";

interface Ref { blob: number; type: string; count: number; packed?: boolean; offset?: number; scale?: number }
export type Numbers = Float64Array | Float32Array | Int32Array | Uint32Array | Uint8Array;

interface ItemText {
  path: string; name: string; unit: string; extent: string; width: number; depth: number;
  largest?: number; // of the sizes of what belongs together, such as speeds, over all samples of the file
  all?: Ref;
  series?: { stretch: number; columns: number[]; array: Ref };
  blocks?: { tall: number; wide: number; down: number; across: number; array: Ref };
  frames?: { tall: number; wide: number; down: number; across: number; array: Ref };
}

export interface RunText {
  type: "run"; file: string; title: string; scene: string; set: string; units: string; command: string; scheme: string;
  version: string; seed: number | string; complete: boolean; busy: boolean; rows: number; contacts: number; first?: number;
  counts: Record<string, number>; theory?: string; laws?: string[]; scales?: Record<string, number>; no_scene?: string; episodes?: any; finer?: number; promised?: number; stated?: number; unbalanced?: string; remarks?: string[]; notes?: string[];
  shape?: any; touches?: any; fields?: any; listed?: boolean; pairs?: Ref; time: { stride: number; end: number; array: Ref }; events: any; impacts?: any; items: ItemText[];
}
export interface TextEntry { type: "text"; file: string; text: string; cut: boolean }
export interface DataEntry { type: "data"; file: string; arrays: { path: string; unit: string; shape: number[]; array?: Ref }[]; texts: Record<string, string> }
export interface BrokenEntry { type: "broken"; file: string; reason: string }
export type Entry = RunText | TextEntry | DataEntry | BrokenEntry;
export interface PageText { format: number; program: string; title: string; entries: Entry[]; growing?: boolean }

const little = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const native = (Uint8Array as any).fromBase64; // far faster, where there is one
  if (native) return native.call(Uint8Array, text);
  const binary = atob(text), bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** Where arrays come from: elements of this page or, while a run grows, of a newer one. */
const cache = new Map<number, Numbers>();
let source: Document = document;

export function replaceSource(newer: Document): void {
  cache.clear();
  source = newer;
}

export function array(ref: Ref): Numbers {
  const known = cache.get(ref.blob);
  if (known) return known;
  const element = source.getElementById(`blob-${ref.blob}`);
  const text = bytesOf(element?.textContent ?? "");
  const size = { f64: 8, f32: 4, i16: 2, i32: 4, u32: 4, u8: 1 }[ref.type];
  if (!little) throw new Error("this page needs a little-endian machine");
  const bytes = ref.packed && size !== undefined ? unshuffle(inflate(text, ref.count * size), size) : text;
  if (size === undefined || bytes.length !== ref.count * size) throw new Error("the page is damaged: an array is not as long as it should be");
  let values: Numbers;
  if (ref.type === "i16") {
    const whole = new Int16Array(bytes.buffer);
    values = new Float32Array(ref.count);
    for (let i = 0; i < ref.count; i++) values[i] = whole[i] === -32768 ? NaN : (ref.offset ?? 0) + (ref.scale ?? 1) * whole[i];
  } else {
    const kinds = { f64: Float64Array, f32: Float32Array, i32: Int32Array, u32: Uint32Array, u8: Uint8Array };
    values = new kinds[ref.type as keyof typeof kinds](bytes.buffer);
  }
  cache.set(ref.blob, values);
  element?.remove(); // the text has done its work
  return values;
}

/** A line for a plot: times and values; NaN where there is nothing. */
export interface Line { x: Float64Array; y: ArrayLike<number> }

/** A matrix over time and bodies for maps and moving pictures: row r stands for the samples around row r * tall. */
export interface Grid { down: number; across: number; tall: number; wide: number; values: ArrayLike<number>; reduced: boolean }

/** What each body has that is part of one mechanism, by how many numbers it has: in the plane, and in space velocities and places. */
const placed: Record<number, string[]> = { 3: ["x", "y", "angle"], 6: ["x", "y", "z", "spin x", "spin y", "spin z"], 7: ["x", "y", "z", "turn w", "turn x", "turn y", "turn z"] };

export class Item {
  readonly path: string; readonly name: string; readonly unit: string; readonly extent: string;
  readonly width: number; readonly depth: number;
  constructor(readonly run: Run, private readonly text: ItemText) {
    ({ path: this.path, name: this.name, unit: this.unit, extent: this.extent, width: this.width, depth: this.depth } = text);
  }

  /** The largest speed, displacement, ... in any sample of the file, be it on the page or not. */
  get largest(): number { return this.text.largest ?? 0; }

  /** Is every number of the run file here? In which precision? */
  get whole(): boolean { return this.text.all !== undefined; }
  get exact(): boolean { return this.text.all?.type === "f64"; }

  /** What was done to make it fit, for people; empty if nothing was. */
  get note(): string {
    const t = this.text;
    if (t.all) return t.all.type === "f64" ? "" : "all samples are here, rounded to 7 digits";
    const parts: string[] = [];
    if (t.series) parts.push(`${t.series.columns.length} of ${this.width} columns through all time` +
      (t.series.stretch > 1 ? `, as smallest and largest of every ${t.series.stretch} samples` : ", rounded to 7 digits"));
    if (t.blocks) parts.push(`maps show the value farthest from zero of every ${t.blocks.wide} neighbours × ${t.blocks.tall} samples`);
    if (t.frames) parts.push(this.pictureNote);
    return parts.join("; ");
  }

  /** The same, of pictures alone. */
  get pictureNote(): string {
    const { frames } = this.text;
    if (!frames) return this.whole ? this.note : "";
    return `pictures show every ${frames.tall > 1 ? `${ordinal(frames.tall)} ` : ""}sample${this.solid ? " of the cells at the surface" : ""}, in 16 bits`;
  }

  /** The solid whose cells these numbers are of, as the page describes it. */
  get solid(): any { return this.run.shape?.solids?.find((text: any) => this.path.startsWith(`particles/${text.part}/`)); }

  /** Names of the coordinates of each body, where bodies are one mechanism; undefined of all else. */
  get coordinates(): string[] | undefined {
    const moving: number[] | undefined = this.path.match(/^particles\/mechanism\/(displacement|velocity)$/) ? this.run.shape?.moving : undefined;
    return moving && placed[this.width / moving.length];
  }

  /** Coordinates of machines may be angles, which files do not say. */
  get shownUnit(): string {
    if (this.name === "spin" && this.unit === "1/s") return "rad/s";
    const names: string[] | undefined = !this.path.startsWith("particles/mechanism/") ? undefined : this.coordinates ?? this.run.shape?.coordinates;
    if (!names || this.unit === "1" || this.unit === "") return this.unit;
    const angles = names.filter((name) => /angle|tilt|turn/.test(name)).length, rate = this.unit.endsWith("/s") ? "/s" : "";
    return angles === 0 ? this.unit : angles === names.length ? `rad${rate}` : `${this.unit}, rad${rate}`;
  }

  /** Columns whose history is here. */
  columns(): number[] {
    if (this.text.series) return this.text.series.columns;
    return Array.from({ length: this.width }, (_, i) => i);
  }

  /** One number of the run file, NaN if the page does not carry it. */
  value(row: number, column: number): number {
    if (this.text.all) return array(this.text.all)[row * this.width + column];
    const s = this.text.series, at = s ? s.columns.indexOf(column) : -1;
    return s && s.stretch === 1 && at >= 0 ? array(s.array)[at * this.run.rows + row] : NaN;
  }

  line(column: number): Line {
    const rows = this.run.rows;
    if (this.text.all) {
      const values = array(this.text.all);
      if (this.width === 1) return { x: this.run.times, y: values };
      const y = new Float64Array(rows);
      for (let i = 0; i < rows; i++) y[i] = values[i * this.width + column];
      return { x: this.run.times, y };
    }
    const s = this.text.series;
    const at = s ? s.columns.indexOf(column) : -1;
    if (!s || at < 0) return { x: new Float64Array(0), y: [] };
    const values = array(s.array);
    if (s.stretch === 1) return { x: this.run.times, y: values.subarray(at * rows, (at + 1) * rows) };
    const x = this.run.stretched(s.stretch);
    return { x, y: values.subarray(at * x.length, (at + 1) * x.length) };
  }

  /** Is there a grid? Told without unpacking it. */
  get gridded(): boolean { return (this.text.all ?? this.text.blocks ?? this.text.frames) !== undefined; }

  grid(): Grid | null {
    const t = this.text;
    if (t.all) return { down: this.run.rows, across: this.width, tall: 1, wide: 1, values: array(t.all), reduced: false };
    const b = t.blocks ?? t.frames;
    return b ? { down: b.down, across: b.across, tall: b.tall, wide: b.wide, values: array(b.array), reduced: true } : null;
  }

  /** Are these the cells that can be seen only, instead of all that were recorded? */
  get seenOnly(): boolean { return this.text.frames !== undefined; }

  /** The same columns, of another quantity that was worked out from them. */
  as(name: string, unit: string): Item {
    return new Item(this.run, { ...this.text, name, unit });
  }

  /** Columns as people number them. */
  label(column: number): string {
    const depth = Math.max(1, this.depth), body = Math.floor(column / depth);
    const axis = depth > 1 ? ` ${axisName(this.name, depth, column % depth)}` : "";
    if (this.extent === "run" || this.extent === "sensor") return this.path.startsWith("observables/solids/") ? this.name.replaceAll("_", " ") : this.name;
    if (this.extent === "region") return this.width > 1 ? axisName(this.name, this.width, column) : this.name;
    if (this.extent === "contact") return `contact ${this.run.contactName(column)}`;
    if (this.path.startsWith("particles/sensors/")) return `${this.run.shape?.sensors?.[body] ?? `sensor ${body + 1}`}${axis}`;
    if (this.solid) return `${this.solid.name ? `${this.solid.name} ` : ""}cell ${body + 1}${axis}`;
    if (this.path.startsWith("particles/bodies/")) return `${this.run.bodyName(body)}${axis}`;
    if (this.path.startsWith("particles/balls/")) return `${this.run.ballName(body)}${axis}`;
    if (this.path.startsWith("particles/links/")) return `link ${body + 1}`;
    if (this.path.startsWith("particles/joints/")) return `joint ${body + 1}${axis}`;
    if (this.path.startsWith("particles/clamps/")) return `${this.run.shape?.holds?.[body] ?? `clamp or drive ${body + 1}`}${axis}`;
    const moving: number[] | undefined = this.path.startsWith("particles/mechanism/") ? this.run.shape?.moving : undefined, each = this.coordinates;
    if (moving) return each ? `${this.run.bodyName(moving[Math.floor(column / each.length)])} ${each[column % each.length]}` : `${this.run.bodyName(body)}${axis}`; // walls have places, too
    const names = this.run.shape?.kind === "mechanism" ? this.run.shape.coordinates : undefined;
    if (names?.[body]) return `${body + 1}: ${String(names[body]).split(",")[0]}`;
    return `${this.path.startsWith("particles/mechanism/") ? "coordinate" : "bead"} ${body + 1}${axis}`;
  }
}

export function ordinal(n: number): string {
  const last = n % 100 > 10 && n % 100 < 14 ? 0 : n % 10;
  return `${n}${["th", "st", "nd", "rd"][last] ?? "th"}`;
}

export function axisName(name: string, depth: number, k: number): string {
  if (depth === 6) return ["xx", "yy", "zz", "yz", "xz", "xy"][k];
  if (name === "principal") return String(k + 1);
  if (depth === 4) return ["w", "x", "y", "z"][k];
  const single = ["rotation", "von_mises", "plastic_strain", "damage", "contact_pressure", "link_damage"]; // of one number, which has no axis
  return depth === 1 && single.includes(name) ? "" : ["x", "y", "z"][k] ?? String(k + 1);
}

export interface Events { total: number; kept: number; time: Numbers; contact: Numbers; kind: Numbers; impulse: Numbers; before: Numbers; after: Numbers }

/** Bodies that a scene has given a name, counted from 0. */
interface Named { name: string; first: number; count: number }

export class Run {
  readonly rows: number;
  readonly items: Item[];
  readonly times: Float64Array;
  readonly shape: any;
  private readonly called = new Map<number, string>(); // bodies that have a name to themselves
  private readonly crowds: Named[];
  private readonly pairs: Numbers | null;
  private readonly stride: number;
  private readonly kept: Float64Array;
  private readonly shared = new Map<number, Float64Array>();

  constructor(readonly text: RunText) {
    this.rows = text.rows;
    this.stride = text.time.stride;
    this.kept = array(text.time.array) as Float64Array;
    this.pairs = text.pairs ? array(text.pairs) : null;
    this.shape = text.shape && text.shape.kind ? text.shape : null;
    const named: Named[] = this.shape?.named ?? [];
    for (const { name, first, count } of named) if (count === 1) this.called.set(first, name);
    this.crowds = named.filter(({ count }) => count > 1);
    this.times = this.stride === 1 ? this.kept : this.allTimes();
    this.items = text.items.map((item) => new Item(this, item));
  }

  /** Times of all rows: timeOf of each, a stretch between two that are kept at a time, since there may be millions. */
  private allTimes(): Float64Array {
    const { rows, stride, kept } = this, times = new Float64Array(rows), last = kept.length - 1;
    for (let k = 0, row = 0; k < last; k++) for (let i = 0; i < stride && row < rows; i++, row++) times[row] = i === 0 ? kept[k] : kept[k] + (i / stride) * (kept[k + 1] - kept[k]);
    for (let row = Math.max(0, last * stride); row < rows; row++) times[row] = this.timeOf(row);
    return times;
  }

  /** Times of smallest and largest values of every `stretch` rows; one array for all lines. */
  stretched(stretch: number): Float64Array {
    const known = this.shared.get(stretch), n = Math.ceil(this.rows / stretch), x = known ?? new Float64Array(2 * n);
    for (let i = 0; !known && i < n; i++) {
      const first = i * stretch, last = Math.min(this.rows - 1, first + stretch - 1);
      x[2 * i] = this.timeOf(first);
      x[2 * i + 1] = this.timeOf((first + last) / 2);
    }
    this.shared.set(stretch, x);
    return x;
  }

  get timeUnit(): string { return this.text.units === "none" ? "" : "s"; }
  get end(): number { return this.rows > 0 ? this.text.time.end : 0; }
  get start(): number { return this.rows > 0 ? this.kept[0] : 0; }

  /** Time of a row, also between rows; between the times that are kept it is interpolated. */
  timeOf(row: number): number {
    const at = row / this.stride, low = Math.floor(at), last = this.kept.length - 1;
    if (low >= last) {
      const left = this.rows - 1 - last * this.stride;
      return left > 0 ? this.kept[last] + ((this.text.time.end - this.kept[last]) * (row - last * this.stride)) / left : this.kept[last] ?? 0;
    }
    return at === low ? this.kept[low] : this.kept[low] + (at - low) * (this.kept[low + 1] - this.kept[low]);
  }

  /** The row nearest to a time. */
  rowAt(time: number): number {
    let low = 0, high = this.rows - 1;
    if (!(high > 0) || Number.isNaN(time)) return 0;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.times[middle] <= time) low = middle;
      else high = middle;
    }
    return time - this.times[low] > this.times[high] - time ? high : low;
  }

  shapeArray(name: string): Numbers { return array(this.shape[name]); }

  item(path: string): Item | undefined { return this.items.find((item) => item.path === path); }

  events(): Events {
    const e = this.text.events;
    return { total: e.total, kept: e.kept, time: array(e.time), contact: array(e.contact), kind: array(e.kind), impulse: array(e.impulse), before: array(e.before), after: array(e.after) };
  }

  /** The two bodies of a contact, from 0; -1 the left wall, -2 the right one. */
  pair(contact: number): [number, number] | null {
    return this.pairs && 2 * contact + 1 < this.pairs.length ? [this.pairs[2 * contact], this.pairs[2 * contact + 1]] : null;
  }

  /** As scenes number contacts: j is right of body j, 0 at the left wall; all others count from 1. */
  contactName(contact: number): string {
    if (this.shape?.contacts?.[contact]) return `${contact + 1} (${this.placeName(this.shape.contacts[contact])})`;
    const pair = this.pair(contact);
    if (this.shape?.kind === "cells" && pair) return pair.map((end) => this.struck(end)).join("–");
    if (this.shape?.kind !== "beads") return String(contact + 1);
    if (!pair) return String(contact + (this.text.first ?? 0) + 1); // too many for the page: in a row all the same
    return String(pair[0] === -1 ? 0 : pair[0] + 1) + (pair[1] === -2 ? " (wall)" : pair[0] === -1 ? " (wall)" : "");
  }

  /** The contact of an event: a number or, where contacts come and go, two bodies. */
  eventContact(e: Events, i: number): string {
    return this.text.listed ? this.pairName(e.contact, i) : this.contactName(e.contact[i]);
  }

  /** Contact i of a list of pairs of bodies, which count from 1. */
  pairName(pairs: Numbers, i: number): string { const names = [pairs[2 * i], pairs[2 * i + 1]].map((n) => this.shortName(n - 1)); return names.join(names.some((name) => name.includes(" ")) ? " – " : "–"); }

  /** A body, from 0: its name, or its number as people count. */
  shortName(body: number): string { return this.called.get(body) ?? String(body + 1); }

  /** A body of plane or space, from 0, as its scene calls it; one of many under one name has its number, too. */
  bodyName(body: number): string {
    const many = this.called.has(body) ? undefined : this.crowds.find((c) => body >= c.first && body < c.first + c.count);
    return this.called.get(body) ?? `body ${body + 1}${many ? ` (${many.name})` : ""}`;
  }

  /** A ball beside a solid, from 0. */
  ballName(ball: number): string { return this.bodyName(ball).replace(/^body /, "ball "); }

  /** "bodies 3 and 4, corner 1", with names where there are any. */
  private placeName(text: string): string {
    const only = text.endsWith(", place 1") && !this.shape.contacts!.includes(text.replace(/1$/, "2")); // the only one that they have needs no number
    return (only ? text.slice(0, -", place 1".length) : text).replace(/^bodies (\d+) and (\d+)/, (_, a, b) => [a, b].some((n) => this.called.has(n - 1)) ? `${this.bodyName(a - 1)} and ${this.bodyName(b - 1)}` : `bodies ${a} and ${b}`);
  }

  /** What takes part in contacts of solids: balls count from 0 up, solids from -3 down, then walls. */
  private struck(end: number): string {
    const { solids = [], walls = [] } = this.shape, number = -3 - end;
    return end >= 0 ? this.ballName(end) : number < solids.length ? solids[number].name || "solid" : walls[number - solids.length]?.name || `wall ${number - solids.length + 1}`;
  }

  /** The row at which what takes part in contacts first touches; 0 if it does from the start, or never. */
  firstTouch(end: number): number {
    const events = this.text.events.kept > 0 && !this.text.listed ? this.events() : null, opens = 0; // kind: if that is the first, it touched from the start
    const at = events ? Array.from(events.contact).findIndex((contact) => this.pair(contact)?.includes(end)) : -1;
    return at < 0 || events!.kind[at] === opens ? 0 : this.rowAt(events!.time[at]);
  }
}

export function readPage(): PageText {
  const text = source.getElementById("data")?.textContent;
  if (!text) throw new Error("the page carries no data");
  return JSON.parse(text) as PageText;
}
