// Discs, spheres and walls of a run, as numbers: where they are at a sample, how they have turned, what may colour them,
// and the forces between them. Knows nothing of the screen.
import { array, axisName, type Item, type Numbers, ordinal, type Run } from "./data";

export interface Wall { body: number; surface: "ball" | "plane" | "box" | "cylinder" | "convex"; inside: boolean; free: boolean; radius: number; at: number[]; size: number[]; normal: number[]; turn: number[]; corners?: number[]; faces?: number[][] }
/** Bodies from 0, the world is -1; points and axes as they are at the start, from the centres. */
export interface Joint { kind: "hinge" | "ball" | "slider" | "weld" | "distance"; bodies: [number, number]; at: [number[], number[]]; axis: number[] }
interface Domain { low: number[]; high: number[]; periodic: number[] }

/** Contacts of a sample: lines [from, to) of the columns. */
interface Touches { tall: number; frames: number; most: number; whole: boolean; exact: boolean; count: Numbers; largest: Numbers; first: Numbers; pair: Numbers; point: Numbers; normal: Numbers; tangential: Numbers; coordination?: Numbers; fabric?: Numbers }

/** Something that bodies may be coloured by; `fill` writes a number for each body. */
export interface Field { label: string; unit: string; signed: boolean; fill: (row: number, out: Float32Array) => void }

export type Turn = [number, number, number, number]; // w x y z

/** Numbers of one item at the sample that a row stands for. */
class Column {
  private readonly grid;
  readonly depth: number;
  constructor(readonly item: Item) {
    this.grid = item.grid()!;
    this.depth = item.depth;
  }
  get values(): ArrayLike<number> { return this.grid.values; }
  /** All numbers of the row at once. */
  copy(row: number, out: Float32Array): void { out.set((this.grid.values as Float32Array).subarray(this.at(row), this.at(row) + this.item.width)); }
  at(row: number): number { return Math.min(this.grid.down - 1, Math.floor(row / this.grid.tall)) * this.grid.across; }
}

export const floats = 7; // of a piece of a force chain: two ends, and a force

const fewPaths = 12;

/** From the least to the largest of every third number. */
function spread(way: Float32Array, axis: number): number {
  let low = Infinity, high = -Infinity;
  for (let i = axis; i < way.length; i += 3) { low = Math.min(low, way[i]); high = Math.max(high, way[i]); }
  return high - low;
}

export class Bodies {
  readonly n: number;
  readonly dimension: number;
  readonly walls: Wall[];
  readonly joints: Joint[];
  readonly domain: Domain | null;
  readonly centre: Numbers;
  readonly radius: Numbers; // 0: among the walls
  readonly balls: Uint32Array; // those that are not
  readonly coloured: Uint32Array; // balls, and boxes and cylinders that are free
  readonly largest: number; // radius; of boxes and cylinders half the shortest side
  readonly touches: Touches | null;
  readonly tall: number; // pictures show one sample of so many
  magnify = 1;
  private readonly solid: Set<number>; // bodies that are free boxes and cylinders
  private readonly position: Column | null;
  private readonly displacement: Column | null;
  private readonly rotation: Column | null;

  static fits(run: Run): boolean { return run.shape?.kind === "bodies" && run.shape.centre !== undefined && run.rows > 0; }

  constructor(readonly run: Run) {
    const shape = run.shape, column = (name: string, depth: number) => this.column(run.item(`particles/bodies/${name}`), depth);
    this.n = shape.n;
    this.dimension = shape.dimension;
    this.walls = shape.walls;
    this.joints = shape.joints ?? [];
    this.domain = shape.domain ?? null;
    this.centre = array(shape.centre);
    this.radius = array(shape.radius);
    this.balls = Uint32Array.from(this.radius.keys()).filter((i) => this.radius[i] > 0);
    const solids = this.walls.filter(isSolid);
    this.solid = new Set(solids.map((wall) => wall.body));
    this.coloured = Uint32Array.from([...this.balls, ...this.solid]).sort();
    this.largest = solids.reduce((most, wall) => Math.max(most, Math.min(...wall.size.filter((x) => x > 0))), this.balls.reduce((most, i) => Math.max(most, this.radius[i]), 0));
    this.position = column("position", this.dimension);
    this.displacement = column("displacement", this.dimension);
    this.rotation = column("rotation", this.dimension === 3 ? 4 : 1);
    this.touches = this.readTouches();
    this.tall = Math.max(1, this.touches?.tall ?? 1, ...this.items().map((item) => item.grid()!.tall));
  }

  get still(): boolean { return !this.position && !this.displacement; }
  get turning(): boolean { return this.rotation !== null; }

  /** What was left out of pictures, for people. */
  get notes(): string[] {
    const t = this.touches, list: string[] = [];
    const shown = (this.position ?? this.displacement)?.item.pictureNote;
    if (shown) list.push(shown);
    if (t && t.tall > 1) list.push(`contacts of every ${ordinal(t.tall)} sample`);
    if (t && !t.whole) list.push(`of each sample the ${t.most} largest contact forces`);
    return list;
  }

  private readTouches(): Touches | null {
    const t = this.run.text.touches;
    if (!t || t.frames === 0) return null;
    const names = ["count", "largest", "first", "pair", "point", "normal", "tangential", "coordination", "fabric"].filter((name) => t[name]);
    return { ...t, exact: t.normal.type === "f64", ...Object.fromEntries(names.map((name) => [name, array(t[name])])) } as Touches;
  }

  /** Recorded items of all bodies, a row of numbers for each. */
  private items(): Item[] {
    return this.run.items.filter((item) => item.path.startsWith("particles/bodies/") && item.depth > 0 && item.width === item.depth * this.n && item.grid() !== null);
  }

  private column(item: Item | undefined, depth: number): Column | null {
    return item && item.depth === depth && this.items().includes(item) ? new Column(item) : null;
  }

  /** The sample that is shown for a row: the same for places and forces. */
  shown(row: number): number { return Math.floor(row / this.tall) * this.tall; }

  /** Centres of all bodies, three numbers each, the third untouched in the plane; bodies that left through a joined side come in at the other. */
  places(row: number, out: Float32Array): void {
    const { n, dimension: d, centre, magnify } = this, moved = this.displacement && (!this.position || magnify !== 1) ? this.displacement : null;
    if (!moved && this.position && d === 3) return this.position.copy(row, out);
    const from = moved ?? this.position, at = from?.at(row) ?? 0, values = from?.values;
    for (let k = 0; k < d; k++) for (let i = 0; i < n; i++) {
      const j = d * i + k;
      out[3 * i + k] = moved ? centre[j] + magnify * values![at + j] : values ? values[at + j] : centre[j];
    }
    if (moved) this.wrap(out);
  }

  /** The largest displacement along an axis; 0 where none were recorded. */
  mostMoved(): number {
    const u = this.displacement;
    let most = 0;
    for (const row of u ? this.samples(Math.min(60, 4e6 / this.n)) : []) for (let i = 0, at = u!.at(row); i < u!.item.width; i++) {
      const size = Math.abs(u!.values[at + i]);
      if (size > most && size < Infinity) most = size;
    }
    return most;
  }

  /** The ways of bodies that go further than they are large, three numbers a sample; of many bodies, or through joined sides, they would only confuse. */
  paths(): Float32Array[] {
    const { n, run, coloured, tall } = this, at = new Float32Array(3 * n), few = coloured.length <= fewPaths && n <= 1000 && !this.still && !this.domain?.periodic.some((joined) => joined);
    if (!few || run.rows < 3) return [];
    const step = tall * Math.ceil(run.rows / tall / 4000), rows = Array.from({ length: Math.ceil(run.rows / step) }, (_, k) => k * step);
    const ways = Array.from(coloured, () => new Float32Array(3 * rows.length)), was = this.magnify;
    this.magnify = 1;
    rows.forEach((row, r) => {
      this.places(row, at);
      ways.forEach((way, k) => way.set(at.subarray(3 * coloured[k], 3 * coloured[k] + 3), 3 * r));
    });
    this.magnify = was;
    return ways.filter((way) => way.every(Number.isFinite) && Math.max(...[0, 1, 2].map((axis) => spread(way, axis))) > this.largest);
  }

  private wrap(out: Float32Array): void {
    const { domain } = this;
    for (let k = 0; domain && k < this.dimension; k++) {
      const low = domain.low[k], side = domain.high[k] - low;
      if (!domain.periodic[k] || !(side > 0)) continue;
      for (const i of this.balls) out[3 * i + k] -= side * Math.floor((out[3 * i + k] - low) / side);
    }
  }

  /** How body i has turned since the start. */
  turn(row: number, i: number): Turn {
    const r = this.rotation;
    if (!r) return [1, 0, 0, 0];
    const at = r.at(row) + r.depth * i, v = r.values;
    return r.depth === 4 ? [v[at], v[at + 1], v[at + 2], v[at + 3]] : [Math.cos(v[at] / 2), 0, 0, Math.sin(v[at] / 2)];
  }

  /** The rotations of all: angles in the plane, quaternions in space. */
  turns(row: number, out: Float32Array): void { this.rotation?.copy(row, out); }

  /** Own axes of a wall to space, now. */
  pose(row: number, wall: Wall): Turn { return product(this.turn(row, wall.body), wall.turn as Turn); }

  /** The points that a joint holds, of its first body and of its second, and its axis, now. */
  held(row: number, joint: Joint, places: Float32Array): { points: [number[], number[]]; axis: number[] } {
    const of = (side: number) => {
      const i = joint.bodies[side], arm = joint.at[side];
      return i < 0 ? arm : turned(this.turn(row, i), arm).map((x, k) => x + (k < this.dimension ? places[3 * i + k] : 0));
    };
    return { points: [of(0), of(1)], axis: joint.bodies[0] < 0 ? joint.axis : turned(this.turn(row, joint.bodies[0]), joint.axis) };
  }

  /** Time steps of rigid bodies find the forces of a step: at the start nothing is known of them, whatever touches. */
  get startUnknown(): boolean {
    const t = this.touches;
    return t !== null && t.frames > 1 && t.count[0] === 0 && t.count[1] > 0 && this.run.start === 0 && this.run.text.theory === "nonsmooth";
  }

  span(row: number): [number, number] {
    const t = this.touches;
    if (!t) return [0, 0];
    const frame = Math.min(t.frames - 1, Math.floor(row / t.tall));
    return [t.first[frame], Math.max(t.first[frame], Math.min(t.first[frame + 1], t.normal.length))];
  }

  force(line: number): number {
    const t = this.touches!;
    return Math.hypot(t.normal[line], t.tangential[line]);
  }

  /** Force chains: a piece from each body's centre to the point of contact, on the side of the domain where the body is.
      Returns how many pieces there are, `floats` numbers each. */
  chains(row: number, places: Float32Array, out: Float32Array): number {
    const t = this.touches, [from, to] = this.span(row), d = this.dimension;
    let pieces = 0;
    for (let line = from; t && line < to; line++) for (let side = 0; side < 2; side++) {
      const i = t.pair[2 * line + side] - 1, other = t.pair[2 * line + 1 - side] - 1;
      if (!(this.radius[i] > 0) && !this.solid.has(i)) continue;
      const between = this.magnify !== 1 && this.radius[other] > 0; // the point was not magnified
      const at = floats * pieces++;
      out[at + 2] = out[at + 5] = 0;
      for (let k = 0; k < d; k++) {
        const x = places[3 * i + k];
        out[at + k] = x;
        out[at + 3 + k] = x + (between ? (this.nearest(places[3 * other + k] - x, k) * this.radius[i]) / (this.radius[i] + this.radius[other]) : this.nearest(t.point[d * line + k] - x, k));
      }
      out[at + 6] = this.force(line);
    }
    return pieces;
  }

  /** The most pieces that a sample has. */
  get mostPieces(): number {
    const t = this.touches;
    let most = 0;
    for (let i = 0; t && i < t.frames; i++) most = Math.max(most, t.first[i + 1] - t.first[i]);
    return 2 * most;
  }

  /** A way along axis k, through a joined side where that is shorter. */
  nearest(apart: number, k: number): number {
    const { domain } = this;
    if (!domain?.periodic[k]) return apart;
    const side = domain.high[k] - domain.low[k];
    return apart - side * Math.round(apart / side);
  }

  /** The largest force of a usual sample, the median of those with contacts: widths of chains go with it. */
  usualForce(): number {
    const t = this.touches, sizes = t ? Array.from(t.largest).filter((f) => f > 0 && f < Infinity).sort((a, b) => a - b) : [];
    return sizes[sizes.length >> 1] ?? 0;
  }

  fields(): Field[] {
    const found = this.items().filter((item) => !/\/(position|rotation)$/.test(item.path)).flatMap((item) => this.fieldsOf(item));
    const linked = this.linkedSpeed();
    if (linked) found.push(linked);
    found.sort((a, b) => Number(b.label === "speed") - Number(a.label === "speed"));
    if (this.touches) {
      found.push({ label: "force: sum of its contacts", unit: this.run.text.units === "none" ? "1" : "N", signed: false, fill: (row, out) => this.sum(row, out, (line) => this.force(line)) });
      found.push({ label: "number of contacts", unit: "1", signed: false, fill: (row, out) => this.sum(row, out, () => 1) });
    }
    if (this.balls.length === 0 && found.length === 0) found.push({ label: "", unit: "1", signed: false, fill: (_, out) => out.fill(0) }); // one colour, and no bar
    if (this.balls.length > 0) found.push({ label: "radius", unit: this.run.text.units === "none" ? "1" : "m", signed: false, fill: (_, out) => out.set(this.radius) });
    return found;
  }

  /** Of bodies that are one mechanism: velocities of each that moves, then its spin. */
  private linkedSpeed(): Field | null {
    const item = this.run.item("particles/mechanism/velocity"), moving: number[] | undefined = this.run.shape.moving;
    if (!item?.whole || !moving) return null;
    const each = item.width / moving.length, axes = each === 3 ? 2 : 3;
    const fill = (row: number, out: Float32Array) => {
      out.fill(0);
      moving.forEach((body, i) => { out[body] = Math.hypot(...Array.from({ length: axes }, (_, k) => item.value(row, each * i + k))); });
    };
    return { label: "speed", unit: item.unit, signed: false, fill };
  }

  private fieldsOf(item: Item): Field[] {
    const column = new Column(item), { n } = this, d = item.depth, word = item.path.split("/")[2], found: Field[] = [];
    const part = (k: number) => (row: number, out: Float32Array) => {
      const at = column.at(row) + k, { values } = column;
      for (let i = 0; i < n; i++) out[i] = values[at + d * i];
    };
    const size = (row: number, out: Float32Array) => {
      const at = column.at(row), { values } = column;
      for (let i = 0; i < n; i++) {
        let sum = 0;
        for (let k = 0; k < d; k++) sum += values[at + d * i + k] * values[at + d * i + k];
        out[i] = Math.sqrt(sum);
      }
    };
    if (word === "stress" && d === 6) found.push(...this.invariants(column, item.unit));
    if (d === 1) return [{ label: word, unit: item.unit, signed: true, fill: part(0) }];
    if (d <= 3) found.push({ label: word === "velocity" ? "speed" : `${word}: magnitude`, unit: item.unit, signed: false, fill: size });
    for (let k = 0; k < d; k++) if (d !== 6 || this.dimension === 3 || k < 2 || k === 5) found.push({ label: `${word} ${axisName(item.name, d, k)}`, unit: item.unit, signed: true, fill: part(k) });
    return found;
  }

  /** What the stress of a body is whatever the axes: pressure, and the largest shear stress (plane) or Mises' (space). */
  private invariants(column: Column, unit: string): Field[] {
    const { n, dimension } = this, of = (measure: (s: number[]) => number) => (row: number, out: Float32Array) => {
      const at = column.at(row), { values } = column, s = new Array<number>(6);
      for (let i = 0; i < n; i++) {
        for (let k = 0; k < 6; k++) s[k] = values[at + 6 * i + k];
        out[i] = measure(s);
      }
    };
    const shear = dimension === 2 ? (s: number[]) => Math.hypot(0.5 * (s[0] - s[1]), s[5])
      : (s: number[]) => Math.sqrt(0.5 * ((s[0] - s[1]) ** 2 + (s[1] - s[2]) ** 2 + (s[2] - s[0]) ** 2) + 3 * (s[3] ** 2 + s[4] ** 2 + s[5] ** 2));
    return [{ label: "stress: pressure", unit, signed: true, fill: of((s) => -(s[0] + s[1] + s[2]) / dimension) },
      { label: dimension === 2 ? "stress: largest shear" : "stress: von Mises", unit, signed: false, fill: of(shear) }];
  }

  private sum(row: number, out: Float32Array, of: (line: number) => number): void {
    const t = this.touches!, [from, to] = this.span(row);
    out.fill(0);
    for (let line = from; line < to; line++) for (let side = 0; side < 2; side++) out[t.pair[2 * line + side] - 1] += of(line);
  }

  /** Rows that stand for the whole run where all are too many. */
  samples(most: number): number[] {
    const count = Math.ceil(this.run.rows / this.tall), used = Math.max(1, Math.min(count, Math.floor(most)));
    return Array.from({ length: used }, (_, i) => (used > 1 ? Math.round((i * (count - 1)) / (used - 1)) : 0) * this.tall);
  }

  /** The room that discs and spheres, and walls that end, ever take: low and high corner. */
  bounds(): [number[], number[]] {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity], places = new Float32Array(3 * this.n);
    const take = (x: number, reach: number, k: number) => {
      if (!Number.isFinite(x)) return;
      low[k] = Math.min(low[k], x - reach);
      high[k] = Math.max(high[k], x + reach);
    };
    for (const row of this.samples(Math.min(300, 4e6 / (this.n + 20 * this.walls.length)))) {
      this.places(row, places);
      for (const i of this.balls) for (let k = 0; k < 3; k++) take(places[3 * i + k], this.dimension === 3 || k < 2 ? this.radius[i] : 0, k);
      for (const wall of this.walls) if (wall.surface !== "plane") {
        const reach = reachOf(wall, this.pose(row, wall));
        for (let k = 0; k < this.dimension; k++) take(places[3 * wall.body + k], reach[k], k);
      }
    }
    const { domain } = this;
    for (const joint of this.joints) joint.bodies.forEach((i, side) => { if (i < 0) joint.at[side].slice(0, this.dimension).forEach((x, k) => take(x, 0.5 * this.largest, k)); });
    for (let k = 0; k < 3; k++) if (domain?.periodic[k]) { take(domain.low[k], 0, k); take(domain.high[k], 0, k); }
    for (let k = 0; k < 3; k++) if (!(high[k] >= low[k])) [low[k], high[k]] = [-1, 1];
    this.nearPlanes(low, high);
    return [low, high];
  }

  /** Planes not farther away than half the size belong to it. */
  private nearPlanes(low: number[], high: number[]): void {
    const size = Math.max(...low.map((x, k) => high[k] - x)), middle = low.map((x, k) => 0.5 * (x + high[k]));
    for (const wall of this.walls) {
      if (wall.surface !== "plane") continue;
      const normal = turned(wall.turn as Turn, wall.normal), away = normal.reduce((sum, x, k) => sum + x * (middle[k] - wall.at[k]), 0);
      const foot = middle.map((x, k) => x - away * normal[k]);
      if (foot.every((x, k) => x > low[k] - 0.5 * size && x < high[k] + 0.5 * size)) foot.forEach((x, k) => { low[k] = Math.min(low[k], x); high[k] = Math.max(high[k], x); });
    }
  }
}

/** Is it a body that others push about, coloured like discs and spheres? */
export function isSolid(wall: Wall): boolean { return wall.free && !wall.inside && ["box", "cylinder", "convex"].includes(wall.surface); }

/** Corners of a polygon or polyhedron about its centre. */
export function cornersOf(wall: Wall): number[][] {
  const all = wall.corners ?? [];
  return Array.from({ length: all.length / 3 }, (_, k) => all.slice(3 * k, 3 * k + 3));
}

/** How far a wall that ends reaches from its centre along the axes of space. */
function reachOf(wall: Wall, pose: Turn): number[] {
  if (wall.surface === "ball") return [wall.radius, wall.radius, wall.radius];
  if (wall.surface === "convex") {
    const places = cornersOf(wall).map((corner) => turned(pose, corner).map(Math.abs));
    return [0, 1, 2].map((k) => Math.max(...places.map((place) => place[k])));
  }
  const own = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((axis) => turned(pose, axis).map(Math.abs));
  if (wall.surface === "box") return [0, 1, 2].map((k) => own.reduce((sum, axis, j) => sum + axis[k] * wall.size[j], 0));
  return own[2].map((along) => along * wall.size[2] + wall.size[0] * Math.sqrt(Math.max(0, 1 - along ** 2)));
}

export function product(a: Turn, b: Turn): Turn {
  return [a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]];
}

/** A vector turned by a quaternion. */
export function turned(q: Turn, x: number[]): number[] {
  const [w, a, b, c] = q, t = [2 * (b * x[2] - c * x[1]), 2 * (c * x[0] - a * x[2]), 2 * (a * x[1] - b * x[0])];
  return [x[0] + w * t[0] + b * t[2] - c * t[1], x[1] + w * t[1] + c * t[0] - a * t[2], x[2] + w * t[2] + a * t[1] - b * t[0]];
}
