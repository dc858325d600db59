// Maps of coarse-grained fields at the moment: how densely bodies lie, how they flow, and the stress between them. What
// carom worked out on a grid, coloured cell by cell, with arrows for the velocity.
import { palette } from "./colours";
import type { Clock } from "./clock";
import { choice, el, styled, toggle } from "./dom";
import { array, type Numbers, ordinal, type Run } from "./data";
import { Figure, sharp } from "./figure";
import { number, quantity, scaleFor, ticks, tickText } from "./format";
import { fillBar } from "./look";

interface Axis { name: string; count: number; low: number; cell: number }

/** A quantity on the grid; `of` says it for entry i of the arrays. */
interface Layer { label: string; unit: string; signed: boolean; of: (i: number) => number }

const margin = { left: 58, right: 12, top: 8, bottom: 44 }, bar = 30; // pixels; the bar of colours stands below

export class FieldMap extends Figure {
  private readonly canvas = el("canvas", { class: "picture", role: "img" });
  private readonly bar = el("div", { class: "colourbar" });
  private readonly tip = el("div", { class: "tip", "aria-live": "polite" });
  private readonly text: any;
  private readonly axes: [Axis, Axis];
  private readonly layers: Layer[];
  private readonly velocity: [Numbers, Numbers] | null;
  private layer: Layer;
  private steady = true; // colours for all times
  private arrows: boolean;
  private fastest = 0;
  private low = 0;
  private high = 0;

  static fits(run: Run): boolean { return run.text.fields !== undefined && run.text.fields.frames > 0; }

  constructor(private readonly run: Run, private readonly clock: Clock) {
    super("Coarse-grained fields at this moment");
    this.text = run.text.fields;
    this.axes = this.text.axes;
    this.velocity = this.text.v0 ? [array(this.text.v0), array(this.text.v1)] : null;
    this.layers = this.read();
    this.layer = this.layers.find((layer) => layer.label === "pressure") ?? this.layers[0];
    this.arrows = this.velocity !== null;
    for (let i = 0; this.velocity && i < this.velocity[0].length; i++) this.fastest = Math.max(this.fastest, Math.hypot(this.velocity[0][i], this.velocity[1][i]) || 0);
    this.tools.prepend(
      choice("show", this.layers.map((layer, i) => [String(i), layer.label]), String(this.layers.indexOf(this.layer)), (v) => { this.layer = this.layers[Number(v)]; this.redraw(); }),
      choice("colours", [["run", "for all times"], ["moment", "for this moment"]], "run", (v) => { this.steady = v === "run"; this.redraw(); }),
      this.fastest > 0 ? toggle("arrows", "Arrows for the velocity, the longest for the largest of all times", true, (on) => { this.arrows = on; this.frame(); }) : "");
    this.body.append(this.canvas, this.bar, this.tip);
    this.notes.append(`Bodies and contacts spread over Lucy's kernel with a range of ${quantity(this.text.width, this.length, 3)}${this.text.over ? `; averages along ${this.text.over}` : ""}. Pressure is positive where it presses. `);
    if (this.text.tall > 1) this.note(`every ${ordinal(this.text.tall)} sample, in 16 bits`);
    this.canvas.addEventListener("pointermove", (event) => this.point(event));
    this.canvas.addEventListener("pointerleave", () => { this.tip.style.display = "none"; });
    clock.follow(() => this.frame());
  }

  private get length(): string { return this.run.text.units === "none" ? "1" : "m"; }
  private get cells(): number { return this.axes[0].count * this.axes[1].count; }

  private read(): Layer[] {
    const t = this.text, si = this.run.text.units !== "none", names = this.axes.map((axis) => axis.name), v = this.velocity, found: Layer[] = [];
    const add = (label: string, unit: string, signed: boolean, of: (i: number) => number) => { found.push({ label, unit: si ? unit : "1", signed, of }); };
    const fraction = array(t.fraction), density = array(t.density);
    if (t.s00) {
      const [a, b, c] = [array(t.s00), array(t.s11), array(t.s01)];
      add("pressure", "Pa", true, (i) => -0.5 * (a[i] + b[i]));
      add("shear stress: largest", "Pa", false, (i) => Math.hypot(0.5 * (a[i] - b[i]), c[i]));
      [a, b, c].forEach((part, k) => add(`stress ${k === 2 ? names.join("") : names[k] + names[k]}`, "Pa", true, (i) => part[i]));
    }
    add("filled fraction", "1", false, (i) => fraction[i]);
    add("density", "kg/m^3", false, (i) => density[i]);
    if (v) {
      add("speed", "m/s", false, (i) => Math.hypot(v[0][i], v[1][i]));
      names.forEach((name, k) => add(`velocity ${name}`, "m/s", true, (i) => v[k][i]));
    }
    return found;
  }

  private get at(): number { return Math.min(this.text.frames - 1, Math.floor(this.clock.row / this.text.tall)); }

  private measure(): void {
    const from = this.steady ? 0 : this.at * this.cells, to = this.steady ? this.text.frames * this.cells : from + this.cells, { layer } = this;
    this.low = this.high = 0;
    for (let i = from; i < to; i++) {
      const value = layer.of(i);
      if (value < this.low && value > -Infinity) this.low = value;
      if (value > this.high && value < Infinity) this.high = value;
    }
    if (layer.signed && -this.low < 0.03 * this.high) this.low = 0; // rounding, or a slight pull: colours from 0 tell more
    if (layer.signed && this.low < 0) this.low = -(this.high = Math.max(this.high, -this.low));
    fillBar(this.bar, layer.label, layer.unit, this.low, this.high, this.colours);
  }

  private get colours(): Uint8Array { return palette(this.low < 0 ? "signed" : "viridis"); }

  protected draw(): void {
    this.measure();
    this.frame();
  }

  /** Where the map lies on the canvas, both axes alike, and how high the canvas is. */
  private place(): { left: number; top: number; wide: number; tall: number; width: number; height: number } {
    const width = this.body.clientWidth, [x, y] = this.axes, ratio = (y.count * y.cell) / (x.count * x.cell), most = 460;
    const room = width - margin.left - margin.right, wide = Math.max(20, Math.min(room, most / ratio)), tall = Math.max(12, wide * ratio);
    return { left: margin.left + 0.5 * (room - wide), top: margin.top, wide, tall, width, height: tall + margin.top + margin.bottom + bar };
  }

  frame(): void {
    if (!this.shown) return;
    if (!this.steady) this.measure();
    const p = this.place(), context = sharp(this.canvas, p.width, p.height);
    this.canvas.setAttribute("aria-label", `${this.layer.label} on ${this.axes[0].count} × ${this.axes[1].count} cells`);
    this.paint(context, p);
  }

  private paint(context: CanvasRenderingContext2D, p: ReturnType<FieldMap["place"]>): void {
    context.fillStyle = styled("--card");
    context.fillRect(0, 0, p.width, p.height);
    context.imageSmoothingEnabled = false;
    context.drawImage(this.image(), p.left, p.top, p.wide, p.tall);
    this.frameOf(context, p);
    if (this.arrows) this.flow(context, p);
  }

  private image(): HTMLCanvasElement {
    const [{ count: nx }, { count: ny }] = this.axes, { colours, low, high, layer } = this, from = this.at * this.cells, canvas = document.createElement("canvas");
    canvas.width = nx;
    canvas.height = ny;
    const context = canvas.getContext("2d")!, data = context.createImageData(nx, ny), span = high - low || 1;
    for (let y = 0; y < ny; y++) for (let x = 0; x < nx; x++) {
      const value = layer.of(from + y * nx + x), to = 4 * ((ny - 1 - y) * nx + x), i = 3 * Math.max(0, Math.min(255, Math.round((255 * (value - low)) / span)));
      if (Number.isFinite(value)) data.data.set([colours[i], colours[i + 1], colours[i + 2], 255], to);
    }
    context.putImageData(data, 0, 0);
    return canvas;
  }

  private frameOf(context: CanvasRenderingContext2D, p: ReturnType<FieldMap["place"]>): void {
    const [x, y] = this.axes, largest = Math.max(...[x, y].map((axis) => Math.max(Math.abs(axis.low), Math.abs(axis.low + axis.count * axis.cell)))), scale = scaleFor(this.length, largest);
    const [x0, x1, y0, y1] = [x.low, x.low + x.count * x.cell, y.low, y.low + y.count * y.cell].map((v) => v * scale.factor), base = p.top + p.tall;
    context.strokeStyle = styled("--grid");
    context.fillStyle = styled("--ink");
    context.font = `12px ${styled("--font")}`;
    context.strokeRect(p.left - 0.5, p.top - 0.5, p.wide + 1, p.tall + 1);
    context.textAlign = "center";
    for (const v of ticks(x0, x1, p.wide / 70)) {
      const at = p.left + ((v - x0) / (x1 - x0)) * p.wide;
      context.fillRect(at, base, 1, 4);
      context.fillText(tickText(v, x1 - x0), at, base + 17);
    }
    context.fillText(`${x.name}${scale.unit ? ` (${scale.unit})` : ""}`, p.left + p.wide / 2, base + 36);
    context.textAlign = "right";
    for (const v of ticks(y0, y1, p.tall / 40)) {
      const at = base - ((v - y0) / (y1 - y0)) * p.tall;
      context.fillRect(p.left - 4, at, 4, 1);
      context.fillText(tickText(v, y1 - y0), p.left - 8, at + 4);
    }
    context.save();
    context.translate(Math.max(12, p.left - 46), p.top + p.tall / 2);
    context.rotate(-Math.PI / 2);
    context.textAlign = "center";
    context.fillText(`${y.name}${scale.unit ? ` (${scale.unit})` : ""}`, 0, 0);
    context.restore();
  }

  /** Arrows on about one cell in 22 pixels. */
  private flow(context: CanvasRenderingContext2D, p: ReturnType<FieldMap["place"]>): void {
    const [{ count: nx }, { count: ny }] = this.axes, size = p.wide / nx, step = Math.max(1, Math.round(22 / size)), [u, v] = this.velocity!, longest = 1.6 * step * size;
    context.strokeStyle = context.fillStyle = this.low < 0 ? styled("--ink") : "#ffffff";
    context.lineWidth = 1.2;
    context.save();
    context.beginPath();
    context.rect(p.left, p.top, p.wide, p.tall);
    context.clip();
    for (let y = step >> 1; y < ny; y += step) for (let x = step >> 1; x < nx; x += step) {
      const i = this.at * this.cells + y * nx + x, dx = (longest * u[i]) / this.fastest, dy = (-longest * v[i]) / this.fastest, length = Math.hypot(dx, dy);
      if (length > 1.5) arrow(context, p.left + (x + 0.5) * size - 0.5 * dx, p.top + p.tall - ((y + 0.5) * p.tall) / ny - 0.5 * dy, dx, dy, length);
    }
    context.restore();
  }

  private point(event: PointerEvent): void {
    const box = this.canvas.getBoundingClientRect(), p = this.place(), [ax, ay] = this.axes;
    const x = Math.floor(((event.clientX - box.left - p.left) / p.wide) * ax.count), y = Math.floor(((p.top + p.tall - event.clientY + box.top) / p.tall) * ay.count), inside = x >= 0 && y >= 0 && x < ax.count && y < ay.count;
    this.tip.style.display = inside ? "block" : "none";
    if (!inside) return;
    const value = this.layer.of(this.at * this.cells + y * ax.count + x);
    this.tip.textContent = `${ax.name} ${quantity(ax.low + (x + 0.5) * ax.cell, this.length, 3)}, ${ay.name} ${quantity(ay.low + (y + 0.5) * ay.cell, this.length, 3)}: ${Number.isFinite(value) ? quantity(value, this.layer.unit, 4) : "nobody is here"}`;
  }

  key(name: string): boolean {
    if (name === "ArrowLeft" || name === "ArrowRight") this.clock.set(this.clock.row + (name === "ArrowLeft" ? -1 : 1) * this.text.tall);
    else return super.key(name);
    return true;
  }

  table(): { head: string[]; rows: Iterable<(number | string)[]> } {
    const [ax, ay] = this.axes, from = this.at * this.cells, { layer } = this;
    const rows = Array.from({ length: this.cells }, (_, i) => [ax.low + ((i % ax.count) + 0.5) * ax.cell, ay.low + (Math.floor(i / ax.count) + 0.5) * ay.cell, layer.of(from + i)]);
    return { head: [ax.name, ay.name, `${layer.label} (${layer.unit})`], rows };
  }

  picture(): HTMLCanvasElement {
    this.show();
    const p = this.place(), canvas = document.createElement("canvas"), context = sharp(canvas, p.width, p.height), scale = scaleFor(this.layer.unit, Math.max(this.high, -this.low));
    this.paint(context, p);
    context.fillStyle = styled("--ink");
    context.textAlign = "center";
    context.fillText(`${this.layer.label}: colours from ${number(this.low * scale.factor, 3)} to ${number(this.high * scale.factor, 3)} ${scale.unit}`, p.width / 2, p.height - 10);
    return canvas;
  }
}

function arrow(context: CanvasRenderingContext2D, x: number, y: number, dx: number, dy: number, length: number): void {
  const head = Math.min(5, 0.5 * length), [ux, uy] = [dx / length, dy / length], [tx, ty] = [x + dx, y + dy];
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(tx, ty);
  context.stroke();
  context.beginPath();
  context.moveTo(tx, ty);
  context.lineTo(tx - head * (ux - 0.5 * uy), ty - head * (uy + 0.5 * ux));
  context.lineTo(tx - head * (ux + 0.5 * uy), ty - head * (uy - 0.5 * ux));
  context.fill();
}
