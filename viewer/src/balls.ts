// Balls that strike a solid: plain spheres, or discs in the plane, where they were recorded. Displacements are magnified as
// the cells' are, but from the moment when a ball first touches, since a gap that closes would else grow into an overlap, and
// not so far that a ball leaves the picture.
import * as three from "three";
import type { Joint } from "./bodies";
import { array, type Grid, type Run } from "./data";
import { type Held, JointMarks } from "./jointmarks";

export class Balls implements Held {
  readonly joints: Joint[]; // rods from centre to centre or to a point of the world, and lines along which balls slide
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
    this.joints = ((shape.balls?.joints ?? []) as { kind: "distance" | "slider"; balls: [number, number]; to: number[]; axis?: number[] }[]).map(({ kind, balls, to, axis }) => ({
      kind, bodies: balls, at: [[0, 0, 0], kind === "slider" ? [0, 1, 2].map((k) => this.at[3 * balls[0] + k]) : to], axis: axis ?? [0, 0, 0] }));
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

  /** The points that a joint holds: centres of balls, and points of the world. */
  held(_row: number, joint: Joint, places: Float32Array): { points: [number[], number[]]; axis: number[] } {
    const of = (side: number) => (joint.bodies[side] < 0 ? joint.at[side] : Array.from(places.subarray(3 * joint.bodies[side], 3 * joint.bodies[side] + 3)));
    return { points: [of(0), of(joint.kind === "slider" ? 0 : 1)], axis: joint.axis };
  }

  /** Points of the world that rods end in, and the ends of what balls slide along: the picture has them, too. */
  get ends(): number[][] {
    return this.joints.flatMap(({ kind, bodies, at, axis }) => (bodies[1] >= 0 ? [] : kind === "distance" ? [at[1]] : [-1.5, 1.5].map((s) => at[1].map((x, k) => x + s * this.largest * axis[k]))));
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
