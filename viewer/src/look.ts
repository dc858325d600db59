// How bodies of plane and space are coloured, and how wide their force chains are: the choices above a moving picture,
// and the bar of colours inside it.
import { floats, type Bodies, type Field } from "./bodies";
import { palette } from "./colours";
import { choice, el, toggle } from "./dom";
import { number, scaleFor } from "./format";

const faint = 0.005; // forces below this part of the reference are not drawn

/** A bar of colours with the numbers at its ends. */
export function fillBar(bar: HTMLElement, label: string, unit: string, low: number, high: number, colours: Uint8Array, beyond = false): void {
  const scale = scaleFor(unit, Math.max(Math.abs(low), high));
  const stops = Array.from({ length: 9 }, (_, i) => { const k = 3 * Math.round((i / 8) * 255); return `rgb(${colours[k]},${colours[k + 1]},${colours[k + 2]})`; });
  if (!(high > low)) return bar.replaceChildren(el("span", {}, `${label}: ${number(low * scale.factor, 3)}${scale.unit ? ` ${scale.unit}` : ""} everywhere`));
  const strip = el("i");
  strip.style.background = `linear-gradient(to right, ${stops.join(",")})`;
  bar.replaceChildren(el("span", {}, `${label}${scale.unit ? ` (${scale.unit})` : ""}`), el("b", {}, number(low * scale.factor, 3)), strip, el("b", {}, (beyond ? "≥ " : "") + number(high * scale.factor, 3)));
}

export class Look {
  readonly bar = el("div", { class: "colourbar" });
  readonly values: Float32Array; // of the field, for each body
  readonly pieces: Float32Array; // of force chains
  low = 0;
  high = 1;
  chained: boolean;
  private readonly fields: Field[];
  private field: Field;
  private range: "run" | "most" | "moment" = "run";
  private steady = true; // widths of chains as in the whole run
  private readonly usual: number;

  constructor(private readonly bodies: Bodies, chained: boolean, private readonly change: () => void) {
    this.fields = bodies.fields();
    this.field = this.fields[0];
    this.values = new Float32Array(bodies.n);
    this.pieces = new Float32Array(floats * bodies.mostPieces);
    this.usual = bodies.usualForce();
    this.chained = chained && this.usual > 0;
  }

  tools(): Node[] {
    const made: Node[] = this.field.label === "" ? [] : [
      choice("colour", this.fields.map((f, i) => [String(i), f.label]), "0", (v) => { this.field = this.fields[Number(v)]; this.recolour(); }),
      choice("up to", [["run", "the largest"], ["most", "99 %"], ["moment", "this moment's"]], "run", (v) => { this.range = v as "run"; this.recolour(); })];
    if (this.usual > 0) made.push(toggle("force chains", "Lines between bodies that touch, as wide as the force is large", this.chained, (on) => { this.chained = on; this.change(); }),
      choice("widths", [["run", "for all times"], ["moment", "for this moment"]], "run", (v) => { this.steady = v === "run"; this.change(); }));
    return made;
  }

  get signed(): boolean { return this.field.signed && this.low < 0; }
  get colours(): Uint8Array { return palette(this.signed ? "signed" : "viridis"); }
  get label(): string { return this.field.label; }

  private recolour(): void {
    this.measure(this.row);
    this.change();
  }

  private row = 0;

  /** Values of the field at a row, and their range where it is that of the moment. */
  read(row: number): void {
    this.row = row;
    if (this.range === "moment") this.measure(row);
    this.field.fill(row, this.values);
  }

  /** The range of the field, and its bar. */
  measure(row: number): void {
    const { bodies, field, values } = this, sizes: number[] = [];
    let low = 0, high = 0;
    for (const r of this.range === "moment" ? [row] : bodies.samples(Math.max(Math.min(300, 4e6 / bodies.n), 1e6 / bodies.n))) {
      field.fill(r, values);
      for (const i of bodies.coloured) {
        const v = values[i];
        if (v < low && v > -Infinity) low = v;
        if (v > high && v < Infinity) high = v;
        if (this.range === "most" && sizes.length < 4e5 && Number.isFinite(v)) sizes.push(v);
      }
    }
    if (this.range === "most" && sizes.length > 0) {
      const last = sizes.sort((a, b) => a - b).length - 1, ends = [0.01, 0.99].map((part) => sizes[Math.round(part * last)]);
      if (ends[0] < 0 || ends[1] > 0) [low, high] = [Math.min(0, ends[0]), Math.max(0, ends[1])];
    }
    if (field.signed && -low < 0.03 * high) low = 0; // a slight pull at the end of contact: colours from 0 tell more
    if (field.signed && low < 0) { high = Math.max(high, -low); low = -high; }
    const rest = /^(speed|velocity)/.test(field.label) ? 1e-9 * (bodies.run.text.scales?.speed ?? 0) : 0;
    if (high - low <= rest) low = high = 0; // colours of rounding would tell nothing
    [this.low, this.high] = [low, high];
    if (field.label !== "") fillBar(this.bar, field.label, field.unit, low, high, this.colours, this.range === "most");
  }

  /** 0 to 1 along the colours, -1: not a number. */
  shade(i: number): number {
    const v = this.values[i];
    return Number.isFinite(v) ? Math.max(0, Math.min(1, (v - this.low) / (this.high - this.low || 1))) : -1;
  }

  /** Force chains at a row; widths are 0 (not drawn) to 1. */
  chains(row: number, places: Float32Array): number {
    if (!this.chained) return 0;
    const count = this.bodies.chains(row, places, this.pieces);
    let most = this.steady ? this.usual : 0;
    for (let i = 0; !this.steady && i < count; i++) if (this.pieces[floats * i + 6] < Infinity) most = Math.max(most, this.pieces[floats * i + 6]);
    for (let i = 0; i < count; i++) {
      const width = this.pieces[floats * i + 6] / (most || 1);
      this.pieces[floats * i + 6] = width < faint ? 0 : width <= 1 ? width : 1; // 1 also for what is not a number: it must be seen
    }
    return count;
  }
}
