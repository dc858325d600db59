// Lines over time or over anything else, by uPlot: drag to zoom, double click to see all, hover for values.
import uPlot from "uplot";
import { lineColour } from "./colours";
import type { Clock } from "./clock";
import { button, styled, toggle } from "./dom";
import { Figure } from "./figure";
import { axisScale, number, scaleFor, tickText } from "./format";
import { svgOf } from "./svg";

export interface Curve { label: string; x: ArrayLike<number>; y: ArrayLike<number>; dash?: boolean; points?: boolean; bare?: boolean; colour?: number } // bare: points without a line
/** What draws into a plot, with the factors from numbers to those of its axes. */
type Drawn = (u: uPlot, xFactor: number, yFactor: number) => void;
export interface PlotOptions {
  xLabel: string; xUnit: string; yLabel: string; yUnit: string;
  clock?: Clock; whole?: boolean; logX?: boolean; logY?: boolean; height?: number; hint?: string; zeroBased?: boolean;
  names?: string[]; // of x = 1, 2, ..., instead of the numbers
  rows?: string[]; // of y = 1, 2, ...
  digits?: number; // in the legend
  span?: [number, number]; // of the horizontal axis where all points have one x
  missing?: string; // what a value that is not there means, after how many there are
  gaps?: boolean; // or it is meant, and nothing is said of it
  under?: Drawn; over?: Drawn; // drawn below and above the curves
}

const group = uPlot.sync("time");

const TALL = 280; // pixels

export class Plot extends Figure {
  private plot: uPlot | null = null;
  private logX: boolean;
  private logY: boolean;
  private marker: HTMLElement | null = null;
  private data: uPlot.AlignedData = [[]];
  private lost = 0;
  scatter = false; // points without lines
  private readonly logButtons: HTMLButtonElement[] = [];

  constructor(title: string, private curves: Curve[], private readonly options: PlotOptions) {
    super(title, options.hint ?? "");
    this.reserve((options.height ?? TALL) + 40); // with two lines of names
    this.logX = options.logX ?? false;
    this.logY = options.logY ?? false;
    const axes: ["logX" | "logY", string, string][] = [["logY", "log y", "Logarithmic vertical axis (key l)"]];
    if (!options.clock && !options.names) axes.push(["logX", "log x", "Logarithmic horizontal axis (key x)"]);
    for (const [axis, label, hint] of axes) {
      const node = toggle(label, hint, this[axis], (on) => {
        this[axis] = on;
        this.redraw();
      });
      node.dataset.axis = axis;
      this.logButtons.push(node);
    }
    this.tools.prepend(...this.logButtons, button("all", "See all (key 0, or double click)", () => this.zoomOut()));
    options.clock?.follow((row, from) => this.mark(row, from));
  }

  setCurves(curves: Curve[]): void {
    this.curves = curves;
    this.redraw();
  }

  protected draw(): void {
    const { options } = this, clock = options.clock;
    this.plot?.destroy();
    this.body.replaceChildren();
    if (this.curves.every((curve) => curve.x.length === 0)) {
      this.body.append(Object.assign(document.createElement("p"), { className: "note", textContent: "There is nothing to draw: no samples." }));
      return;
    }
    const most = largest(this.curves.map((c) => c.y)), scaled = (log: boolean) => (log || options.whole ? scaleFor : axisScale); // decades are told as such
    const xScale = scaled(this.logX)(options.xUnit, largest([...this.curves.map((c) => c.x), options.span ?? []]));
    const yScale = scaled(this.logY)(options.yUnit, most), faint = 1e-13 * most * yScale.factor;
    this.data = this.align(xScale.factor, yScale.factor);
    const ink = styled("--ink"), grid = styled("--grid"), font = `12px ${styled("--font")}`;
    const axis = (label: string, unit: string, log: boolean): uPlot.Axis => ({
      label: label + (unit ? ` (${unit})` : ""), labelFont: font, font, stroke: ink, labelSize: 22,
      grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1, size: 5 }, space: label === options.xLabel ? 70 : 34,
      values: log ? (_, ticks) => ticks.map((v) => (v === null || Math.abs(Math.log10(v) % 1) > 1e-6 ? "" : tickText(v, v))) :
        (_, ticks) => ticks.map((v) => tickText(v, Math.abs(ticks[ticks.length - 1] - ticks[0]) || Math.abs(v))),
    });
    const legend = this.curves.length <= 12;
    const y = axis(options.yLabel, yScale.unit, this.logY);
    y.size = (_, ticks) => Math.max(64, 40 + 6.5 * (ticks ?? []).reduce((most, text) => Math.max(most, text?.length ?? 0), 0)); // the label, and the longest tick
    if (options.rows) y.values = (_, ticks) => ticks.map((v) => short(options.rows![v - 1] ?? ""));
    if (options.whole) y.incrs = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 1e5, 1e6];
    const x = axis(options.xLabel, xScale.unit, this.logX);
    x.size = 34;
    const wide = 7 * (options.names ?? []).reduce((most, name) => Math.max(most, name.length), 0); // of the longest name, in pixels
    const named = (v: number): string => options.names?.[v - 1] ?? "";
    if (options.names) {
      x.values = (_, ticks) => ticks.map(named);
      x.incrs = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3];
      x.space = 12 + wide;
    }
    this.plot = new uPlot({
      width: this.body.clientWidth, height: options.height ?? TALL,
      padding: [14, Math.max(28, wide / 2), 0, 0], // half of a label such as 1 × 10⁻⁶ at the end of the axis
      cursor: {
        drag: { x: true, y: true, uni: 30 }, focus: { prox: 24 }, points: { size: 6 },
        sync: clock ? { key: group.key, setSeries: false, scales: ["x", null], filters: { pub: () => false } } : undefined,
      },
      legend: { show: legend, live: true, isolate: true },
      focus: { alpha: 0.35 },
      scales: { x: { time: false, distr: this.logX ? 3 : 1, range: this.logX ? undefined : !options.span || !this.momentary() ? snapped : [options.span[0] * xScale.factor, options.span[1] * xScale.factor] }, y: { distr: this.logY ? 3 : 1, range: this.logY ? undefined : paddedRange(options.zeroBased ?? false, options.whole ?? false) } },
      axes: [x, y],
      series: [{ label: options.xLabel, value: (_, v) => (v === null ? "–" : options.names ? named(v) : number(v, 6) + (xScale.unit ? ` ${xScale.unit}` : "")) },
        ...this.curves.map((curve, i): uPlot.Series => ({
          label: curve.label, stroke: lineColour(curve.colour ?? i), width: this.scatter || curve.bare ? 0 : curve.dash ? 1.5 : 1.6, paths: this.scatter || curve.bare ? () => null : undefined, fill: undefined, dash: curve.dash ? [6, 5] : undefined,
          points: { show: curve.points ? true : undefined, size: curve.points ? 6 : 4 }, spanGaps: !this.sameX(), pxAlign: this.data[0].length < 5000 ? 0 : 1, // many points are thinned by whole pixels
         
          value: (_, v) => (v === null || v === undefined ? "–" : Math.abs(v) < faint && v !== 0 ? "≈ 0" : v === 0 ? "0" : number(v, options.digits ?? 5) + (yScale.unit ? ` ${yScale.unit}` : "")),
        }))],
      hooks: {
        setCursor: [(u) => {
          if (clock && u.cursor.idx !== null && u.cursor.idx !== undefined && this.hovered) clock.set(clock.run.rowAt(this.data[0][u.cursor.idx]! / xScale.factor), this);
        }],
        setScale: [() => this.mark(clock?.row ?? 0, null)],
        drawClear: options.under ? [(u) => options.under!(u, xScale.factor, yScale.factor)] : [],
        draw: options.over ? [(u) => options.over!(u, xScale.factor, yScale.factor)] : [],
      },
    }, this.data, this.body);
    this.marker = document.createElement("div");
    this.marker.className = "marker";
    if (clock) this.plot.over.append(this.marker);
    this.plot.over.addEventListener("mouseenter", () => { this.hovered = true; });
    this.plot.over.addEventListener("mouseleave", () => { this.hovered = false; });
    this.xFactor = xScale.factor;
    if (this.lost > 0 && !(options.gaps && !this.logY && !this.logX) && !this.body.querySelector(".note"))
      this.body.append(Object.assign(document.createElement("p"), { className: "note", textContent: `${this.lost} ${options.missing && !this.logY && !this.logX ? options.missing : `${this.lost === 1 ? "value is" : "values are"} not finite${this.logY || this.logX ? " or not positive" : ""} and not drawn.`}` }));
    requestAnimationFrame(() => this.mark(clock?.row ?? 0, null));
  }

  private hovered = false;
  private xFactor = 1;

  /** Curves with the same x share it; else all are put onto the union of their x. What is not finite is a gap. */
  private align(fx: number, fy: number): uPlot.AlignedData {
    this.lost = 0;
    const faint = 1e-15 * fy * largest(this.curves.map((c) => c.y)); // rounding, and ticks in many more decades never end
    const clean = (values: ArrayLike<number>, factor: number, log: boolean): (number | null)[] | Float64Array => {
      const out = new Float64Array(values.length);
      let bad = 0;
      for (let i = 0; i < values.length; i++) {
        out[i] = values[i] * factor;
        if (!Number.isFinite(out[i]) || (log && out[i] <= faint)) bad++;
      }
      if (bad === 0) return out;
      this.lost += bad;
      return Array.from(out, (v) => (Number.isFinite(v) && !(log && v <= faint) ? v : null));
    };
    const same = this.curves.every((curve) => curve.x === this.curves[0].x);
    if (same) {
      const y = this.curves.map((curve) => clean(curve.y, fy, this.logY));
      const x = new Float64Array(this.curves[0].x.length);
      for (let i = 0; i < x.length; i++) x[i] = this.curves[0].x[i] * fx;
      if (this.logX) for (let i = 0; i < x.length; i++) if (!(x[i] > 0)) return this.drop(x, y);
      return [x, ...y] as uPlot.AlignedData;
    }
    const tables = this.curves.map((curve) => {
      const points = Array.from({ length: curve.x.length }, (_, i) => [curve.x[i] * fx, curve.y[i] * fy] as [number, number])
        .filter(([a, b]) => Number.isFinite(a) && Number.isFinite(b) && !(this.logX && a <= 0) && !(this.logY && b <= faint));
      this.lost += curve.x.length - points.length;
      points.sort((a, b) => a[0] - b[0]);
      return [points.map((p) => p[0]), points.map((p) => p[1])] as uPlot.AlignedData;
    });
    return uPlot.join(tables);
  }

  /** Do all points have one x? */
  private momentary(): boolean { return new Set(this.data[0]).size === 1; }

  private sameX(): boolean { return this.curves.every((curve) => curve.x === this.curves[0].x); }

  private drop(x: Float64Array, y: ArrayLike<number | null>[]): uPlot.AlignedData {
    const keep = Array.from(x.keys()).filter((i) => x[i] > 0);
    return [keep.map((i) => x[i]), ...y.map((column) => keep.map((i) => column[i]))] as uPlot.AlignedData;
  }

  private mark(_row: number, from: unknown): void {
    const { plot, marker } = this, clock = this.options.clock;
    if (!plot || !marker || !clock) return;
    const time = clock.time * this.xFactor, { min, max } = plot.scales.x;
    const inside = min !== undefined && max !== undefined && min !== null && max !== null && time >= min && time <= max;
    marker.style.display = inside ? "block" : "none";
    if (!inside) return;
    marker.style.transform = `translateX(${plot.valToPos(time, "x")}px)`;
    if (from !== this && !this.hovered) plot.setLegend({ idx: plot.valToIdx(time) }, false);
  }

  zoomOut(): void {
    if (this.plot) this.plot.setData(this.data, true);
  }

  /** For tests and keys: the part of the horizontal axis that is shown, in the data's own unit. */
  range(): [number, number] {
    const x = this.plot?.scales.x;
    return x ? [x.min! / this.xFactor, x.max! / this.xFactor] : [NaN, NaN];
  }

  private zoom(factor: number): void {
    const { plot } = this;
    if (!plot) return;
    const { min, max } = plot.scales.x, middle = this.options.clock ? Math.min(max!, Math.max(min!, this.options.clock.time * this.xFactor)) : (min! + max!) / 2;
    plot.setScale("x", { min: middle - (middle - min!) * factor, max: middle + (max! - middle) * factor });
  }

  key(name: string): boolean {
    const clock = this.options.clock;
    if (name === "0") this.zoomOut();
    else if (name === "+" || name === "=") this.zoom(0.5);
    else if (name === "-") this.zoom(2);
    else if (name === "l" || name === "x") this.logButtons.find((b) => b.dataset.axis === (name === "l" ? "logY" : "logX"))?.click();
    else if (clock && (name === "ArrowLeft" || name === "ArrowRight")) clock.set(clock.row + (name === "ArrowLeft" ? -1 : 1), this);
    else return super.key(name);
    return true;
  }

  table(): { head: string[]; rows: Iterable<(number | string)[]> } {
    const { curves, options } = this;
    const unit = (text: string) => (text && text !== "1" ? ` (${text})` : "");
    const same = curves.every((curve) => curve.x === curves[0].x);
    if (same) {
      const rows = function* () {
        for (let i = 0; i < (curves[0]?.x.length ?? 0); i++) yield [curves[0].x[i], ...curves.map((curve) => curve.y[i])];
      };
      return { head: [options.xLabel + unit(options.xUnit), ...curves.map((c) => c.label + unit(options.yUnit))], rows: rows() };
    }
    const rows = function* () {
      for (const curve of curves) for (let i = 0; i < curve.x.length; i++) yield [curve.label, curve.x[i], curve.y[i]];
    };
    return { head: ["curve", options.xLabel + unit(options.xUnit), options.yLabel + unit(options.yUnit)], rows: rows() };
  }

  async svg(): Promise<string> {
    this.show();
    const { plot, options } = this;
    return plot ? svgOf(this.title, plot, this.data, this.curves, [options.xLabel, options.yLabel]) : super.svg();
  }

  picture(): HTMLCanvasElement {
    this.show();
    const from = this.plot?.ctx.canvas ?? document.createElement("canvas");
    const canvas = document.createElement("canvas"), head = Math.round(34 * (window.devicePixelRatio || 1)), line = head * 0.62;
    canvas.width = from.width;
    canvas.height = from.height + head + line;
    const context = canvas.getContext("2d")!;
    context.fillStyle = styled("--paper");
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = styled("--ink");
    context.font = `600 ${head * 0.42}px ${styled("--font")}`;
    context.fillText(this.title, head * 0.5, head * 0.7);
    context.drawImage(from, 0, head);
    context.font = `${head * 0.35}px ${styled("--font")}`;
    let x = head * 0.5;
    this.curves.slice(0, 12).forEach((curve, i) => {
      context.fillStyle = lineColour(curve.colour ?? i);
      context.fillRect(x, head + from.height + line * 0.35, head * 0.5, 3);
      context.fillStyle = styled("--ink");
      context.fillText(curve.label, x + head * 0.65, head + from.height + line * 0.6);
      x += head * 1.2 + context.measureText(curve.label).width;
    });
    return canvas;
  }
}

function short(name: string): string { return name.length > 16 ? `${name.slice(0, 15)}…` : name; }

function largest(columns: ArrayLike<number>[]): number {
  let most = 0;
  for (const column of columns) for (let i = 0; i < column.length; i++) {
    const size = Math.abs(column[i]);
    if (size > most && size < Infinity) most = size;
  }
  return most;
}

/** From the first to the last of the numbers, without the rounding of their scale: 59.99999999999999 would have no tick at 60. */
function snapped(_: uPlot, low: number, high: number): [number, number] {
  const tidy = (v: number): number => (high - low > 1e-6 * Math.max(Math.abs(low), Math.abs(high)) ? Number(v.toPrecision(12)) : v);
  return [tidy(low), tidy(high)];
}

/** A little room above and below; a constant, but for rounding, gets a range of its own size. */
function paddedRange(zeroBased: boolean, whole: boolean): uPlot.Range.Function {
  return (_, low, high) => {
    if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
    if (whole) return [low - 0.6, high + 0.6];
    if (zeroBased) low = Math.min(0, low);
    const size = Math.max(Math.abs(low), Math.abs(high)), span = high - low > 1e-12 * size ? high - low : size; // ticks closer than rounding never end
    if (size === 0) return [zeroBased ? 0 : -1, 1]; // parts of one contact would say nothing
    return [zeroBased && low === 0 ? 0 : low - 0.05 * span, high + 0.06 * span];
  };
}
