// Pictures of the machines carom knows, to scale, with the path of a point behind them. Angles as in the scenes: of
// pendulums from the vertical, to the right positive; of the crank against the guide, counterclockwise.
import { lineColour } from "./colours";
import { styled } from "./dom";
import { type Picture, coordinates, extent, forces, path, type Point, type Scene, View, zigzag } from "./sketch";
import { rubbing } from "./rubbing";

const pictures: Record<string, Picture> = {
  ...rubbing,
  ball(context, w, h, scene) {
    const [low, high] = extent(scene, 0), gap = scene.run.item("observables/contacts/gap");
    const height = coordinates(scene, scene.row)[0], span = Math.max(high - Math.min(0, low), 1e-12), r = 0.06 * span;
    const distance = gap ? gap.value(scene.row * scene.q.tall, 0) : height;
    const floor = Number.isFinite(distance) ? height - distance : 0;
    const view = new View(context, w, h, [-0.9 * span, 0.9 * span, Math.min(0, low) - 0.05 * span, high + 2.5 * r]);
    view.ground([-0.5 * span, floor], [0.5 * span, floor], 12);
    view.disc([0, height + r], r * view.scale, lineColour(0));
  },
  oscillator(context, w, h, scene, p) {
    const [low, high] = extent(scene, 0), x = coordinates(scene, scene.row)[0], span = Math.max(high - low, Math.abs(p.rest - p.stop), 1e-12);
    const box = 0.16 * span, anchor = Math.max(high, p.rest) + 0.9 * span;
    const view = new View(context, w, h, [Math.min(low, p.stop) - 0.25 * span, anchor + 0.1 * span, -0.4 * span, 0.4 * span]);
    view.ground([p.stop, 0.2 * span], [p.stop, -0.2 * span], 14);
    view.ground([anchor, -0.25 * span], [anchor, 0.25 * span], 14);
    zigzag(view, [x + 2 * box, 0], [anchor, 0]);
    view.block([[x, -box], [x + 2 * box, -box], [x + 2 * box, box], [x, box]], lineColour(0));
  },
  pendulum(context, w, h, scene, p) {
    const l = p.length, [low, high] = extent(scene, 0), top = Math.max(Math.abs(low), Math.abs(high)) > 1.5 ? l : 0.15 * l;
    const reach = Math.min(l, l * Math.sin(Math.min(Math.PI / 2, Math.max(Math.abs(low), Math.abs(high))))) + 0.15 * l;
    const view = new View(context, w, h, [-Math.max(reach, 0.4 * l), Math.max(reach, p.wall + 0.15 * l, 0.4 * l), -1.15 * l, top]);
    const bob = (q: number[]): Point => [l * Math.sin(q[0]), -l * Math.cos(q[0])];
    const r = 0.05 * l;
    view.ground([p.wall + r, -1.1 * l], [p.wall + r, -0.35 * l], 14);
    view.ground([-0.15 * l, 0], [0.15 * l, 0], -12);
    path(view, scene, bob);
    const q = coordinates(scene, scene.row);
    view.line([[0, 0], bob(q)], styled("--ink"), 2);
    view.disc(bob(q), r * view.scale, lineColour(0));
  },
  "double-pendulum"(context, w, h, scene, p) {
    const a = p.upper_length, b = p.lower_length, l = a + b, near = p.wall < 1e5;
    const view = new View(context, w, h, [-1.1 * l, Math.max(1.1 * l, near ? p.wall + 0.1 * l : 0), -1.12 * l, 1.05 * l]);
    const knee = (q: number[]): Point => [a * Math.sin(q[0]), -a * Math.cos(q[0])];
    const end = (q: number[]): Point => [knee(q)[0] + b * Math.sin(q[1]), knee(q)[1] - b * Math.cos(q[1])];
    if (near) view.ground([p.wall + 0.03 * l, -1.1 * l], [p.wall + 0.03 * l, 0.6 * l], 14);
    path(view, scene, end);
    const q = coordinates(scene, scene.row);
    view.line([[0, 0], knee(q), end(q)], styled("--ink"), 2);
    view.disc([0, 0], 4, styled("--faint"));
    view.disc(knee(q), 9, lineColour(2));
    view.disc(end(q), 9, lineColour(0));
  },
  "rocking-block"(context, w, h, scene, p) {
    const b = 0.5 * p.width, g = p.height, reach = Math.max(...extent(scene, 1).map(Math.abs));
    const wide = b + Math.max(b, g * Math.sin(Math.min(1.6, reach))) + 0.3 * g;
    const view = new View(context, w, h, [-wide, wide, -0.08 * g, 1.12 * g]);
    const q = coordinates(scene, scene.row), tilt = q[1], side = tilt < 0 ? -1 : 1;
    // the centre as the equations have it: feet do not slip
    const x = 0.5 * g * Math.sin(tilt) + side * b * (1 - Math.cos(tilt)), y = 0.5 * g + q[0];
    const corner = (dx: number, dy: number): Point => [x + dx * Math.cos(tilt) + dy * Math.sin(tilt), y - dx * Math.sin(tilt) + dy * Math.cos(tilt)];
    view.ground([-wide, 0], [wide, 0], 14);
    view.block([corner(-b, -g / 2), corner(b, -g / 2), corner(b, g / 2), corner(-b, g / 2)], lineColour(0));
    view.disc([x, y], 3, styled("--card"));
  },
  "slider-crank"(context, w, h, scene, p) {
    const a = p.crank_length, b = p.rod_length, half = 0.5 * p.slider_height + p.clearance, l = 0.5 * p.slider_length;
    const view = new View(context, w, h, [-1.25 * a, a + b + 2 * l, -1.35 * a, 1.35 * a]);
    const q = coordinates(scene, scene.row), pin: Point = [a * Math.cos(q[0]), a * Math.sin(q[0])];
    const centre = (c: number[]): Point => [a * Math.cos(c[0]) + b * Math.cos(c[1]), a * Math.sin(c[0]) + b * Math.sin(c[1])];
    const [sx, sy] = centre(q), t = q[2], d = 0.5 * p.slider_height;
    const corner = (dx: number, dy: number): Point => [sx + dx * Math.cos(t) - dy * Math.sin(t), sy + dx * Math.sin(t) + dy * Math.cos(t)];
    view.ground([b - a - 1.4 * l, half], [a + b + 1.6 * l, half], -12);
    view.ground([b - a - 1.4 * l, -half], [a + b + 1.6 * l, -half], 12);
    view.block([corner(-l, -d), corner(l, -d), corner(l, d), corner(-l, d)], lineColour(0));
    view.line([[0, 0], pin], lineColour(1), 5);
    view.line([pin, [sx, sy]], styled("--ink"), 4);
    for (const joint of [[0, 0], pin, [sx, sy]] as Point[]) view.disc(joint, 4.5, styled("--card"));
    forces(view, scene, [[corner(-l, d), -1], [corner(l, d), -1], [corner(-l, -d), 1], [corner(l, -d), 1]]);
  },
};

export function knowsMachine(name: string): boolean { return Object.hasOwn(pictures, name); }

export function drawMachine(context: CanvasRenderingContext2D, width: number, height: number, scene: Scene): void {
  pictures[scene.run.shape.name](context, width, height, scene, scene.run.shape.parameters ?? {});
}
