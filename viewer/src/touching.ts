// Contacts that come and go: how many there are, the largest force, coordination and fabric over time, and how the forces
// of the moment are distributed.
import { Bodies } from "./bodies";
import { meanForces } from "./book";
import { lineColour } from "./colours";
import type { Clock } from "./clock";
import { el, styled, toggle } from "./dom";
import { axisName, ordinal, type Run } from "./data";
import { Figure, sharp } from "./figure";
import { quantity, scaleFor, ticks, tickText } from "./format";
import { type Curve, Plot } from "./plot";
import { Rose } from "./rose";

const most = 40; // bars

/** How many of the numbers fall into each of `bars` equal stretches from 0 to the largest. */
export function histogram(values: ArrayLike<number>, bars: number): { counts: Uint32Array; largest: number } {
  const counts = new Uint32Array(bars);
  let largest = 0;
  for (let i = 0; i < values.length; i++) if (values[i] > largest && values[i] < Infinity) largest = values[i];
  for (let i = 0; i < values.length && largest > 0; i++)
    if (values[i] >= 0 && values[i] <= largest) counts[Math.min(bars - 1, Math.floor((values[i] / largest) * bars))]++;
  return { counts, largest };
}

export class Distribution extends Figure {
  private readonly canvas = el("canvas", { class: "picture", role: "img", "aria-label": "Histogram of contact forces" });
  private readonly said = el("span", {});
  private readonly unit: string;
  private log = false;

  constructor(private readonly bodies: Bodies, private readonly clock: Clock) {
    super("Contact forces at this moment");
    this.unit = bodies.run.text.units === "none" ? "1" : "N";
    const node = toggle("log y", "Logarithmic vertical axis (key l)", false, (on) => { this.log = on; this.frame(); });
    node.dataset.axis = "logY";
    this.tools.prepend(node);
    this.body.append(this.canvas);
    this.notes.append(this.said);
    if (!bodies.touches!.whole) this.note(`of each sample the ${bodies.touches!.most} largest forces`);
    clock.follow(() => this.frame());
  }

  /** Normal forces of the sample; those that pull are not among the bars. */
  private forces(): ArrayLike<number> {
    const [from, to] = this.bodies.span(this.bodies.shown(this.clock.row));
    return this.bodies.touches!.normal.subarray(from, to);
  }

  private bars(): { counts: Uint32Array; largest: number; n: number } {
    const forces = this.forces(), bars = Math.max(6, Math.min(most, Math.ceil(2 * Math.sqrt(forces.length))));
    return { ...histogram(forces, bars), n: forces.length };
  }

  protected draw(): void { this.frame(); }

  frame(): void {
    if (!this.shown) return;
    const width = this.body.clientWidth, height = 300, context = sharp(this.canvas, width, height), { counts, largest, n } = this.bars();
    const left = 58, right = width - 16, top = 10, bottom = height - 46, tallest = Math.max(1, ...counts);
    const y = (count: number) => bottom - (bottom - top) * (this.log ? (count > 0 ? Math.log10(2 * count) / Math.log10(2.2 * tallest) : 0) : count / (1.06 * tallest));
    const scale = scaleFor(this.unit, largest), x = (force: number) => left + ((right - left) * force) / (largest || 1);
    this.axes(context, [left, right, top, bottom], y, x, tallest, largest, scale);
    context.fillStyle = lineColour(0);
    const wide = (right - left) / counts.length;
    counts.forEach((count, i) => { if (count > 0) context.fillRect(left + i * wide + 0.5, y(count), Math.max(1, wide - 1), bottom - y(count)); });
    const forces = Array.from(this.forces()), mean = n > 0 ? forces.reduce((sum, f) => sum + f, 0) / n : 0, pull = forces.filter((f) => f < 0).length;
    this.said.textContent = n > 0 ? `${n} contact${n === 1 ? "" : "s"}${pull > 0 ? `, ${pull} of them pulling and not among the bars` : ""}, mean normal force ${quantity(mean, this.unit, 4)}, largest ${quantity(largest, this.unit, 4)}. ` :
      this.bodies.startUnknown && this.bodies.shown(this.clock.row) === 0 ? "Forces of rigid contacts are known from the first step on. " : "No contacts at this moment. ";
  }

  private axes(context: CanvasRenderingContext2D, [left, right, top, bottom]: number[], y: (count: number) => number, x: (force: number) => number, tallest: number, largest: number, scale: { factor: number; unit: string }): void {
    context.fillStyle = styled("--card");
    context.fillRect(0, 0, right + 40, bottom + 60);
    context.font = `12px ${styled("--font")}`;
    context.strokeStyle = styled("--grid");
    context.fillStyle = styled("--ink");
    context.lineWidth = 1;
    context.textAlign = "right";
    const levels = this.log ? [1, 10, 100, 1e3, 1e4, 1e5, 1e6].filter((v) => v <= tallest) : ticks(0, tallest, 5).filter((v) => Number.isInteger(v));
    for (const v of levels) {
      line(context, left, y(v), right, y(v));
      context.fillText(String(v), left - 8, y(v) + 4);
    }
    context.textAlign = "center";
    const shown = ticks(0, largest * scale.factor, 8);
    for (const v of largest > 0 ? shown : []) {
      line(context, x(v / scale.factor), top, x(v / scale.factor), bottom);
      context.fillText(tickText(v, largest * scale.factor), x(v / scale.factor), bottom + 17);
    }
    context.fillText(`normal force${scale.unit ? ` (${scale.unit})` : ""}`, (left + right) / 2, bottom + 38);
    context.save();
    context.translate(14, (top + bottom) / 2);
    context.rotate(-Math.PI / 2);
    context.fillText("contacts", 0, 0);
    context.restore();
  }

  key(name: string): boolean {
    if (name === "l") (this.tools.querySelector("[data-axis=logY]") as HTMLButtonElement).click();
    else if (name === "ArrowLeft" || name === "ArrowRight") this.clock.set(this.clock.row + (name === "ArrowLeft" ? -1 : 1) * this.bodies.tall);
    else return super.key(name);
    return true;
  }

  table(): { head: string[]; rows: Iterable<(number | string)[]> } {
    const { counts, largest } = this.bars(), rows = Array.from(counts, (count, i) => [(i * largest) / counts.length, ((i + 1) * largest) / counts.length, count]);
    return { head: [`from (${this.unit})`, `to (${this.unit})`, "contacts"], rows };
  }

  picture(): HTMLCanvasElement {
    this.show();
    return this.canvas;
  }
}

function line(context: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
}

/** Curves of the parts of a tensor that are not 0 all the time; of no contacts there is no mean, and the curve has a gap. */
function parts(x: Float64Array, values: ArrayLike<number>, count: ArrayLike<number>): Curve[] {
  const curves = Array.from({ length: 6 }, (_, k): Curve => ({ label: axisName("", 6, k), x, y: Float64Array.from(x, (_, i) => (count[i] > 0 ? values[6 * i + k] : NaN)) }));
  return curves.filter((curve, k) => k < 2 || Array.from(curve.y).some((v) => v !== 0 && !Number.isNaN(v)));
}

/** The plots of contacts that come and go; null: none were recorded. */
export function touchingPlots(run: Run, clock: Clock): HTMLElement | null {
  if (!Bodies.fits(run)) return null;
  const bodies = new Bodies(run), t = bodies.touches;
  if (!t) return null;
  if (t.count.every((n) => n === 0)) return el("p", {}, "No contact is closed at any sample: bodies meet between samples, or not at all.");
  const from = bodies.startUnknown ? 1 : 0, later = <T extends ArrayLike<number> & { subarray(from: number): any }>(values: T) => values.subarray(from) as T;
  const x = Float64Array.from({ length: t.frames - from }, (_, i) => run.timeOf((from + i) * t.tall)), options = { xLabel: "time", xUnit: run.timeUnit, clock, zeroBased: true };
  const number = new Plot("Number of contacts", [{ label: "contacts", x, y: later(t.count) }], { ...options, yLabel: "contacts", yUnit: "", hint: "Whatever is closed at a sample counts, however small its force." });
  const mean = meanForces(run), force = new Plot(mean ? "Largest contact force, mean of a step" : "Largest contact force", [{ label: "largest force", x, y: later(t.largest) }], { ...options, yLabel: "force", yUnit: run.text.units === "none" ? "" : "N", hint: `Over all contacts that are closed at a sample${t.tangential.some((f) => f > 0) ? "; friction is part of the force" : ""}.${mean ? ` ${mean}` : ""}` });
  const made = [number, force];
  if (t.coordination) made.push(
    new Plot("Coordination", [{ label: "contacts of each body", x, y: later(t.coordination) }], { ...options, yLabel: "contacts of each body", yUnit: "", hint: "The mean over all bodies, as in carom show; contacts with walls count, and two bodies with corners that touch at several points count once." }));
  if (t.fabric) made.push(new Plot("Fabric", parts(x, t.fabric.subarray(6 * from), later(t.count)), { ...options, zeroBased: false, gaps: true, yLabel: "fabric", yUnit: "", hint: "The mean of n n over all contacts, n their normals: where contacts point. The trace is 1." }));
  if (t.tall > 1) for (const plot of made) plot.note(`every ${ordinal(t.tall)} sample`);
  return el("div", { class: "grid" }, ...made.map((plot) => plot.card), new Distribution(bodies, clock).card, Rose.fits(bodies) ? new Rose(bodies, clock).card : null);
}
