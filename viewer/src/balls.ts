// Balls that strike a solid: plain spheres, or discs in the plane, where they were recorded. Displacements are magnified as
// the cells' are, but from the moment when a ball first touches, since a gap that closes would else grow into an overlap, and
// not so far that a ball leaves the picture.
import * as three from "three";
import type { Joint } from "./bodies";
import { array, type Grid, type Run } from "./data";
import { type Held, JointMarks } from "./jointmarks";

export class Balls implements Held {
  readonly joints: Joint[]; // between balls, or to a point of the world, which is ball -1
  readonly largest: number; // radius
  readonly marks: JointMarks;
  readonly mesh = new three.Group();
  readonly radius: ArrayLike<number>;
  readonly at: ArrayLike<number>;
  private readonly u: Grid | null;
  private readonly first: number[][]; // displacement of each when it first touches, 0 if it does from the start or never
  private readonly depth: number;
  private readonly absolute: boolean;

  constructor(private readonly run: Run) {
    const { shape } = run, moved = run.item("particles/balls/displacement"), item = moved ?? run.item("particles/balls/position");
    this.at = shape.balls ? array(shape.balls.at) : [];
    this.radius = shape.balls ? array(shape.balls.radius) : [];
    this.depth = shape.dimension;
    this.absolute = !moved;
    this.u = item && item.depth === this.depth ? item.grid() : null;
    this.largest = Array.from(this.radius).reduce((most, r) => Math.max(most, r), 0);
    this.joints = shape.balls?.joints ?? [];
    this.marks = new JointMarks(this);
    this.first = Array.from(this.radius, (_, i) => { const row = run.firstTouch(i); return row > 0 ? this.moved(row, i) : [0, 0, 0]; });
  }

  /** How far a ball ever is from where it first touched. */
  get farthest(): number {
    let most = 0;
    for (let i = 0; i < this.radius.length; i++) for (let row = 0; row < this.run.rows; row += this.u?.tall ?? 1) {
      const way = Math.hypot(...this.moved(row, i).map((x, k) => x - this.first[i][k]));
      if (way > most && way < Infinity) most = way;
    }
    return most;
  }

  private moved(row: number, i: number): number[] {
    const { u } = this, from = u ? Math.min(u.down - 1, Math.floor(row / u.tall)) * u.across + this.depth * i : 0;
    return [0, 1, 2].map((k) => (u && k < this.depth ? u.values[from + k] - (this.absolute ? this.at[3 * i + k] : 0) : 0));
  }

  /** Where the centre of ball i is drawn. */
  place(row: number, i: number, magnify: number): number[] {
    const first = this.first[i];
    return this.moved(row, i).map((x, k) => this.at[3 * i + k] + first[k] + magnify * (x - first[k]));
  }

  /** The points that a joint holds: centres of balls for rods and lines, points of the world, or, between two balls, the point on the way from one to the other. */
  held(_row: number, { kind, bodies, at, axis }: Joint, places: Float32Array): { points: [number[], number[]]; axis: number[] } {
    const of = (side: number) => (bodies[side] < 0 ? at[side] : Array.from(places.subarray(3 * bodies[side], 3 * bodies[side] + 3))), world = bodies.findIndex((i) => i < 0);
    if (kind === "distance") return { points: [of(0), of(1)], axis };
    const [a, b] = [of(0), of(1)], lever = at.map((way) => Math.hypot(...way)), part = lever[0] / (lever[0] + lever[1] || 1);
    const point = world < 0 ? a.map((x, k) => x + part * (b[k] - x)) : kind === "slider" ? of(1 - world) : at[world];
    return { points: [point, point], axis };
  }

  /** Points of the world that balls are held at, and the ends of what balls slide along: the picture has them, too. */
  get ends(): number[][] {
    return this.joints.flatMap(({ kind, bodies, at, axis }) => {
      const world = bodies.findIndex((i) => i < 0);
      return world < 0 ? [] : kind === "slider" ? [-1.5, 1.5].map((s) => at[world].map((x, k) => x + s * this.largest * axis[k])) : [at[world]];
    });
  }

  build(colour: string): void {
    const material = new three.MeshLambertMaterial({ color: colour });
    for (const r of Array.from(this.radius)) {
      const made = this.depth === 2 ? new three.CircleGeometry(r, 96) : new three.SphereGeometry(r, 48, 24);
      this.mesh.add(new three.Mesh(made, material));
    }
    const sun = new three.DirectionalLight(0xffffff, 1.6);
    sun.position.set(1, -2, 3);
    this.mesh.add(new three.AmbientLight(0xffffff, 1.8), sun);
  }

  frame(row: number, magnify: number): void {
    const places = new Float32Array(3 * this.radius.length);
    for (let i = 0; i < this.radius.length; i++) {
      places.set(this.place(row, i, magnify), 3 * i);
      this.mesh.children[i].position.fromArray(places, 3 * i);
    }
    this.marks.frame(row, places);
  }
}
