// The moment that all plots, maps and pictures of a run show. Whoever is hovered or played moves it; the rest follows.
import type { Run } from "./data";

export class Clock {
  row = 0;
  private readonly followers: ((row: number, from: unknown) => void)[] = [];
  private waiting = false;
  private source: unknown = null;

  constructor(readonly run: Run) {}

  get time(): number { return this.run.timeOf(this.row); }

  follow(call: (row: number, from: unknown) => void): void { this.followers.push(call); }

  /** Followers hear of it once per picture of the screen. */
  set(row: number, from: unknown = null): void {
    row = Math.max(0, Math.min(this.run.rows - 1, Math.round(row)));
    if (row === this.row || !(row >= 0)) return;
    this.row = row;
    this.source = from;
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      for (const call of this.followers) call(this.row, this.source);
    });
  }
}
