// Motions of several runs on one clock: rows of bodies one under the other, bodies of plane and space side by side.
import { type Turn, turned } from "./bodies";
import { css, palette } from "./colours";
import { el, styled } from "./dom";
import { Figure, sharp } from "./figure";
import { number, scaleFor } from "./format";

/** What moves: entries x samples x bodies x axes, and when; where bodies do not stand in a row, their places (3), radii, of others than discs and spheres how far they reach (negative: held), and normals of planes (3): `wide` numbers each; and
    the corners (body, piece, x, y, z from its centre at the start) and how all bodies have turned since. */
export interface Together { labels: string[]; time: ArrayLike<number>; unit: string; u: ArrayLike<number>; v: ArrayLike<number> | null; bodies: number; axes: number; place: ArrayLike<number> | null; wide: number; corner: ArrayLike<number> | null; turn: ArrayLike<number> | null }

const seconds = 10, tall = 74, thick = 10; // pixels: rows, planes

/** How far a body reaches from its centre; 0: it is not drawn. */
function sizeAt({ wide }: Together, place: ArrayLike<number>, k: number): number { return place[wide * k + 3] || (wide > 4 ? Math.max(0, place[wide * k + 4]) : 0); }

/** Is it a wall: a plane, something held, or a container? */
function held({ wide }: Together, place: ArrayLike<number>, k: number): boolean { return wide > 5 && !(place[wide * k + 3] > 0) && !(place[wide * k + 4] > 0); }

/** What of the plane or space is seen: x to the right, the last axis upwards. */
interface Frame { low: [number, number]; size: [number, number]; up: number; magnify: number }

export class TogetherMovie extends Figure {
  private readonly canvas = el("canvas", { class: "picture", role: "img" });
  private readonly slider: HTMLInputElement;
  private readonly start: HTMLButtonElement;
  private readonly readout = el("output", { class: "readout" });
  private row = 0;
  private playing = false;
  private readonly largest: number;
  private readonly fastest: number;
  private readonly frame: Frame | null;
  private readonly pieces: Map<number, number[][][]> | null; // of bodies with corners: corners of each piece

  constructor(private readonly of: Together) {
    super("Side by side on one clock", "");
    const rows = of.time.length;
    this.largest = most(of.u);
    this.fastest = of.v ? most(of.v) : 0;
    this.frame = of.place ? frameOf(of, of.place, this.largest) : null;
    this.pieces = of.corner && (of.turn || of.wide > 5) ? piecesOf(of.corner) : null;
    this.start = el("button", { type: "button", class: "play", title: "Play or pause (space)", click: () => this.toggle() }, "▶");
    this.slider = el("input", { type: "range", min: 0, max: rows - 1, step: 1, value: 0, "aria-label": "time", input: () => { this.playing = false; this.at(Number(this.slider.value)); } });
    this.body.append(this.canvas, el("div", { class: "player" }, this.start, this.slider, this.readout));
    this.card.classList.add("movie");
    const magnify = this.frame?.magnify ?? 1;
    this.notes.append(this.frame ? `${of.axes === 3 ? "Seen along y. " : ""}${magnify > 1 ? `Displacements are drawn ${number(magnify, 2)} times as large. ` : ""}${of.v ? "Colour: speed. " : ""}${cornered(of) && !of.turn ? "Bodies with corners are points in dashed circles, as far as they reach: not all runs tell how they turn." : ""}` :
      `Bodies stand in their order, at equal distances; displacements are scaled so that the largest is one such distance.${of.v ? " Colour: velocity, to the right positive." : ""}`);
  }

  private toggle(): void {
    this.playing = !this.playing;
    this.start.textContent = this.playing ? "❚❚" : "▶";
    const t0 = this.of.time[0], t1 = this.of.time[this.of.time.length - 1];
    let last = performance.now(), now = this.of.time[this.row];
    const tick = (moment: number) => {
      if (!this.playing) { this.start.textContent = "▶"; return; }
      now += ((t1 - t0) * Math.min(200, moment - last)) / 1000 / seconds;
      last = moment;
      if (now >= t1) now = t0;
      let row = now < this.of.time[this.row] ? 0 : this.row;
      while (row + 1 < this.of.time.length && this.of.time[row + 1] <= now) row++;
      this.at(row);
      requestAnimationFrame(tick);
    };
    if (this.playing) requestAnimationFrame(tick);
  }

  at(row: number): void {
    this.row = row;
    this.slider.value = String(row);
    if (this.shown) this.draw();
  }

  protected draw(): void {
    const { time, unit } = this.of, scale = scaleFor(unit, time[time.length - 1]);
    this.readout.textContent = `t = ${number(time[this.row] * scale.factor, 5)}${scale.unit ? ` ${scale.unit}` : ""}`;
    if (this.frame && this.of.place) this.drawPlane(this.frame, this.of.place);
    else this.drawRows();
  }

  private cleared(width: number, height: number): CanvasRenderingContext2D {
    const context = sharp(this.canvas, width, height);
    context.fillStyle = styled("--card");
    context.fillRect(0, 0, width, height);
    context.font = `12px ${styled("--font")}`;
    return context;
  }

  /** A panel for each entry, as many in a line as leave each of them a width to be seen. */
  private drawPlane(frame: Frame, place: ArrayLike<number>): void {
    const { labels, bodies, axes, time, u, v, wide } = this.of, width = this.body.clientWidth, columns = Math.max(1, Math.min(labels.length, Math.floor(width / 220)));
    const across = width / columns, scale = Math.min((across - 20) / frame.size[0], 420 / frame.size[1]), high = frame.size[1] * scale + 34, colours = palette("viridis");
    const context = this.cleared(width, high * Math.ceil(labels.length / columns));
    labels.forEach((label, i) => {
      const left = (i % columns) * across + (across - frame.size[0] * scale) / 2, bottom = high * (Math.floor(i / columns) + 1) - 8, from = (i * time.length + this.row) * bodies * axes;
      context.fillStyle = styled("--ink");
      context.fillText(Number.isFinite(u[from]) ? label : `${label}: not run`, (i % columns) * across + 10, bottom - high + 22);
      this.walls(context, { frame, place, entry: i, from, box: [(i % columns) * across, bottom + 8 - high + 28, across, high - 28], pixel: (x, y) => [left + (x - frame.low[0]) * scale, bottom - (y - frame.low[1]) * scale] });
      for (const k of this.order(from, place)) {
        const at = from + k * axes, radius = sizeAt(this.of, place, k) * scale, x = place[wide * k] + frame.magnify * u[at], y = place[wide * k + frame.up] + frame.magnify * u[at + frame.up];
        if (!(radius > 0) || !Number.isFinite(x + y) || held(this.of, place, k)) continue;
        let square = 0;
        for (let a = 0; v && a < axes; a++) square += v[at + a] ** 2;
        context.fillStyle = v && this.fastest > 0 ? css(colours, Math.min(1, Math.sqrt(square) / this.fastest)) : styled("--bead");
        context.strokeStyle = styled("--faint");
        const pixel = (p: number[]) => [left + (x + p[0] - frame.low[0]) * scale, bottom - (y + p[1] - frame.low[1]) * scale];
        if (!this.outlines(context, i, k, frame.up, pixel)) this.disc(context, pixel([0, 0]), radius, place[wide * k + 3] > 0);
      }
    });
  }

  /** Planes and what is held, behind the bodies; of space those that are seen from the side. */
  private walls(context: CanvasRenderingContext2D, at: { frame: Frame; place: ArrayLike<number>; entry: number; from: number; box: [number, number, number, number]; pixel: (x: number, y: number) => number[] }): void {
    const { frame, place, from } = at, { bodies, axes, u, wide } = this.of, far = 4 * (frame.size[0] + frame.size[1]);
    context.save();
    context.beginPath();
    context.rect(...at.box);
    context.clip();
    context.lineWidth = 1.6;
    for (let k = 0; k < bodies; k++) {
      if (!held(this.of, place, k) || !Number.isFinite(u[from + k * axes])) continue;
      const x = place[wide * k] + frame.magnify * u[from + k * axes], y = place[wide * k + frame.up] + frame.magnify * u[from + k * axes + frame.up];
      const n = [place[wide * k + 5], place[wide * k + 5 + frame.up]], size = Math.hypot(n[0], n[1]);
      context.fillStyle = styled("--grid");
      context.strokeStyle = styled("--ink");
      if (size > 0.99) plane(context, at.pixel(x - n[1] * far, y + n[0] * far), at.pixel(x + n[1] * far, y - n[0] * far), n);
      else if (size === 0) this.outlines(context, at.entry, k, frame.up, (p) => at.pixel(x + p[0], y + p[1]), place[wide * k + 4] < 0);
    }
    context.restore();
  }

  /** Bodies from the farthest to the nearest, where one may hide another. */
  private order(from: number, place: ArrayLike<number>): number[] {
    const { bodies, axes, u, wide } = this.of, list = Array.from({ length: bodies }, (_, k) => k);
    return axes < 3 ? list : list.sort((a, b) => place[wide * b + 1] + u[from + 3 * b + 1] - place[wide * a + 1] - u[from + 3 * a + 1]);
  }

  /** A ball; or a point in a dashed circle, of what has corners that nobody knows. */
  private disc(context: CanvasRenderingContext2D, [x, y]: number[], radius: number, round: boolean): void {
    context.beginPath();
    context.arc(x, y, Math.max(1, radius), 0, 2 * Math.PI);
    if (round) context.fill();
    context.setLineDash(round ? [] : [4, 3]);
    if (radius > 3) context.stroke();
    context.setLineDash([]);
    if (round) return;
    context.beginPath();
    context.arc(x, y, Math.max(3, 0.12 * radius), 0, 2 * Math.PI);
    context.fill();
  }

  /** The pieces of body k as it has turned in entry i, as they look from the side; false: it has no corners. */
  private outlines(context: CanvasRenderingContext2D, i: number, k: number, up: number, pixel: (p: number[]) => number[], filled = true): boolean {
    const { turn, bodies, axes, time } = this.of, pieces = this.pieces?.get(k), each = axes === 3 ? 4 : 1, at = ((i * time.length + this.row) * bodies + k) * each;
    if (!pieces || (!turn && !held(this.of, this.of.place!, k))) return false;
    const q: Turn = !turn ? [1, 0, 0, 0] : each === 4 ? [turn[at], turn[at + 1], turn[at + 2], turn[at + 3]] : [Math.cos(turn[at] / 2), 0, 0, Math.sin(turn[at] / 2)];
    for (const corners of pieces) {
      const seen = outline(corners.map((corner) => { const p = turned(q, corner); return [p[0], p[up]]; })).map(pixel);
      context.beginPath();
      for (const [x, y] of seen) context.lineTo(x, y);
      context.closePath();
      if (filled) context.fill();
      context.stroke();
    }
    return true;
  }

  private drawRows(): void {
    const { labels, bodies, time, u, v } = this.of, width = this.body.clientWidth, height = 12 + tall * labels.length;
    const context = this.cleared(width, height), left = 14, across = (width - 2 * left) / (bodies + 1.2), colours = palette("signed");
    labels.forEach((label, i) => {
      const from = (i * time.length + this.row) * bodies, y = 12 + tall * i + 44, radius = Math.min(22, across / 2);
      context.fillStyle = styled("--ink");
      context.fillText(label, left, y - 30);
      for (let k = 0; k < bodies; k++) {
        const move = u[from + k], shade = v && this.fastest > 0 ? 0.5 + (0.5 * v[from + k]) / this.fastest : -1;
        if (!Number.isFinite(move)) continue;
        context.beginPath();
        context.arc(left + (k + 1.1) * across + (this.largest > 0 ? (move / this.largest) * across : 0), y, Math.max(1.5, radius), 0, 2 * Math.PI);
        context.fillStyle = shade >= 0 ? css(colours, shade) : styled("--bead");
        context.fill();
        context.strokeStyle = styled("--faint");
        if (radius > 3) context.stroke();
      }
    });
  }

  key(name: string): boolean {
    if (name === " ") this.toggle();
    else if (name === "ArrowLeft" || name === "ArrowRight") this.at(Math.max(0, Math.min(this.of.time.length - 1, this.row + (name === "ArrowLeft" ? -1 : 1))));
    else return super.key(name);
    return true;
  }

  table(): { head: string[]; rows: Iterable<(number | string)[]> } {
    const { labels, bodies, axes, time, u } = this.of, row = this.row;
    const name = (k: number) => (axes === 1 ? k + 1 : `${Math.floor(k / axes) + 1} ${"xyz"[k % axes]}`);
    const rows = function* () { for (let k = 0; k < bodies * axes; k++) yield [name(k), time[row], ...labels.map((_, i) => u[(i * time.length + row) * bodies * axes + k])]; };
    return { head: ["body", "time", ...labels], rows: rows() };
  }

  picture(): HTMLCanvasElement { this.show(); return this.canvas; }
}

/** A plane from pixel a to b, thick on the side that its normal leaves. */
function plane(context: CanvasRenderingContext2D, a: number[], b: number[], n: number[]): void {
  context.beginPath();
  context.moveTo(a[0], a[1]);
  for (const [x, y] of [b, [b[0] - thick * n[0], b[1] + thick * n[1]], [a[0] - thick * n[0], a[1] + thick * n[1]]]) context.lineTo(x, y);
  context.fill();
  context.beginPath();
  context.moveTo(a[0], a[1]);
  context.lineTo(b[0], b[1]);
  context.stroke();
}

/** Corners by body and piece. */
function piecesOf(corner: ArrayLike<number>): Map<number, number[][][]> {
  const found = new Map<number, number[][][]>();
  for (let at = 0; at + 4 < corner.length; at += 5) {
    const pieces = found.get(corner[at]) ?? [];
    found.set(corner[at], pieces);
    (pieces[corner[at + 1]] ??= []).push([corner[at + 2], corner[at + 3], corner[at + 4]]);
  }
  return found;
}

/** The convex outline of points of the plane, counterclockwise: along the lower side, and back along the upper one. */
export function outline(points: number[][]): number[][] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]), half = (list: number[][]) => {
    const side: number[][] = [];
    for (const p of list) {
      while (side.length > 1) {
        const [a, b] = side.slice(-2);
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
        side.pop();
      }
      side.push(p);
    }
    return side.slice(0, -1);
  };
  return sorted.length < 3 ? sorted : [...half(sorted), ...half(sorted.reverse())];
}

/** Are there bodies with corners among them? */
function cornered({ bodies, place, wide }: Together): boolean { return !!place && wide > 4 && Array.from({ length: bodies }, (_, k) => place[wide * k + 4]).some((reach) => reach > 0); }

/** All that bodies cross, with a radius around it; small displacements are enlarged to half of one. */
function frameOf(of: Together, place: ArrayLike<number>, largest: number): Frame {
  const { u, bodies, axes, wide } = of, up = axes - 1, low: [number, number] = [Infinity, Infinity], high: [number, number] = [-Infinity, -Infinity];
  let least = Infinity;
  for (let k = 0; k < bodies; k++) if (sizeAt(of, place, k) > 0) least = Math.min(least, sizeAt(of, place, k));
  const magnify = largest > 0 ? Math.max(1, (0.5 * least) / largest) : 1;
  for (let k = 0; k < bodies; k++) {
    const room = 1.2 * sizeAt(of, place, k);
    for (let at = k * axes; room > 0 && at < u.length; at += bodies * axes) for (const a of [0, 1] as const) {
      const axis = a === 0 ? 0 : up, x = place[wide * k + axis] + magnify * u[at + axis];
      if (x - room < low[a]) low[a] = x - room;
      if (x + room > high[a]) high[a] = x + room;
    }
  }
  return { low, size: [high[0] - low[0], high[1] - low[1]], up, magnify };
}

function most(values: ArrayLike<number>): number {
  let size = 0;
  for (let i = 0; i < values.length; i++) { const v = Math.abs(values[i]); if (v > size && v < Infinity) size = v; }
  return size;
}
