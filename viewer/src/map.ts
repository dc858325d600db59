// A map of a quantity over time (to the right) and bodies (upwards). A pixel that stands for several numbers shows the one
// farthest from zero. Drag a rectangle to zoom, double click to see all, click to pick a body for the histories.
import { palette, type MapName } from "./colours";
import type { Clock } from "./clock";
import { button, choice, el, styled, toggle } from "./dom";
import type { Grid, Item } from "./data";
import { Figure, sharp } from "./figure";
import { number, scaleFor, ticks, tickText, type Scale } from "./format";

export interface MapOptions { hint?: string; pick?: (column: number) => void; height?: number; what: string; rowName: string }

const margin = { left: 64, right: 92, top: 10, bottom: 44 };

export class HeatMap extends Figure {
  private readonly canvas = el("canvas", { role: "img" });
  private readonly over = el("div", { class: "over" });
  private readonly marker = el("div", { class: "marker" });
  private readonly band = el("div", { class: "band" });
  private readonly tip = el("div", { class: "tip", "aria-live": "polite" });
  private window: [number, number, number, number] = [0, 1, 0, 1]; // rows and columns of the grid that are shown
  private lowest = 0;
  private highest = 0;
  private log = false;
  private colours: MapName = "viridis";
  private known: Grid | null = null;
  private scale!: Scale;
  private readonly timeScale: Scale;
  private lost = 0;

  constructor(title: string, private readonly item: Item, private readonly make: () => Grid, private readonly clock: Clock, private readonly options: MapOptions) {
    super(title, options.hint ?? "");
    this.timeScale = scaleFor(item.run.timeUnit, item.run.end);
    this.note(item.note);
    this.over.append(this.marker, this.band, this.tip);
    this.body.classList.add("map");
    this.reserve(options.height ?? 240);
    this.body.append(this.canvas, this.over);
    this.listen();
    clock.follow(() => this.mark());
  }

  /** Its numbers, which are looked at only when somebody wants to see them. */
  private get grid(): Grid {
    if (!this.known) this.measure((this.known = this.make()));
    return this.known;
  }

  private measure(grid: Grid): void {
    const { item } = this;
    this.window = [0, grid.down, 0, grid.across];
    for (let i = 0; i < grid.down * grid.across; i++) {
      const v = grid.values[i];
      if (!Number.isFinite(v)) this.lost++;
      else if (v < this.lowest) this.lowest = v;
      else if (v > this.highest) this.highest = v;
    }
    const small = this.lowest < 0 && -this.lowest < 0.03 * this.highest; // a slight pull at the end of contact
    if (small) {
      const lowest = scaleFor(item.unit, -this.lowest);
      this.notes.append(`Colours begin at 0: slightly negative values, down to ${number(this.lowest * lowest.factor, 3)} ${lowest.unit}, are drawn as 0. `);
      this.lowest = 0;
    }
    this.scale = scaleFor(item.unit, Math.max(this.highest, -this.lowest));
    this.colours = this.lowest < 0 ? "signed" : "viridis";
    const signed = this.lowest < 0;
    this.tools.prepend(
      choice("", signed ? [["signed", "blue–red"], ["viridis", "viridis"], ["cividis", "cividis"]] : [["viridis", "viridis"], ["cividis", "cividis"]], this.colours,
        (value) => { this.colours = value as MapName; this.redraw(); }),
      toggle("log", "Logarithmic colours over four decades (key l)", false, (on) => { this.log = on; this.redraw(); }),
      button("all", "See all (key 0, or double click)", () => this.zoomOut()));
    if (this.lost > 0) this.note(`${this.lost} ${this.lost === 1 ? "value is" : "values are"} not finite: left blank`);
  }

  private get height(): number { return this.options.height ?? Math.max(240, Math.min(380, 120 + this.grid.across * 9)); }

  protected draw(): void {
    const width = this.body.clientWidth, height = this.height;
    const context = sharp(this.canvas, width, height);
    this.paint(context, width, height);
    Object.assign(this.over.style, { left: `${margin.left}px`, top: `${margin.top}px`, width: `${width - margin.left - margin.right}px`, height: `${height - margin.top - margin.bottom}px` });
    this.canvas.setAttribute("aria-label", `${this.title}: ${this.grid.across} columns over ${this.grid.down} times`);
    this.mark();
  }

  /** 0 to 1 along the colours. */
  private place(value: number): number {
    const most = Math.max(this.highest, -this.lowest) || 1;
    if (this.log) {
      const size = Math.max(0, 1 + Math.log10(Math.abs(value) / most) / 4);
      return this.colours === "signed" || this.lowest < 0 ? 0.5 + 0.5 * Math.sign(value) * size : size;
    }
    return this.lowest < 0 ? 0.5 + (0.5 * value) / most : value / most;
  }

  private paint(context: CanvasRenderingContext2D, width: number, height: number): void {
    const wide = width - margin.left - margin.right, tall = height - margin.top - margin.bottom;
    context.fillStyle = styled("--card");
    context.fillRect(0, 0, width, height);
    const colours = palette(this.colours);
    const sharpness = Math.min(3, window.devicePixelRatio || 1); // as many columns as are shown: of more some would be left out, and short blows with them
    const image = this.image(Math.max(1, Math.round(wide * sharpness)), Math.max(1, Math.round(tall)), colours);
    context.imageSmoothingEnabled = false;
    context.drawImage(image, margin.left, margin.top, wide, tall);
    this.axes(context, width, height, wide, tall);
    this.bar(context, width, height, colours);
  }

  /** Each pixel: of all numbers it covers the one farthest from zero. */
  private image(wide: number, tall: number, colours: Uint8Array): HTMLCanvasElement {
    const [r0, r1, c0, c1] = this.window, { across, values, down } = this.grid;
    const canvas = document.createElement("canvas");
    canvas.width = wide = Math.min(wide, Math.max(1, Math.ceil((r1 - r0) * 64)));
    canvas.height = tall = Math.min(tall, Math.max(1, Math.ceil((c1 - c0) * 64)));
    const context = canvas.getContext("2d")!, data = context.createImageData(wide, tall), pixels = data.data;
    const rows = this.timeRows(wide);
    for (let y = 0; y < tall; y++) {
      const low = Math.max(0, Math.floor(c0 + ((c1 - c0) * (tall - 1 - y)) / tall));
      const high = Math.min(across, Math.max(low + 1, Math.floor(c0 + ((c1 - c0) * (tall - y)) / tall)));
      for (let x = 0; x < wide; x++) {
        let best = 0, seen = false;
        for (let r = rows[x]; r < Math.min(down, Math.max(rows[x] + 1, rows[x + 1])); r++)
          for (let c = low; c < high; c++) {
            const v = values[r * across + c];
            if (Number.isFinite(v) && (!seen || Math.abs(v) > Math.abs(best))) { best = v; seen = true; }
          }
        if (!seen) continue;
        const i = 3 * Math.max(0, Math.min(255, Math.round(this.place(best) * 255))), to = 4 * (y * wide + x);
        pixels[to] = colours[i]; pixels[to + 1] = colours[i + 1]; pixels[to + 2] = colours[i + 2]; pixels[to + 3] = 255;
      }
    }
    context.putImageData(data, 0, 0);
    return canvas;
  }

  /** The first row of the grid under each column of pixels: columns are even in time, rows need not be. */
  private timeRows(wide: number): Int32Array {
    const [t0, t1] = this.times(), rows = new Int32Array(wide + 1), { tall, down } = this.grid;
    for (let x = 0; x <= wide; x++) {
      const row = this.item.run.rowAt(t0 + ((t1 - t0) * x) / wide);
      rows[x] = Math.min(down - (x < wide ? 1 : 0), Math.floor(row / tall));
    }
    rows[wide] = Math.max(rows[wide], rows[wide - 1] + 1);
    return rows;
  }

  /** The times at the left and right edge. */
  times(): [number, number] {
    const { run } = this.item, { tall } = this.grid, last = run.rows - 1;
    const t0 = run.timeOf(Math.min(last, this.window[0] * tall)), t1 = run.timeOf(Math.min(last, this.window[1] * tall));
    return [t0, t1 > t0 ? t1 : t0 + 1e-300];
  }

  private axes(context: CanvasRenderingContext2D, width: number, height: number, wide: number, tall: number): void {
    const [t0, t1] = this.times().map((t) => t * this.timeScale.factor), [, , c0, c1] = this.window;
    const base = height - margin.bottom, group = this.grid.wide;
    context.strokeStyle = styled("--grid");
    context.fillStyle = styled("--ink");
    context.font = `12px ${styled("--font")}`;
    context.strokeRect(margin.left - 0.5, margin.top - 0.5, wide + 1, tall + 1);
    context.textAlign = "center";
    for (const t of ticks(t0, t1, wide / 90)) {
      const x = margin.left + ((t - t0) / (t1 - t0)) * wide;
      context.fillRect(x, base, 1, 5);
      context.fillText(tickText(t, t1 - t0), x, base + 18);
    }
    context.fillText(`time${this.timeScale.unit ? ` (${this.timeScale.unit})` : ""}`, margin.left + wide / 2, base + 38);
    context.textAlign = "right";
    const { extent, run } = this.item, offset = extent === "contact" && run.shape?.kind === "beads" && run.pair(0)?.[0] === -1 ? 0 : 1; // as contactName counts
    for (const c of ticks(c0 * group + offset, c1 * group - 1 + offset, Math.min(tall / 28, (c1 - c0) * group)).filter(Number.isInteger)) {
      const y = base - (((c - offset) / group + 0.5 / group - c0) / (c1 - c0)) * tall;
      if (y < margin.top || y > base) continue;
      context.fillRect(margin.left - 5, y, 5, 1);
      context.fillText(String(c), margin.left - 9, y + 4);
    }
    context.save();
    context.translate(16, margin.top + tall / 2);
    context.rotate(-Math.PI / 2);
    context.textAlign = "center";
    context.fillText(this.options.rowName, 0, 0);
    context.restore();
    void width;
  }

  private bar(context: CanvasRenderingContext2D, width: number, height: number, colours: Uint8Array): void {
    const x = width - margin.right + 16, tall = height - margin.top - margin.bottom, most = Math.max(this.highest, -this.lowest) || 1;
    const signed = this.lowest < 0;
    for (let i = 0; i < tall; i++) {
      const k = 3 * Math.round((1 - i / tall) * 255);
      context.fillStyle = `rgb(${colours[k]},${colours[k + 1]},${colours[k + 2]})`;
      context.fillRect(x, margin.top + i, 12, 1.5);
    }
    context.strokeStyle = styled("--grid");
    context.strokeRect(x - 0.5, margin.top - 0.5, 13, tall + 1);
    context.fillStyle = styled("--ink");
    context.textAlign = "left";
    const marks = this.log ? (signed ? [-1, -0.01, 0, 0.01, 1] : [1e-4, 1e-3, 1e-2, 1e-1, 1]).map((k) => k * most)
      : ticks((signed ? -most : 0) * this.scale.factor, most * this.scale.factor, 5).map((v) => v / this.scale.factor);
    for (const value of marks) {
      const y = margin.top + (1 - this.place(value)) * tall;
      context.fillRect(x + 12, y - 0.5, 4, 1);
      context.fillText(this.log ? number(value * this.scale.factor, 2).replace(/\s×\s/, "·") : tickText(value * this.scale.factor, 2 * most * this.scale.factor), x + 19, Math.min(height - margin.bottom, y + 4));
    }
    context.fillText(this.scale.unit, x, height - margin.bottom + 18);
  }

  private mark(): void {
    if (!this.shown) return;
    const [t0, t1] = this.times(), part = (this.clock.time - t0) / (t1 - t0);
    this.marker.style.display = part >= 0 && part <= 1 ? "block" : "none";
    this.marker.style.transform = `translateX(${part * this.over.clientWidth}px)`;
  }

  /** Row of the run and column of the item under a point of the map. */
  private at(x: number, y: number): { row: number; column: number; grid: number } {
    const [t0, t1] = this.times(), [, , c0, c1] = this.window;
    const row = this.item.run.rowAt(t0 + ((t1 - t0) * x) / this.over.clientWidth);
    const c = Math.min(this.grid.across - 1, Math.max(0, Math.floor(c0 + (c1 - c0) * (1 - y / this.over.clientHeight))));
    const r = Math.min(this.grid.down - 1, Math.floor(row / this.grid.tall));
    return { row, column: c * this.grid.wide, grid: r * this.grid.across + c };
  }

  private listen(): void {
    let from: [number, number] | null = null;
    const place = (event: PointerEvent): [number, number] => {
      const box = this.over.getBoundingClientRect();
      return [Math.max(0, Math.min(box.width, event.clientX - box.left)), Math.max(0, Math.min(box.height, event.clientY - box.top))];
    };
    this.over.addEventListener("pointerdown", (event) => {
      from = place(event);
      this.over.setPointerCapture(event.pointerId);
    });
    this.over.addEventListener("pointermove", (event) => {
      const now = place(event);
      if (from && Math.hypot(now[0] - from[0], now[1] - from[1]) > 5) {
        Object.assign(this.band.style, { display: "block", left: `${Math.min(from[0], now[0])}px`, top: `${Math.min(from[1], now[1])}px`, width: `${Math.abs(now[0] - from[0])}px`, height: `${Math.abs(now[1] - from[1])}px` });
        return;
      }
      const hit = this.at(...now), value = this.grid.values[hit.grid];
      this.clock.set(hit.row, this);
      this.tip.textContent = `${this.item.label(hit.column)}${this.grid.wide > 1 ? ` and ${this.grid.wide - 1} more` : ""}, t = ${number(this.item.run.timeOf(hit.row) * this.timeScale.factor, 6)} ${this.timeScale.unit}: ${number(value * this.scale.factor, 5)} ${this.scale.unit}`;
      this.tip.style.display = "block";
    });
    this.over.addEventListener("pointerup", (event) => {
      const to = place(event), start = from;
      from = null;
      this.band.style.display = "none";
      if (!start) return;
      if (Math.hypot(to[0] - start[0], to[1] - start[1]) > 5) this.zoomTo(start, to);
      else this.options.pick?.(this.at(...to).column);
    });
    this.over.addEventListener("pointerleave", () => { this.tip.style.display = "none"; });
    this.over.addEventListener("dblclick", () => this.zoomOut());
  }

  private zoomTo(a: [number, number], b: [number, number]): void {
    const w = this.over.clientWidth, h = this.over.clientHeight, [t0, t1] = this.times(), [, , c0, c1] = this.window;
    const left = Math.min(a[0], b[0]) / w, right = Math.max(a[0], b[0]) / w, top = Math.min(a[1], b[1]) / h, low = Math.max(a[1], b[1]) / h;
    const { run } = this.item, { tall, down, across } = this.grid;
    const r0 = Math.max(0, Math.floor(run.rowAt(t0 + (t1 - t0) * left) / tall)), r1 = Math.min(down, Math.ceil(run.rowAt(t0 + (t1 - t0) * right) / tall) + 1);
    let n0 = c0 + (c1 - c0) * (1 - low), n1 = c0 + (c1 - c0) * (1 - top);
    n0 = Math.max(0, Math.floor(n0));
    n1 = Math.min(across, Math.ceil(n1));
    this.window = [r0, Math.max(r0 + 1, r1), n0, Math.max(n0 + 1, n1)];
    this.redraw();
  }

  zoomOut(): void {
    this.window = [0, this.grid.down, 0, this.grid.across];
    this.redraw();
  }

  key(name: string): boolean {
    if (name === "0") this.zoomOut();
    else if (name === "l") this.tools.querySelector<HTMLButtonElement>(".toggle")?.click();
    else if (name === "ArrowLeft" || name === "ArrowRight") this.clock.set(this.clock.row + (name === "ArrowLeft" ? -1 : 1), this);
    else if (name === "+" || name === "=") {
      const w = this.over.clientWidth, h = this.over.clientHeight;
      this.zoomTo([w / 4, 0], [(3 * w) / 4, h]);
    } else return super.key(name);
    return true;
  }

  table(): { head: string[]; rows: Iterable<(number | string)[]> } {
    const { grid, item } = this, wide = Array.from({ length: grid.across }, (_, i) => i);
    const rows = function* () {
      for (let r = 0; r < grid.down; r++) yield [item.run.timeOf(Math.min(item.run.rows - 1, r * grid.tall)), ...wide.map((c) => grid.values[r * grid.across + c])];
    };
    return { head: ["time", ...wide.map((c) => item.label(c * grid.wide))], rows: rows() };
  }

  picture(): HTMLCanvasElement {
    const width = this.body.clientWidth || 900, canvas = document.createElement("canvas");
    const context = sharp(canvas, width, this.height + 34);
    context.fillStyle = styled("--card");
    context.fillRect(0, 0, width, this.height + 34);
    context.translate(0, 34);
    this.paint(context, width, this.height);
    context.font = `600 14px ${styled("--font")}`;
    context.textAlign = "left";
    context.fillStyle = styled("--ink");
    context.fillText(this.title, 16, -12);
    return canvas;
  }
}
