// Joints of bodies in space, and of balls beside solids: a dot where two are held, lines to their centres, an axis through hinges and sliders, a line for
// a distance. They are seen through the bodies that they hold.
import * as three from "three";
import type { Bodies } from "./bodies";

/** Whoever is held: bodies, or the balls beside a solid. */
export type Held = Pick<Bodies, "joints" | "held" | "largest">;

/** Points are squares to the graphics card; this makes them round. */
function round(): three.CanvasTexture {
  const canvas = document.createElement("canvas"), context = canvas.getContext("2d")!;
  canvas.width = canvas.height = 32;
  context.fillStyle = "#fff";
  context.arc(16, 16, 15, 0, 2 * Math.PI);
  context.fill();
  return new three.CanvasTexture(canvas);
}

const perJoint = 18; // numbers of its lines: to the centre of each body, and the axis or distance

export class JointMarks {
  readonly mesh = new three.Group();
  private readonly dots: Float32Array;
  private readonly lines: Float32Array;
  private readonly seen = { depthTest: false, transparent: true };
  private readonly rim = new three.PointsMaterial({ size: 11, sizeAttenuation: false, ...this.seen });
  private readonly inside = new three.PointsMaterial({ size: 7, sizeAttenuation: false, ...this.seen });
  private readonly line = new three.LineBasicMaterial(this.seen);

  constructor(private readonly bodies: Held) {
    const { joints } = bodies, geometry = (numbers: Float32Array) => new three.BufferGeometry().setAttribute("position", new three.BufferAttribute(numbers, 3));
    this.dots = new Float32Array(6 * joints.length);
    this.lines = new Float32Array(perJoint * joints.length);
    if (joints.length === 0) return;
    this.rim.map = this.inside.map = round();
    const dots = geometry(this.dots);
    this.mesh.add(new three.LineSegments(geometry(this.lines), this.line), new three.Points(dots, this.rim), new three.Points(dots, this.inside));
    this.mesh.children.forEach((child, k) => { child.frustumCulled = false; child.renderOrder = 10 + k; }); // over all else, in this order
  }

  colour(ink: string, card: string): void {
    this.line.color.set(ink);
    this.rim.color.set(ink);
    this.inside.color.set(card);
  }

  frame(row: number, places: Float32Array): void {
    const { bodies, dots, lines } = this, half = 1.5 * bodies.largest;
    bodies.joints.forEach((joint, j) => {
      const { points, axis } = bodies.held(row, joint, places), [a, b] = points, turns = joint.kind === "hinge" || joint.kind === "slider";
      const ends = joint.kind === "distance" ? [a, b] : turns ? [-half, half].map((k) => b.map((x, i) => x + k * axis[i])) : [b, b];
      dots.set([...a, ...b], 6 * j);
      joint.bodies.forEach((i, side) => lines.set([...(i < 0 ? points[side] : places.subarray(3 * i, 3 * i + 3)), ...points[side]], perJoint * j + 6 * side));
      lines.set(ends.flat(), perJoint * j + 12);
    });
    for (const child of this.mesh.children) (child as three.Points).geometry.attributes.position.needsUpdate = true;
  }
}
