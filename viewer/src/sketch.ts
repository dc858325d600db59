// What pictures of machines are drawn with: world coordinates, floors and belts, springs, paths, arrows of forces.
import { hatch, lineColour } from "./colours";
import { styled } from "./dom";
import type { Grid, Run } from "./data";

export interface Scene { run: Run; q: Grid; row: number }
export type Point = [number, number];
export type Picture = (context: CanvasRenderingContext2D, w: number, h: number, scene: Scene, p: Record<string, number>) => void;
/** From along and above a surface to the world. */
export type Frame = (p: Point) => Point;

/** World to screen: centred, y upwards, the whole of `box` inside. */
export class View {
  readonly scale: number;
  constructor(readonly context: CanvasRenderingContext2D, width: number, height: number, private readonly box: [number, number, number, number]) {
    const [x0, x1, y0, y1] = box;
    this.scale = Math.min((width - 60) / (x1 - x0 || 1), (height - 50) / (y1 - y0 || 1));
    this.cx = width / 2;
    this.cy = height / 2;
  }
  private readonly cx: number;
  private readonly cy: number;
  at([x, y]: Point): Point {
    const [x0, x1, y0, y1] = this.box;
    return [this.cx + this.scale * (x - 0.5 * (x0 + x1)), this.cy - this.scale * (y - 0.5 * (y0 + y1))];
  }
  /** From the left edge of the canvas to the right one. */
  get sides(): [number, number] {
    const middle = 0.5 * (this.box[0] + this.box[1]), half = this.cx / this.scale;
    return [middle - half, middle + half];
  }
  line(points: Point[], colour: string, width = 2): void {
    const c = this.context;
    c.beginPath();
    for (const p of points) { const [x, y] = this.at(p); c.lineTo(x, y); }
    c.strokeStyle = colour;
    c.lineWidth = width;
    c.lineJoin = c.lineCap = "round";
    c.stroke();
  }
  disc(p: Point, pixels: number, colour: string): void {
    const c = this.context, [x, y] = this.at(p);
    c.beginPath();
    c.arc(x, y, pixels, 0, 2 * Math.PI);
    c.fillStyle = colour;
    c.fill();
    c.strokeStyle = styled("--ink");
    c.lineWidth = 1;
    c.stroke();
  }
  block(points: Point[], colour: string): void {
    const c = this.context;
    c.beginPath();
    for (const p of points) { const [x, y] = this.at(p); c.lineTo(x, y); }
    c.closePath();
    c.fillStyle = colour;
    c.fill();
    c.strokeStyle = styled("--ink");
    c.lineWidth = 1.2;
    c.stroke();
  }
  /** A fixed thing: hatched, its face drawn as a line. */
  ground(a: Point, b: Point, depth: number): void {
    const c = this.context, [ax, ay] = this.at(a), [bx, by] = this.at(b), length = Math.hypot(bx - ax, by - ay) || 1;
    const nx = (-(by - ay) / length) * depth, ny = ((bx - ax) / length) * depth;
    c.beginPath();
    c.moveTo(ax, ay); c.lineTo(bx, by); c.lineTo(bx + nx, by + ny); c.lineTo(ax + nx, ay + ny);
    c.closePath();
    c.fillStyle = hatch(c);
    c.fill();
    c.beginPath();
    c.moveTo(ax, ay); c.lineTo(bx, by);
    c.strokeStyle = styled("--ink");
    c.lineWidth = 1.6;
    c.stroke();
  }
}

export const clean = (v: number) => (Number.isFinite(v) ? v : 0);

export function coordinates(scene: Scene, row: number): number[] {
  return Array.from({ length: scene.q.across }, (_, k) => clean(scene.q.values[row * scene.q.across + k]));
}

/** The path of a point up to now, the last of it strongest. */
export function path(view: View, scene: Scene, point: (q: number[]) => Point): void {
  const last = scene.row, many = Math.min(last, 240), step = Math.max(1, Math.floor((scene.q.down / 1000)));
  const points: Point[] = [];
  for (let i = many; i >= 0; i--) {
    const row = last - i * step;
    if (row >= 0) points.push(point(coordinates(scene, row)));
  }
  view.context.globalAlpha = 0.45;
  view.line(points, lineColour(1), 1.3);
  view.context.globalAlpha = 1;
}

const extents = new WeakMap<Grid, [number, number][]>();

/** Smallest and largest value of a coordinate in the whole run. */
export function extent(scene: Scene, k: number): [number, number] {
  const all = extents.get(scene.q) ?? [];
  extents.set(scene.q, all);
  return (all[k] ??= measure(scene, k));
}

function measure(scene: Scene, k: number): [number, number] {
  let low = Infinity, high = -Infinity;
  for (let r = 0; r < scene.q.down; r++) {
    const v = clean(scene.q.values[r * scene.q.across + k]);
    if (v < low) low = v;
    if (v > high) high = v;
  }
  return [low, high];
}

export function zigzag(view: View, a: Point, b: Point, frame: Frame = (p) => p): void {
  const points: Point[] = [a], n = 14, wide = 9 / view.scale;
  for (let i = 1; i < n; i++) points.push([a[0] + ((b[0] - a[0]) * (i + 0.5)) / (n + 1), a[1] + (i % 2 ? wide : -wide)]);
  points.push(b);
  view.line(points.map(frame), styled("--faint"), 1.6);
}

export function tilted(angle: number): Frame {
  const c = Math.cos(angle), s = Math.sin(angle);
  return ([x, y]) => [c * x - s * y, s * x + c * y];
}

/** A surface with strokes that belong to it, so that a belt is seen to run and a floor to pass by. */
export function surface(view: View, from: number, to: number, frame: Frame = (p) => p, moved = 0): void {
  const step = 12 / view.scale, deep = 12 / view.scale;
  if (!(step > 0) || !(to > from) || (to - from) / step > 5000) return;
  for (let k = Math.ceil((from - moved) / step); moved + k * step <= to; k++) {
    const x = moved + k * step, long = k % 5 === 0;
    view.line([frame([x, 0]), frame([x - (long ? 1.4 : 0.8) * deep, -(long ? 1.6 : 1) * deep])], styled("--faint"), long ? 2 : 1.1);
  }
  view.line([frame([from, 0]), frame([to, 0])], styled("--ink"), 1.8);
}

/** All of a range with room at its sides or, if that is more than `most`, a window of that size that follows. */
export function seen([low, high]: [number, number], now: number, room: number, most: number): [number, number] {
  return high - low + 2 * room <= most ? [low - room, high + room] : [now - 0.5 * most, now + 0.5 * most];
}

const largest = new WeakMap<Run, number>();

/** The force that is drawn at full length: nearly the largest, so that a blow of one sample does not hide the rest. */
function usual(run: Run): number {
  let known = largest.get(run);
  if (known === undefined) {
    const found: number[] = [];
    for (const path of ["observables/contacts/force", "observables/contacts/friction"]) {
      const item = run.item(path), step = Math.max(1, Math.floor(run.rows / 2000));
      for (let r = 0; item && r < run.rows; r += step) for (let c = 0; c < item.width; c++) {
        const size = Math.abs(item.value(r, c));
        if (size > 0 && size < Infinity) found.push(size);
      }
    }
    known = found.sort((a, b) => a - b)[Math.floor(0.95 * (found.length - 1))] ?? 0;
    largest.set(run, known);
  }
  return known;
}

function arrow(view: View, from: Point, towards: Point, pixels: number, colour: string): void {
  const c = view.context, [x, y] = view.at(from), [tx, ty] = view.at([from[0] + towards[0], from[1] + towards[1]]);
  const size = Math.hypot(tx - x, ty - y) || 1, ux = (tx - x) / size, uy = (ty - y) / size, tip = Math.min(9, 0.5 * pixels);
  if (!(pixels >= 1.5)) return;
  const ex = x + pixels * ux, ey = y + pixels * uy;
  c.lineCap = "butt";
  for (const [paint, more] of [[styled("--card"), 2], [colour, 0]] as [string, number][]) { // with a rim, to be seen on bodies
    c.strokeStyle = c.fillStyle = paint;
    c.lineWidth = 2.6 + 2 * more;
    c.beginPath();
    c.moveTo(x, y);
    c.lineTo(ex - tip * ux, ey - tip * uy);
    c.stroke();
    c.beginPath();
    c.moveTo(ex, ey);
    c.lineTo(ex - tip * (ux - 0.5 * uy), ey - tip * (uy + 0.5 * ux));
    c.lineTo(ex - tip * (ux + 0.5 * uy), ey - tip * (uy - 0.5 * ux));
    c.closePath();
    c.fill();
    c.lineWidth = more;
    if (more > 0) c.stroke();
  }
}

/** Contact forces and friction where they act on the machine, if they were recorded; points with the side (1 upwards,
 * -1 downwards) to which the contact pushes. Longer ones than usual are cut. */
export function forces(view: View, scene: Scene, points: [Point, number][], frame: Frame = (p) => p): void {
  const { run } = scene, row = scene.row * scene.q.tall, unit = usual(run), c = view.context;
  const kinds: [string, string, number, (side: number) => Point][] = [
    ["contact force", "observables/contacts/force", 2, (side) => frame([0, side])],
    ["friction", "observables/contacts/friction", 1, () => frame([1, 0])]];
  let x = 14;
  if (!run.item("observables/contacts/friction")) return;
  for (const [name, path, colour, towards] of kinds) {
    const item = run.item(path);
    if (!item) continue;
    points.forEach(([at, side], i) => {
      const value = clean(item.value(row, i)), [dx, dy] = towards(side), sign = value < 0 ? -1 : 1;
      if (unit > 0) arrow(view, at, [sign * dx, sign * dy], Math.min(130, (90 * Math.abs(value)) / unit), lineColour(colour));
    });
    c.fillStyle = lineColour(colour);
    c.font = `12px ${styled("--font")}`;
    c.textAlign = "left";
    c.fillText(`→ ${name}`, x, 18);
    x += c.measureText(`→ ${name}`).width + 16;
  }
}
