// A moving picture on a 2-D canvas: beads in a row or hanging on strings, and machines (machines.ts). Below beads: their
// velocities and the forces between them at the same places.
import { css, hatch, isDark, lineColour, materialColours, palette } from "./colours";
import type { Clock } from "./clock";
import { choice, el, styled } from "./dom";
import { Drawing } from "./drawing";
import { array, type Grid, type Item, type Run } from "./data";
import { Figure, sharp } from "./figure";
import { axisScale, number, ticks, tickText } from "./format";
import { drawMachine, knowsMachine } from "./machines";
import { Player } from "./player";
import { videoButton } from "./video";

export abstract class Movie extends Figure {
  readonly player: Player;
  readonly canvas = el("canvas", { class: "picture", role: "img" });
  protected abstract paint(context: CanvasRenderingContext2D, width: number, height: number): void;
  protected height = 340;

  constructor(title: string, hint: string, protected readonly run: Run, protected readonly clock: Clock, tall: number) {
    super(title, hint);
    this.player = new Player(run, clock, tall);
    this.body.append(this.canvas, this.player.bar);
    this.card.classList.add("movie");
    clock.follow(() => this.frame());
    this.tools.append(...videoButton(this.player, run.rows, () => this.canvas, () => { this.show(); return `${this.fileName()}.webm`; }));
  }

  protected draw(): void {
    this.frame(true);
    this.canvas.setAttribute("aria-label", `${this.title}: moving picture`);
  }

  private context: CanvasRenderingContext2D | null = null;
  private size: [number, number] = [0, 0];

  frame(again = false): void {
    if (!this.shown) return;
    const width = this.body.clientWidth;
    if (again || !this.context || this.size[0] !== width) {
      this.size = [width, this.height];
      this.context = sharp(this.canvas, width, this.height);
    }
    this.compose(this.context, width);
  }

  private compose(context: CanvasRenderingContext2D, width: number): void {
    context.fillStyle = styled("--card");
    context.fillRect(0, 0, width, this.height);
    this.paint(context, width, this.height);
  }

  key(name: string): boolean {
    if (name === " ") this.player.toggle();
    else if (name === "ArrowLeft") this.player.step(-1);
    else if (name === "ArrowRight") this.player.step(1);
    else return super.key(name);
    return true;
  }

  picture(): HTMLCanvasElement {
    this.show();
    return this.canvas;
  }

  async svg(): Promise<string> {
    this.show();
    const width = this.body.clientWidth;
    return Drawing.of(this.canvas, width, this.height, this.title, (context) => this.compose(context, width)) ?? super.svg();
  }
}

/** Strings of so many radii and more are drawn shorter. */
const LONG = 24;

/** Which way the picture lies: along the screen, or hanging down where weights act. */
interface Place { x: number; y: number }

export class BeadMovie extends Movie {
  private readonly u: Grid | null;
  private readonly v: Grid | null;
  private readonly force: Grid | null;
  private readonly place: Float64Array;
  private readonly radius: Float64Array;
  private readonly string: ArrayLike<number> | null;
  private readonly spring: ArrayLike<number> | null;
  private readonly absolute: boolean;
  private readonly madeOf: ArrayLike<number> | null; // numbers of materials, where there are several
  private readonly rims: string[]; // colours of the materials
  private magnify: number;
  private span: [number, number] = [0, 1];
  private longest = Infinity; // string that fits into the picture
  private readonly n: number;
  private readonly group: number;
  private readonly vertical: boolean;
  private vMost: number;
  private fMost: number;
  private mostU = 0;

  static fits(run: Run): boolean {
    return run.shape?.kind === "beads" && run.rows > 0 && run.shape.place !== undefined &&
      ["displacement", "position", "velocity"].some((name) => (run.item(`particles/beads/${name}`)?.grid() ?? null) !== null);
  }

  constructor(run: Run, clock: Clock) {
    const u = run.item("particles/beads/displacement"), position = run.item("particles/beads/position");
    const from = (u ?? position ?? run.item("particles/beads/velocity"))!, still = !u && !position;
    super("Moving picture", "", run, clock, Math.max(from.grid()!.tall, run.item("particles/beads/velocity")?.grid()?.tall ?? 1));
    const shape = run.shape;
    this.absolute = position !== undefined && !u;
    const { wide, across } = from.grid()!;
    this.u = still ? { down: 1, across, tall: Math.max(1, run.rows), wide, values: new Float32Array(across), reduced: false } : from.grid();
    const fitting = (item: Item | undefined, width: number) => (item && item.width === width ? item.grid() : null);
    this.v = fitting(run.item("particles/beads/velocity"), shape.n);
    this.force = fitting(run.item("observables/contacts/force"), run.text.contacts);
    this.group = this.u!.wide;
    this.n = this.u!.across;
    const place = array(shape.place), radius = array(shape.radius);
    this.place = new Float64Array(this.n);
    this.radius = new Float64Array(this.n);
    for (let i = 0; i < this.n; i++) { // a block of neighbours is drawn as one body as long as all of them
      const a = i * this.group, b = Math.min(shape.n, a + this.group) - 1;
      const left = place[a] - radius[a], right = place[b] + radius[b];
      this.place[i] = 0.5 * (left + right);
      this.radius[i] = 0.5 * (right - left);
    }
    this.string = shape.string && this.group === 1 ? array(shape.string) : null;
    this.spring = shape.spring && this.group === 1 ? array(shape.spring) : null;
    this.madeOf = shape.made_of && this.group === 1 && shape.materials.length > 1 ? array(shape.made_of) : null;
    this.rims = materialColours(this.madeOf ? shape.materials : []);
    if (this.madeOf) this.notes.append(el("span", { class: "legend" }, "Rims: ", ...shape.materials.map((name: string, i: number) => el("span", {}, el("i", { style: `border-color: ${this.rims[i]}` }), name))));
    this.vertical = Boolean(shape.down) && this.n <= 60;
    this.vMost = most(this.v);
    this.fMost = most(this.force);
    if (run.text.scales && shape.mass && run.end > run.start && this.fMost < (1e-10 * run.text.scales.speed * Math.max(...minmax(array(shape.mass)))) / (run.end - run.start)) this.fMost = 0; // rounding
    this.measure();
    const apt = this.mostU > 0 && !this.absolute ? Math.max(1, nice(mean(this.radius) / this.mostU)) : 1;
    this.magnify = this.n <= 400 && this.group === 1 ? apt : 1;
    this.refit();
    if (still) this.notes.append("Displacements were not recorded: bodies stay in their places. ");
    if (!this.absolute && !still) {
      const sizes = [...new Set([1, 3, 10, 30, 100, 300, 1e3, 1e4, 1e5, 1e6, this.magnify])].sort((a, b) => a - b);
      this.tools.prepend(choice("displacements", sizes.map((k) => [String(k), `× ${number(k, 3)}`]), String(this.magnify), (value) => {
        this.magnify = Number(value);
        this.refit();
        this.redraw();
      }));
    }
    if (this.string || (this.spring && this.n <= 30)) this.height = this.string ? 500 : 420;
    if (this.vertical) this.height = 460;
    this.note(from.note);
    if (Math.max(...(this.string ? minmax(this.string) : [0])) >= LONG * Math.max(...minmax(this.radius))) this.notes.append("Strings are drawn shorter than they are. ");
    const upwards = this.vertical ? (shape.down < 0 ? "upwards" : "downwards") : "to the right"; // which way the line goes
    this.notes.prepend(this.v ? `Colour: velocity, ${upwards} positive. ` : "", this.vertical ? "Right: where the bodies are over time. " : this.force ? "Bars: forces between the bodies. " : "");
  }

  private measure(): void {
    const { u } = this;
    for (let i = 0; u && !this.absolute && i < u.down * u.across; i++) {
      const size = Math.abs(u.values[i]);
      if (size > this.mostU && size < Infinity) this.mostU = size;
    }
  }

  /** The part of the line that the bodies ever reach. */
  private refit(): void {
    const { u, shape } = { u: this.u!, shape: this.run.shape };
    let low = Infinity, high = -Infinity;
    const look = Math.max(1, Math.floor(u.down / 400));
    for (let r = 0; r < u.down; r += look)
      for (let i = 0; i < this.n; i++) {
        const x = this.along(r, i);
        if (x - this.radius[i] < low) low = x - this.radius[i];
        if (x + this.radius[i] > high && x < Infinity) high = x + this.radius[i];
      }
    for (const wall of [shape.wall_left, shape.wall_right]) if (typeof wall === "number") { low = Math.min(low, wall); high = Math.max(high, wall); }
    if (!(high > low) || !Number.isFinite(high - low)) [low, high] = [this.place[0] - this.radius[0], this.place[this.n - 1] + this.radius[this.n - 1]];
    const edge = 0.02 * (high - low);
    this.span = [low - edge, high + edge];
  }

  private x(row: number, i: number): number {
    const value = this.u!.values[row * this.n + i];
    return this.absolute ? value : this.place[i] + this.magnify * value;
  }

  /** The same, as it is drawn: bodies on strings swing. */
  private along(row: number, i: number): number {
    const length = this.string?.[i] ?? 0, x = this.x(row, i);
    return length > 0 ? this.place[i] + Math.min(length, this.longest) * Math.sin(this.turn(x, i)) : x;
  }

  private turn(x: number, i: number): number {
    return Math.max(-1.5, Math.min(1.5, (x - this.place[i]) / this.string![i]));
  }

  private rowOf(grid: Grid): number { return Math.min(grid.down - 1, Math.floor(this.clock.row / grid.tall)); }

  protected paint(context: CanvasRenderingContext2D, width: number, height: number): void {
    if (this.vertical) this.paintDown(context, width, height);
    else this.paintAcross(context, width, height);
  }

  /** Colour of each body now, as a number along the palette; -1: no velocity, -2: not a number. */
  private shades(): Int16Array {
    const out = new Int16Array(this.n).fill(-1), { v } = this;
    if (!v) return out;
    const row = this.rowOf(v) * v.across, scale = 127.5 / (this.vMost || 1);
    for (let i = 0; i < this.n; i++) {
      const value = v.values[row + Math.floor((i * this.group) / v.wide)];
      out[i] = Number.isFinite(value) ? Math.max(0, Math.min(255, Math.round(127.5 + scale * value))) : -2;
    }
    return out;
  }

  private colour(shade: number): string {
    return shade >= 0 ? css(palette("signed"), shade / 255) : styled(shade === -1 ? "--bead" : "--warn");
  }

  private paintAcross(context: CanvasRenderingContext2D, width: number, height: number): void {
    const left = 60, right = width - 24, [low, high] = this.span, hanging = this.string || this.spring;
    const biggest = Math.max(...minmax(this.radius));
    const profile = (this.v ? 1 : 0) + (this.force ? 1 : 0), top = height - 22 - 92 * profile;
    const strings = this.string ? Math.max(...minmax(this.string)) : 0, room = top - 42; // between what they hang from and the bodies' feet
    const whole = strings > 0 && strings < LONG * biggest ? room / (strings + biggest) : Infinity;
    const scale = Math.min((right - left) / (high - low), Math.min(46, top * (hanging ? 0.16 : 0.3)) / biggest, whole);
    this.longest = room / scale - biggest;
    const offset = left + 0.5 * (right - left - scale * (high - low)) - scale * low;
    const sx = (x: number) => offset + scale * x, middle = hanging ? top - scale * biggest - 16 : 0.5 * top;
    this.walls(context, sx, middle, Math.max(18, scale * biggest * 1.6));
    if (hanging && this.n <= 200) this.bar(context, sx, middle);
    this.beads(context, sx, middle, scale);
    let at = top + 4;
    if (this.v) { this.profile(context, sx, at, 82, this.v, "velocity", this.run.item("particles/beads/velocity")!.unit, this.vMost, false); at += 92; }
    if (this.force) this.profile(context, sx, at, 82, this.force, "force", this.run.item("observables/contacts/force")!.unit, this.fMost, true);
    context.fillStyle = styled("--faint");
    context.font = `12px ${styled("--font")}`;
    context.textAlign = "left";
    if (this.magnify !== 1) context.fillText(`displacements × ${number(this.magnify, 3)}`, 14, 20);
  }

  private where(i: number, sx: (x: number) => number, middle: number, scale: number, row: number): Place {
    const length = this.string?.[i] ?? 0, lift = length > 0 ? Math.min(length, this.longest) * (1 - Math.cos(this.turn(this.x(row, i), i))) : 0;
    return { x: sx(this.along(row, i)), y: middle - scale * lift };
  }

  private beads(context: CanvasRenderingContext2D, sx: (x: number) => number, middle: number, scale: number): void {
    const row = this.rowOf(this.u!), small = this.n > 400 || this.group > 1;
    const shades = this.shades();
    if (small) {
      this.strips(context, sx, middle, scale, row, shades);
      return;
    }
    context.lineWidth = 1;
    for (let i = 0; i < this.n; i++) {
      const { x, y } = this.where(i, sx, middle, scale, row), r = Math.max(1, scale * this.radius[i]);
      context.beginPath();
      context.arc(x, y, r, 0, 2 * Math.PI);
      context.fillStyle = this.colour(shades[i]);
      context.fill();
      if (r > 2.5) this.rim(context, i, r);
      if (r > 13 && this.n <= 40) {
        context.fillStyle = isDark() === Math.abs(shades[i] - 127.5) < 75 ? "#ffffffdd" : "#000000b0"; // on white paper fast beads are dark, on black slow ones
        context.font = `${Math.min(13, r * 0.8)}px ${styled("--font")}`;
        context.textAlign = "center";
        context.fillText(String(i + 1), x, y + 4);
      }
    }
  }

  /** The outline of body i, in the colour of its material where there are several; that may be pale and has an edge of its own. */
  private rim(context: CanvasRenderingContext2D, i: number, r: number): void {
    const material = this.madeOf?.[i] ?? 0, wide = material > 0 ? Math.max(1.5, Math.min(5, 0.22 * r)) : 0;
    context.strokeStyle = isDark() ? "#ffffff66" : "#00000066";
    context.lineWidth = material > 0 ? wide + 1.2 : 1;
    context.stroke();
    if (material === 0) return;
    context.strokeStyle = this.rims[material - 1];
    context.lineWidth = wide;
    context.stroke();
  }

  private readonly strip = document.createElement("canvas");

  /** Too small for discs: strips. Where several fall on one pixel, the one whose velocity is farthest from zero is seen. */
  private strips(context: CanvasRenderingContext2D, sx: (x: number) => number, middle: number, scale: number, row: number, shades: Int16Array): void {
    const tall = Math.max(26, Math.min(60, scale * 2 * mean(this.radius))), wide = Math.ceil(context.canvas.clientWidth * 2), image = context.createImageData(wide, 1);
    const colours = palette("signed"), far = new Float32Array(wide).fill(-1), pixels = new Uint32Array(image.data.buffer);
    for (let i = 0; i < this.n; i++) {
      const x = this.x(row, i), shade = shades[i], away = shade === -2 ? 1e3 : Math.abs(shade - 127.5);
      const a = Math.max(0, Math.floor(2 * sx(x - this.radius[i]))), b = Math.min(wide, Math.max(a + 1, Math.floor(2 * sx(x + this.radius[i]))));
      const k = 3 * Math.max(0, shade), tint = shade === -2 ? 0xff6000b0 : shade === -1 ? 0xffb4a79a : 0xff000000 | (colours[k + 2] << 16) | (colours[k + 1] << 8) | colours[k];
      for (let p = a; p < b; p++) if (away > far[p]) { far[p] = away; pixels[p] = tint; }
    }
    const { strip } = this;
    if (strip.width !== wide) strip.width = wide;
    strip.height = 1;
    strip.getContext("2d", { willReadFrequently: true })!.putImageData(image, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(strip, 0, middle - tall / 2, wide / 2, tall);
  }

  /** What strings hang from. */
  private bar(context: CanvasRenderingContext2D, sx: (x: number) => number, middle: number): void {
    const row = this.rowOf(this.u!), scale = sx(1) - sx(0);
    context.strokeStyle = styled("--faint");
    context.lineWidth = 1.2;
    for (let i = 0; i < this.n; i++) {
      if (this.string ? !(this.string[i] > 0) : !(this.spring![i] > 0)) continue;
      const { x, y } = this.where(i, sx, middle, scale, row), hook = this.string ? middle - Math.min(this.string[i], this.longest) * scale : 22;
      context.beginPath();
      context.moveTo(sx(this.place[i]), hook);
      context.lineTo(x, y);
      context.stroke();
      context.fillStyle = styled("--faint");
      context.fillRect(sx(this.place[i]) - Math.max(6, scale * this.radius[i]), hook - 4, 2 * Math.max(6, scale * this.radius[i]), 4);
    }
  }

  private walls(context: CanvasRenderingContext2D, sx: (x: number) => number, middle: number, half: number): void {
    const { wall_left, wall_right } = this.run.shape;
    context.fillStyle = hatch(context);
    if (typeof wall_left === "number") context.fillRect(sx(wall_left) - 14, middle - half, 14, 2 * half);
    if (typeof wall_right === "number") context.fillRect(sx(wall_right), middle - half, 14, 2 * half);
  }

  /** Velocities at the bodies or forces at the contacts, under the picture. */
  private profile(context: CanvasRenderingContext2D, sx: (x: number) => number, top: number, tall: number, grid: Grid, name: string, unit: string, largest: number, contact: boolean): void {
    const scale = axisScale(unit, largest), limit = largest || 1, row = this.rowOf(grid), uRow = this.rowOf(this.u!);
    context.fillStyle = styled("--ink");
    context.font = `11px ${styled("--font")}`;
    context.textAlign = "left";
    context.fillText(`${name}${scale.unit ? ` (${scale.unit})` : ""}`, 54, top + 9); // above the bars
    top += 15;
    tall -= 15;
    const signed = !contact || this.signed(grid), zero = signed ? top + tall / 2 : top + tall, high = signed ? tall / 2 : tall;
    context.strokeStyle = styled("--grid");
    context.lineWidth = 1;
    context.strokeRect(52.5, Math.round(top) + 0.5, context.canvas.clientWidth - 52 - 24, tall);
    context.beginPath();
    context.moveTo(52, Math.round(zero) + 0.5);
    context.lineTo(context.canvas.clientWidth - 24, Math.round(zero) + 0.5);
    context.stroke();
    context.fillStyle = styled("--ink");
    context.font = `11px ${styled("--font")}`;
    context.textAlign = "right";
    const [low, high_] = [signed ? -limit * scale.factor : 0, limit * scale.factor];
    const marks = [2, 4, 8].map((most) => ticks(low, high_, most)).find((some) => some.length > 1) ?? [0]; // 0 alone is no scale
    for (const t of marks.filter((value, i) => value === 0 || i === 0 || i === marks.length - 1)) {
      const y = zero - (t / scale.factor / limit) * high;
      context.fillText(tickText(t, limit * scale.factor), 47, y + 4);
    }
    context.fillStyle = contact ? lineColour(1) : lineColour(0);
    const exact = contact && this.group === 1 && grid.wide === 1, width = Math.max(1.4, Math.min(10, (sx(1) - sx(0)) * mean(this.radius) * 0.7));
    const bars = new Map<number, number>(); // by half pixels: of several at one place the largest is seen
    for (let j = 0; j < grid.across; j++) {
      const value = grid.values[row * grid.across + j];
      if (!Number.isFinite(value)) continue;
      const at = exact ? this.contactPlace(j, uRow) : this.along(uRow, Math.min(this.n - 1, Math.max(0, this.bodyOf(j, grid, contact))));
      const x = Math.round(2 * sx(at)), known = bars.get(x);
      if (known === undefined || Math.abs(value) > Math.abs(known)) bars.set(x, value);
    }
    for (const [x, value] of bars) {
      const y = zero - (value / limit) * high;
      context.fillRect(x / 2 - width / 2, Math.min(zero, y), width, Math.max(0.7, Math.abs(y - zero)));
    }
  }

  private bodyOf(j: number, grid: Grid, contact: boolean): number {
    if (!contact) return Math.floor((j * grid.wide) / this.group);
    const pair = this.run.pair(j * grid.wide);
    return Math.floor(Math.max(0, pair ? pair[0] : 0) / this.group);
  }

  private contactPlace(j: number, row: number): number {
    const pair = this.run.pair(j), { wall_left, wall_right } = this.run.shape;
    if (!pair) return this.place[0];
    const [a, b] = pair;
    if (a < 0) return typeof wall_left === "number" ? wall_left : this.along(row, b) - this.radius[b];
    if (b < 0) return typeof wall_right === "number" ? wall_right : this.along(row, a) + this.radius[a];
    return 0.5 * (this.along(row, a) + this.radius[a] + this.along(row, b) - this.radius[b]);
  }

  private signs = new Map<Grid, boolean>();
  private signed(grid: Grid): boolean {
    let known = this.signs.get(grid);
    if (known === undefined) {
      known = false;
      for (let i = 0; i < grid.down * grid.across && !known; i++) known = grid.values[i] < -1e-3 * this.fMost;
      this.signs.set(grid, known);
    }
    return known;
  }

  /** With weights: the direction they pull is down. */
  private paintDown(context: CanvasRenderingContext2D, width: number, height: number): void {
    const [low, high] = this.span, flip = this.run.shape.down < 0, biggest = Math.max(...minmax(this.radius));
    const scale = Math.min((height - 60) / (high - low), 60 / biggest), used = scale * (high - low), base = 30 + 0.5 * (height - 60 - used);
    const sy = (x: number) => (flip ? base + scale * (high - x) : base + scale * (x - low));
    const middle = width * 0.3, row = this.rowOf(this.u!), { wall_left, wall_right } = this.run.shape;
    const shades = this.shades();
    context.fillStyle = hatch(context);
    for (const [wall, side] of [[wall_left, -1], [wall_right, 1]] as [unknown, number][])
      if (typeof wall === "number") context.fillRect(middle - 90, (side > 0) !== flip ? sy(wall) : sy(wall) - 14, 180, 14);
    for (let i = 0; i < this.n; i++) {
      const r = Math.max(2, scale * this.radius[i]);
      context.beginPath();
      context.arc(middle, sy(this.x(row, i)), r, 0, 2 * Math.PI);
      context.fillStyle = this.colour(shades[i]);
      context.fill();
      this.rim(context, i, r);
    }
    this.trail(context, width, height, sy);
    context.fillStyle = styled("--faint");
    context.font = `12px ${styled("--font")}`;
    context.textAlign = "left";
    context.fillText("↑ up", 14, 40);
    context.fillText("↓ down", 14, height - 12);
    if (this.magnify !== 1) context.fillText(`displacements × ${number(this.magnify, 3)}`, 14, 20);
  }

  private rows: { width: number; list: number[] } = { width: 0, list: [] };

  /** Rows that lie a pixel apart in time: samples are dense in contacts and sparse in flight. */
  private seen(width: number): number[] {
    if (this.rows.width === width) return this.rows.list;
    const list: number[] = [], u = this.u!, step = (this.run.end - this.run.start) / Math.max(1, width);
    let last = -Infinity;
    for (let r = 0; r < u.down; r++) {
      const t = this.run.timeOf(Math.min(this.run.rows - 1, r * u.tall));
      if (t - last < step && r + 1 < u.down) continue;
      list.push(r);
      last = t;
    }
    this.rows = { width, list };
    return list;
  }

  /** Where each body has been and will be, to the right of the picture. */
  private trail(context: CanvasRenderingContext2D, width: number, height: number, sy: (x: number) => number): void {
    const left = width * 0.48, right = width - 30, u = this.u!, shown = this.seen(right - left);
    const now = left + ((right - left) * (this.clock.time - this.run.start)) / (this.run.end - this.run.start || 1);
    for (let i = 0; i < this.n; i++) {
      context.beginPath();
      for (const r of shown) {
        const t = this.run.timeOf(Math.min(this.run.rows - 1, r * u.tall));
        context.lineTo(left + ((right - left) * (t - this.run.start)) / (this.run.end - this.run.start || 1), sy(this.x(r, i)));
      }
      context.strokeStyle = this.n <= 8 ? lineColour(i) : styled("--faint");
      context.lineWidth = 1.1;
      context.stroke();
    }
    context.strokeStyle = styled("--marker");
    context.beginPath();
    context.moveTo(now, 20);
    context.lineTo(now, height - 20);
    context.stroke();
    context.fillStyle = styled("--ink");
    context.font = `12px ${styled("--font")}`;
    context.textAlign = "center";
    context.fillText("time →", (left + right) / 2, height - 6);
  }

  table(): { head: string[]; rows: Iterable<(number | string)[]> } {
    const row = this.clock.row, run = this.run, columns = ["particles/beads/displacement", "particles/beads/position", "particles/beads/velocity"].map((p) => run.item(p)).filter((i): i is Item => i !== undefined);
    const n = run.shape.n as number;
    const rows = function* () { for (let i = 0; i < n; i++) yield [i + 1, run.timeOf(row), ...columns.map((item) => item.value(row, i))]; };
    return { head: ["bead", "time", ...columns.map((item) => item.name)], rows: rows() };
  }
}

export class MachineMovie extends Movie {
  private readonly q: Grid;
  static fits(run: Run): boolean {
    return run.shape?.kind === "mechanism" && run.rows > 0 && knowsMachine(run.shape.name) && (run.item("particles/mechanism/displacement")?.grid() ?? null) !== null;
  }
  constructor(run: Run, clock: Clock) {
    const q = run.item("particles/mechanism/displacement")!;
    super("Moving picture", "", run, clock, q.grid()!.tall);
    this.q = q.grid()!;
    this.height = 380;
    const name = String(run.shape.name).replace("kane-pendulum", "double pendulum of Kane").replaceAll("-", " ");
    this.notes.prepend(`${/^[aeiou]/.test(name) ? "An" : "A"} ${name}, ${/^(ball|block|oscillator)$/.test(name) ? "paths to scale, its own size chosen" : "to scale"}` +
      (run.item("observables/contacts/friction") ? "; arrows show forces on it, to a scale of their own, the longest cut. " : ". "));
    this.note(q.note);
  }
  protected paint(context: CanvasRenderingContext2D, width: number, height: number): void {
    const row = Math.min(this.q.down - 1, Math.floor(this.clock.row / this.q.tall));
    drawMachine(context, width, height, { run: this.run, q: this.q, row });
  }
  table(): { head: string[]; rows: Iterable<(number | string)[]> } {
    const { q, run } = this, names: string[] = run.shape.coordinates ?? [];
    const rows = function* () { for (let r = 0; r < q.down; r++) yield [run.timeOf(r * q.tall), ...Array.from({ length: q.across }, (_, k) => q.values[r * q.across + k])]; };
    return { head: ["time", ...Array.from({ length: q.across }, (_, k) => names[k] ?? `q${k + 1}`)], rows: rows() };
  }
}

function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return sum / (values.length || 1);
}
function minmax(values: ArrayLike<number>): [number, number] {
  let low = Infinity, high = -Infinity;
  for (let i = 0; i < values.length; i++) { if (values[i] < low) low = values[i]; if (values[i] > high) high = values[i]; }
  return [low, high];
}
function most(grid: Grid | null): number {
  let size = 0;
  for (let i = 0; grid && i < grid.down * grid.across; i++) {
    const v = Math.abs(grid.values[i]);
    if (v > size && v < Infinity) size = v;
  }
  return size;
}
function nice(x: number): number {
  if (!(x > 0) || !Number.isFinite(x)) return 1;
  const size = 10 ** Math.floor(Math.log10(x));
  return x / size >= 3 ? 3 * size : size;
}
