// Pictures of the machines that slide: on a slope, a belt or a floor, which passes by where they travel far.
import { lineColour } from "./colours";
import { styled } from "./dom";
import type { Run } from "./data";
import { clean, coordinates, extent, forces, type Frame, path, type Picture, type Point, type Scene, seen, surface, tilted, View, zigzag } from "./sketch";

const travels = new WeakMap<Run, Float64Array>();

/** How far the belt has run at each row: its speed is the block's less the slip, where both were recorded. */
function travel(scene: Scene): Float64Array {
  const { run, q } = scene, known = travels.get(run);
  if (known) return known;
  const v = run.item("particles/mechanism/velocity"), slip = run.item("observables/contacts/slip"), far = new Float64Array(q.down);
  const speed = (r: number) => (v && slip ? clean(v.value(r * q.tall, 0) - slip.value(r * q.tall, 0)) : 0);
  for (let r = 1; r < q.down; r++) far[r] = far[r - 1] + 0.5 * (speed(r - 1) + speed(r)) * (run.timeOf(r * q.tall) - run.timeOf((r - 1) * q.tall));
  travels.set(run, far);
  return far;
}

/** The smallest box around points of a frame. */
function around(frame: Frame, x: [number, number], y: [number, number]): [number, number, number, number] {
  const corners = x.flatMap((a) => y.map((b) => frame([a, b]))), xs = corners.map((p) => p[0]), ys = corners.map((p) => p[1]);
  return [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
}

/** The belt's two wheels, which turn with it. */
function wheels(view: View, ends: [number, number], frame: Frame, moved: number): void {
  const r = 17 / view.scale;
  view.line([frame([ends[0], -2 * r]), frame([ends[1], -2 * r])], styled("--ink"), 1.8);
  for (const end of ends) {
    const centre = frame([end, -r]), turn = moved / r;
    view.disc(centre, 17, styled("--card"));
    for (const k of [0, 1, 2]) {
      const rim = frame([end + r * Math.sin(turn + 2.1 * k), -r + r * Math.cos(turn + 2.1 * k)]);
      view.line([centre, rim], styled("--faint"), 2);
    }
  }
}

function box(view: View, frame: Frame, x: number, y: number, half: number, high: number): void {
  view.block(([[x - half, y], [x + half, y], [x + half, y + high], [x - half, y + high]] as Point[]).map(frame), lineColour(0));
}

function rectangle(x: number, y: number, b: number, h: number, tilt: number): (dx: number, dy: number) => Point {
  const c = Math.cos(tilt), s = Math.sin(tilt); // clockwise
  return (dx, dy) => [x + dx * b * c + dy * h * s, y - dx * b * s + dy * h * c];
}

export const rubbing: Record<string, Picture> = {
  block(context, w, h, scene, p) {
    const [x, lift] = coordinates(scene, scene.row), frame = tilted(p.slope), held = p.stiffness > 0 || p.damping > 0;
    const [low, high] = extent(scene, 0), far = travel(scene), moved = far[scene.row];
    const range: [number, number] = held ? [Math.min(low, p.rest), Math.max(high, p.rest)] : [low, high];
    const span = Math.max(range[1] - range[0], extent(scene, 1)[1], 1e-9), size = 0.08 * span, anchor = range[0] - 0.45 * span;
    const ends: [number, number] = [held ? anchor : range[0] - 0.25 * span, range[1] + 0.25 * span], top = Math.max(2.5 * size, extent(scene, 1)[1] + 2 * size);
    const view = new View(context, w, h, around(frame, ends, [-1.5 * size, top]));
    const runs = far[far.length - 1] !== 0;
    if (runs) wheels(view, ends, frame, moved);
    surface(view, ...(runs || p.slope !== 0 ? ends : view.sides), frame, moved);
    if (held) {
      view.line([frame([anchor, 0.2 * size]), frame([anchor, 2 * size])], styled("--ink"), 4);
      zigzag(view, [anchor, lift + 0.8 * size], [x - 1.3 * size, lift + 0.8 * size], frame);
    }
    box(view, frame, x, lift, 1.3 * size, 1.6 * size);
    forces(view, scene, [[frame([x, lift]), 1]], frame);
  },
  "sliding-block"(context, w, h, scene, p) {
    const b = 0.5 * p.width, g = 0.5 * p.height, [x, lift, tilt] = coordinates(scene, scene.row);
    const ends = seen(extent(scene, 0), x, b + 2 * g, 12 * (b + g));
    const view = new View(context, w, h, [...ends, -0.15 * g, extent(scene, 1)[1] + 2.2 * g]), corner = rectangle(x, g + lift, b, g, tilt);
    surface(view, ...view.sides);
    path(view, scene, (q) => [q[0], g + q[1]]);
    view.block([corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)], lineColour(0));
    view.disc([x, g + lift], 3, styled("--card"));
    forces(view, scene, [[corner(-1, -1), 1], [corner(1, -1), 1]]);
  },
  disc(context, w, h, scene, p) {
    const r = p.radius, frame = tilted(p.slope), [x, lift, turn] = coordinates(scene, scene.row);
    const high = extent(scene, 1)[1], ends = seen(extent(scene, 0), x, 3 * r, Math.max(30 * r, 4 * high));
    const view = new View(context, w, h, around(frame, ends, [-0.3 * r, high + 2.3 * r]));
    const rim = (q: number[], angle: number): Point => frame([q[0] + r * Math.sin(q[2] + angle), r + q[1] + r * Math.cos(q[2] + angle)]);
    surface(view, ...(p.slope === 0 ? view.sides : ends), frame);
    path(view, scene, (q) => rim(q, 0));
    const centre = frame([x, r + lift]), now = [x, lift, turn];
    view.disc(centre, Math.max(4, r * view.scale), p.inertia > 0.8 ? styled("--card") : lineColour(0));
    for (const angle of [0, Math.PI / 2, Math.PI, 1.5 * Math.PI]) view.line([centre, rim(now, angle)], styled("--ink"), 1.3);
    view.disc(rim(now, 0), Math.min(4, 0.35 * r * view.scale), lineColour(1));
    forces(view, scene, [[frame([x, lift]), 1]], frame);
  },
  rod(context, w, h, scene, p) {
    const half = 0.5 * p.length, [x, height, angle] = coordinates(scene, scene.row), ends = seen(extent(scene, 0), x, 1.3 * half, 10 * p.length);
    const view = new View(context, w, h, [...ends, -0.15 * half, extent(scene, 1)[1] + 1.1 * half]);
    const end = (side: number): Point => [x + side * half * Math.cos(angle), height + side * half * Math.sin(angle)];
    surface(view, ...view.sides);
    path(view, scene, (q) => [q[0], q[1]]);
    view.line([end(-1), end(1)], lineColour(0), 7);
    view.disc([x, height], 4, styled("--card"));
    forces(view, scene, [[end(-1), 1], [end(1), 1]]);
  },
  "kane-pendulum"(context, w, h, scene, p) {
    const l = p.length, top = -p.height, reach = Math.max(...[0, 1].flatMap((k) => extent(scene, k).map(Math.abs)));
    const wide = 2 * l * Math.sin(Math.min(Math.PI / 2, reach)) + 0.4 * l, up = reach > Math.PI / 2 ? 2 * l : 0.2 * l;
    const view = new View(context, w, h, [-wide, wide, top - 0.1 * l, up]);
    const knee = (q: number[]): Point => [l * Math.sin(q[0]), -l * Math.cos(q[0])];
    const end = (q: number[]): Point => [knee(q)[0] + l * Math.sin(q[1]), knee(q)[1] - l * Math.cos(q[1])];
    const q = coordinates(scene, scene.row);
    surface(view, ...view.sides, ([x, y]) => [x, y + top]);
    view.ground([-0.2 * l, 0], [0.2 * l, 0], -12);
    path(view, scene, end);
    view.line([[0, 0], knee(q)], lineColour(2), 6);
    view.line([knee(q), end(q)], lineColour(0), 6);
    for (const joint of [[0, 0], knee(q)] as Point[]) view.disc(joint, 4.5, styled("--card"));
    forces(view, scene, [[end(q), 1]]);
  },
};
