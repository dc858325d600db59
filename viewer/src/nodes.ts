// Corners that cells of solids share. Where turns of cells were not recorded, a corner goes with the mean of the cells around it,
// so that a body that is not broken is seen whole.

export class Nodes {
  private readonly cells: number[][] = []; // around each corner
  private readonly known = new Map<string, number>();

  /** `near`: places that are not farther apart along any axis are one. */
  constructor(private readonly near: number) {}

  get count(): number { return this.cells.length; }

  /** The corner at a place, which belongs to this cell, too. */
  at(place: number[], cell: number): number {
    const low = place.map((x) => Math.round(x / this.near)), other = place.map((x, k) => (x / this.near > low[k] ? low[k] + 1 : low[k] - 1));
    for (let way = 0; way < 8; way++) {
      const node = this.known.get(low.map((x, k) => (way & (1 << k) ? other[k] : x)).join());
      if (node === undefined) continue;
      if (!this.cells[node].includes(cell)) this.cells[node].push(cell);
      return node;
    }
    this.known.set(low.join(), this.cells.length);
    return this.cells.push([cell]) - 1;
  }

  /** A place in the middle of others, which goes with the mean of them. */
  amid(nodes: number[]): number { return this.cells.push(nodes.flatMap((node) => this.cells[node])) - 1; }

  /** The motions of all corners, from those of cells: four numbers each, the last is not used. */
  fill(motion: ArrayLike<number>, out: Float32Array): void {
    this.cells.forEach((around, node) => {
      for (let k = 0; k < 3; k++) {
        let sum = 0;
        for (const cell of around) sum += motion[4 * cell + k];
        out[4 * node + k] = sum / around.length;
      }
    });
  }
}
