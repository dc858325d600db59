// Motions of several runs of one row of bodies, one under the other, on one clock.
import { css, palette } from "./colours";
import { el, styled } from "./dom";
import { Figure, sharp } from "./figure";
import { number, scaleFor } from "./format";

/** What moves: entries x samples x bodies, and when. */
export interface Together { labels: string[]; time: ArrayLike<number>; unit: string; u: ArrayLike<number>; v: ArrayLike<number> | null; bodies: number }

const seconds = 10, tall = 74;

export class TogetherMovie extends Figure {
  private readonly canvas = el("canvas", { class: "picture", role: "img" });
  private readonly slider: HTMLInputElement;
  private readonly start: HTMLButtonElement;
  private readonly readout = el("output", { class: "readout" });
  private row = 0;
  private playing = false;
  private readonly largest: number;
  private readonly fastest: number;

  constructor(private readonly of: Together) {
    super("Side by side on one clock", "");
    const rows = of.time.length;
    this.largest = most(of.u);
    this.fastest = of.v ? most(of.v) : 0;
    this.start = el("button", { type: "button", class: "play", title: "Play or pause (space)", click: () => this.toggle() }, "▶");
    this.slider = el("input", { type: "range", min: 0, max: rows - 1, step: 1, value: 0, "aria-label": "time", input: () => { this.playing = false; this.at(Number(this.slider.value)); } });
    this.body.append(this.canvas, el("div", { class: "player" }, this.start, this.slider, this.readout));
    this.card.classList.add("movie");
    this.notes.append(`Bodies stand in their order, at equal distances; displacements are scaled, the largest to one of these.${of.v ? " Colour: velocity, to the right positive." : ""}`);
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
    const { labels, bodies, time, unit, u, v } = this.of, width = this.body.clientWidth, height = 12 + tall * labels.length;
    const context = sharp(this.canvas, width, height), left = 14, across = (width - 2 * left) / (bodies + 1.2), colours = palette("signed"), scale = scaleFor(unit, time[time.length - 1]);
    context.fillStyle = styled("--card");
    context.fillRect(0, 0, width, height);
    this.readout.textContent = `t = ${number(time[this.row] * scale.factor, 5)}${scale.unit ? ` ${scale.unit}` : ""}`;
    labels.forEach((label, i) => {
      const from = (i * time.length + this.row) * bodies, y = 12 + tall * i + 44, radius = Math.min(22, across / 2);
      context.fillStyle = styled("--ink");
      context.font = `12px ${styled("--font")}`;
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
    const { labels, bodies, time, u } = this.of, row = this.row;
    const rows = function* () { for (let k = 0; k < bodies; k++) yield [k + 1, time[row], ...labels.map((_, i) => u[(i * time.length + row) * bodies + k])]; };
    return { head: ["body", "time", ...labels], rows: rows() };
  }

  picture(): HTMLCanvasElement { this.show(); return this.canvas; }
}

function most(values: ArrayLike<number>): number {
  let size = 0;
  for (let i = 0; i < values.length; i++) { const v = Math.abs(values[i]); if (v > size && v < Infinity) size = v; }
  return size;
}
