// The cells of one solid on the page: their faces, which of them can be seen, and where the numbers of the run file stand.
import { array, type Grid, type Item, type Run } from "./data";

const faces = [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]];

/** A face of a cell, from the cell's centre; of a crack, the sample since which it is there. */
export interface Face { cell: number; points: number[][]; since?: number }

export class Cells {
  readonly name: string;
  readonly seen: number;
  readonly kept: ArrayLike<number>;
  readonly centre: ArrayLike<number>;
  readonly moved: Item; // displacements, or positions
  readonly absolute: boolean;
  readonly turned: Item | undefined;
  readonly touch: number[]; // mean displacement when the solid first touches something
  readonly whole: boolean; // its cells are drawn as one body that gives way, not each by itself
  private readonly u: Grid;
  private readonly rotation: Grid | null;

  /** Those solids of a run whose motion the page has. */
  static all(run: Run): Cells[] {
    if (run.shape?.kind !== "cells" || run.rows === 0) return [];
    let first = 0;
    return (run.shape.solids as any[]).flatMap((text, i) => {
      const item = ["displacement", "position"].map((word) => run.item(`particles/${text.part}/${word}`)).find((found) => found?.gridded);
      if (!item || !(text.seen > 0)) return [];
      const made = new Cells(run, text, i, first, item);
      first += text.seen;
      return [made];
    });
  }

  constructor(private readonly run: Run, readonly text: any, private readonly number: number, readonly first: number, moved: Item) {
    this.name = text.name;
    this.seen = text.seen;
    this.kept = array(text.kept);
    this.centre = array(text.centre);
    this.moved = moved;
    this.absolute = moved.path.endsWith("/position");
    this.u = moved.grid()!;
    this.turned = this.item("rotation");
    this.rotation = this.turned?.grid() ?? null;
    this.whole = !this.rotation && !text.breaks && this.seen <= 20000;
    this.touch = this.mean(run.firstTouch(-3 - this.number));
  }

  item(word: string): Item | undefined { return this.run.item(`particles/${this.text.part}/${word}`); }

  /** Where cell i stands in a grid: reduced grids hold only the cells that the page describes. */
  index(item: Item, i: number): number { return item.seenOnly ? i : this.kept[i]; }

  rowOf(grid: Grid, row: number): number { return Math.min(grid.down - 1, Math.floor(row / grid.tall)); }

  private at(row: number, i: number, k: number): number {
    const { u, moved } = this, value = k < moved.depth ? u.values[this.rowOf(u, row) * u.across + this.index(moved, i) * moved.depth + k] : 0;
    return this.absolute && k < moved.depth ? value - this.centre[3 * i + k] : value;
  }

  private mean(row: number): number[] {
    return [0, 1, 2].map((k) => { let sum = 0; for (let i = 0; row > 0 && i < this.seen; i++) sum += this.at(row, i, k); return sum / this.seen; });
  }

  /** The farthest that a cell ever goes from where it is when its solid first touches, along each axis. */
  farthest(): number[] {
    const most = [0, 0, 0];
    for (let r = 0; r < this.u.down; r++) for (let i = 0; i < this.seen; i++) for (let k = 0; k < this.moved.depth; k++) {
      const way = Math.abs(this.at(r * this.u.tall, i, k) - this.touch[k]);
      if (way > most[k] && way < Infinity) most[k] = way;
    }
    return most;
  }

  /** Displacements for a picture that magnifies them, counted from the first touch, since a gap that closes would else grow into an
      overlap; and rotation vectors. */
  move(row: number, magnify: number, motion: Float32Array, turning: Float32Array): void {
    const { rotation, turned } = this, from = rotation && turned ? this.rowOf(rotation, row) * rotation.across : 0;
    for (let i = 0; i < this.seen; i++) {
      const to = 4 * (this.first + i);
      for (let k = 0; k < 3; k++) motion[to + k] = this.at(row, i, k) - this.touch[k] + (magnify > 0 ? this.touch[k] / magnify : 0);
      if (!rotation || !turned) continue;
      const r = from + this.index(turned, i) * turned.depth, q = rotation.values;
      if (turned.depth === 4) { // quaternion to rotation vector
        const length = Math.hypot(q[r + 1], q[r + 2], q[r + 3]), sign = q[r] < 0 ? -1 : 1;
        const factor = length > 1e-12 ? (2 * Math.atan2(length, Math.abs(q[r])) * sign) / length : 2;
        for (let k = 0; k < 3; k++) turning[to + k] = q[r + 1 + k] * factor;
      } else turning[to + 2] = q[r];
    }
  }

  /** Faces at the surface, or those inside. */
  *faces(inner: boolean): Generator<Face> {
    const { text } = this, arm = array(text.arm), point = (c: number) => [arm[3 * c], arm[3 * c + 1], arm[3 * c + 2]];
    if (text.sides) {
      const owner = array(text.owner), sides = array(text.sides), hidden = array(text.inner);
      for (let f = 0, first = 0; f < sides.length; first += sides[f++])
        if ((hidden[f] !== 0) === inner) yield { cell: owner[f], points: Array.from({ length: sides[f] }, (_, c) => point(first + c)) };
      return;
    }
    const form = array(text.form), mask = array(text.mask), list = text.corners === 4 ? [[0, 1, 2, 3]] : faces;
    for (let i = 0; i < this.seen; i++) for (let f = 0; f < list.length; f++)
      if (((mask[i] & (1 << f)) === 0) === inner) yield { cell: i, points: list[f].map((c) => point(form[i] * text.corners + c)) };
  }

  /** Faces of links that break. */
  *cracks(): Generator<Face> {
    const { cracks } = this.text;
    if (!cracks) return;
    const owner = array(cracks.owner), since = array(cracks.since), sides = array(cracks.sides), arm = array(cracks.arm);
    for (let f = 0, first = 0; f < sides.length; first += sides[f++])
      yield { cell: owner[f], since: since[f], points: Array.from({ length: sides[f] }, (_, c) => [0, 1, 2].map((k) => arm[3 * (first + c) + k])) };
  }
}
