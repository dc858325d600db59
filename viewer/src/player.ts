// Play, pause, step, scrub, speed: for any moving picture of a run. Slow motion lets the time on the screen pass in
// proportion to how much the velocities change, so that an impact of microseconds is seen as long as a flight.
import type { Clock } from "./clock";
import { button, choice, el, toggle } from "./dom";
import type { Run } from "./data";
import { number, scaleFor } from "./format";

const seconds = 12; // a whole run takes so long at speed 1

export class Player {
  readonly bar: HTMLElement;
  private readonly start: HTMLButtonElement;
  private readonly slider: HTMLInputElement;
  private readonly readout = el("output", { class: "readout" });
  private readonly pace = el("output", { class: "pace" });
  private real = false;
  private playing = false;
  private slow = true;
  private speed = 1;
  private at = 0; // 0 to 1 along the playing time
  private last = 0;
  private even: Float64Array;
  private warped: Float64Array;
  drawn = 0; // pictures since play began, for measuring

  constructor(private readonly run: Run, private readonly clock: Clock, readonly tall: number) {
    const rows = Math.max(1, Math.ceil(run.rows / tall));
    this.even = this.evenTimes(rows);
    this.warped = this.warp(rows) ?? this.even;
    this.start = button("▶", "Play or pause (space)", () => this.toggle());
    this.start.classList.add("play");
    this.slider = el("input", { type: "range", min: 0, max: rows - 1, step: 1, value: 0, "aria-label": "time",
      input: () => { this.pause(); this.clock.set(Number(this.slider.value) * this.tall, this); } });
    this.bar = el("div", { class: "player" }, this.start,
      button("◂", "One sample back (left arrow)", () => this.step(-1)), button("▸", "One sample on (right arrow)", () => this.step(1)),
      this.slider, this.readout, this.pace,
      choice("speed", [["0.05", "1/20"], ["0.1", "1/10"], ["0.25", "1/4"], ["0.5", "1/2"], ["1", "1"], ["2", "2"], ["4", "4"], ...this.realTime()], "1", (v) => {
        this.real = v === "real";
        this.speed = this.real ? seconds / (this.run.end - this.run.start) : Number(v);
        this.seek();
        this.follow(this.clock.row, this);
      }),
      this.warped === this.even ? null : toggle(run.shape?.kind === "cells" ? "slow where motion changes fast" : "slow through impacts", "Time passes more slowly where velocities change", true, (on) => {
        this.slow = on;
        this.seek();
        this.follow(this.clock.row, this);
      }));
    clock.follow((row, from) => this.follow(row, from));
    this.follow(clock.row, null);
  }

  /** Part of the playing time at which each picture appears. */
  private evenTimes(rows: number): Float64Array {
    const out = new Float64Array(rows), t0 = this.run.start, t1 = this.run.end;
    for (let i = 0; i < rows; i++) out[i] = t1 > t0 ? (this.run.timeOf(Math.min(this.run.rows - 1, i * this.tall)) - t0) / (t1 - t0) : i / rows;
    return out;
  }

  private warp(rows: number): Float64Array | null {
    const velocity = this.run.items.find((item) => item.path.endsWith("/velocity") && (item.solid || /^particles\/(beads|mechanism|bodies)\//.test(item.path))) ?? this.run.items.find((item) => item.name === "kinetic");
    const grid = velocity?.grid() ?? null;
    if (!grid || rows < 3 || velocity!.width === 0) return null;
    const change = new Float64Array(rows), columns = Math.min(grid.across, 400), skip = grid.across / columns;
    let sum = 0;
    for (let i = 1; i < rows; i++) {
      const a = Math.min(grid.down - 1, Math.floor(((i - 1) * this.tall) / grid.tall)), b = Math.min(grid.down - 1, Math.floor((i * this.tall) / grid.tall));
      let size = 0;
      for (let k = 0; k < columns; k++) {
        const c = Math.floor(k * skip), d = Math.abs(grid.values[b * grid.across + c] - grid.values[a * grid.across + c]);
        if (d < Infinity) size += d;
      }
      sum += change[i] = size;
    }
    if (!(sum > 0) || !(sum < Infinity)) return null;
    const out = new Float64Array(rows);
    let total = 0;
    for (let i = 1; i < rows; i++) total += change[i] / sum, out[i] = (this.even[i] + 2 * total) / 3;
    return out;
  }

  get busy(): boolean { return this.playing; }

  private get track(): Float64Array { return this.slow && !this.real ? this.warped : this.even; }

  /** Where time is in seconds and the run neither an instant nor an hour, it can be seen as it would be. */
  private realTime(): [string, string][] {
    const span = this.run.end - this.run.start;
    return this.run.timeUnit === "s" && span >= 0.05 && span < 3600 ? [["real", "real time"]] : [];
  }

  /** "1 s on screen = 0.2 ms", around picture i. */
  private slowness(i: number): string {
    const track = this.track, a = Math.max(0, Math.min(track.length - 2, i)), part = track[a + 1] - track[a];
    if (!(part > 0) || track.length < 2) return "";
    const time = (k: number) => this.run.timeOf(Math.min(this.run.rows - 1, k * this.tall));
    const each = ((time(a + 1) - time(a)) / (part * seconds)) * this.speed, scale = scaleFor(this.run.timeUnit, each);
    return this.real ? "real time" : `1 s on screen = ${number(each * scale.factor, 2)}${scale.unit ? ` ${scale.unit}` : ""}`;
  }

  private follow(row: number, from: unknown): void {
    const scale = scaleFor(this.run.timeUnit, this.run.end), i = Math.floor(row / this.tall);
    this.slider.value = String(i);
    this.readout.textContent = `t = ${number(this.run.timeOf(row) * scale.factor, 5)}${scale.unit ? ` ${scale.unit}` : ""}`;
    this.pace.textContent = this.slowness(i);
    this.readout.title = `sample ${row} of ${this.run.rows}`;
    if (from !== this) this.seek();
  }

  private seek(): void { this.at = this.track[Math.min(this.track.length - 1, Math.floor(this.clock.row / this.tall))] ?? 0; }

  step(by: number): void {
    this.pause();
    this.clock.set(this.clock.row + by * this.tall, null);
  }

  toggle(): void { this.playing ? this.pause() : this.play(); }

  pause(): void {
    this.playing = false;
    this.start.textContent = "▶";
    this.ending?.();
    this.ending = null;
  }

  play(): void {
    if (this.playing || this.run.rows < 2) return;
    this.playing = true;
    this.start.textContent = "❚❚";
    this.last = performance.now();
    this.drawn = 0;
    if (this.at >= 0.9999) this.at = 0;
    const tick = (now: number) => {
      if (!this.playing) return;
      this.at += (Math.min(200, now - this.last) / 1000 / seconds) * this.speed;
      this.last = now;
      this.drawn++;
      if (this.at >= 1 && this.ending) {
        this.clock.set(this.run.rows - 1, this);
        this.pause();
        return;
      }
      if (this.at >= 1) this.at = 0;
      this.clock.set(this.rowAt(this.at) * this.tall, this);
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  /** Plays once from the beginning to the end, and calls back. */
  once(done: () => void): void {
    this.pause();
    this.at = 0;
    this.ending = done;
    this.play();
  }

  private ending: (() => void) | null = null;

  private rowAt(at: number): number {
    const track = this.track;
    let low = 0, high = track.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (track[middle] <= at) low = middle;
      else high = middle;
    }
    return at >= track[high] ? high : low;
  }
}
