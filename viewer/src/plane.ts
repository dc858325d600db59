// Bodies of the plane on a 2-D canvas: discs with a spoke that shows how they turn, walls, force chains. Wheel and
// dragging zoom and shift. Discs of one colour are one path, so that thousands stay fluent.
import { Bodies, cornersOf, floats, isSolid, turned, type Wall } from "./bodies";
import { css, isDark } from "./colours";
import type { Clock } from "./clock";
import { button, choice, el, styled, toggle } from "./dom";
import type { Run } from "./data";
import { Look } from "./look";
import { Movie } from "./movie";

const hues = 64, widths = 12, thick = 12, foot = 34; // pixels: how thick a plane is drawn, room for the bar of colours

/** Where the plane lies on the canvas: a point's pixel is left + scale x, top - scale y. */
interface Window { left: number; top: number; scale: number }

export class PlaneMovie extends Movie {
  private readonly bodies: Bodies;
  private readonly look: Look;
  private readonly places: Float32Array;
  private readonly angles: Float32Array;
  private readonly view = el("div", { class: "solid" });
  private low: number[];
  private high: number[];
  private readonly ways: Float32Array[]; // of bodies that go far
  private tracing = true;
  private zoom = 1;
  private middle: [number, number] | null = null; // of the picture; null: that of the bodies

  static fits(run: Run): boolean { return Bodies.fits(run) && run.shape.dimension === 2; }

  constructor(run: Run, clock: Clock) {
    const bodies = new Bodies(run);
    super("Moving picture", "", run, clock, bodies.tall);
    this.bodies = bodies;
    this.places = new Float32Array(3 * bodies.n);
    this.angles = new Float32Array(bodies.n);
    this.look = new Look(bodies, true, () => this.frame());
    [this.low, this.high] = bodies.bounds();
    this.ways = bodies.paths();
    this.canvas.replaceWith(this.view);
    this.view.append(this.canvas, this.look.bar);
    this.tools.prepend(...this.look.tools(), ...this.magnifier(), ...(this.ways.length > 0 ? [toggle("paths", "Lines along which centres move", true, (on) => { this.tracing = on; this.frame(); })] : []), button("view", "Back to the first view (key 0)", () => this.reset()));
    this.notes.append(bodies.still ? "Places were not recorded: bodies stay where they began. " : "", bodies.turning && bodies.balls.length > 0 ? "Spokes show how bodies turn. " : "", "Scroll to zoom, drag to move. ");
    for (const note of bodies.notes) this.note(note);
    this.listen();
  }

  /** Where bodies move by less than their size, displacements may be magnified. */
  private magnifier(): Node[] {
    const { bodies } = this, most = bodies.mostMoved();
    if (!(most > 0 && most < bodies.largest)) return [];
    return [choice("displacements", [1, 10, 100, 1e3, 1e4].map((k) => [String(k), `× ${k}`]), "1", (v) => { bodies.magnify = Number(v); this.frame(); })];
  }

  private reset(): void {
    this.zoom = 1;
    this.middle = null;
    this.frame();
  }

  private listen(): void {
    const { canvas } = this;
    canvas.style.touchAction = "none";
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      const before = this.at(event), factor = Math.exp(-0.0015 * event.deltaY);
      this.zoom = Math.max(0.2, Math.min(1e4, this.zoom * factor));
      const after = this.at(event), [x, y] = this.centre();
      this.middle = [x + before[0] - after[0], y + before[1] - after[1]];
      this.frame();
    }, { passive: false });
    let last: [number, number] | null = null;
    canvas.addEventListener("pointerdown", (event) => { last = [event.clientX, event.clientY]; canvas.setPointerCapture(event.pointerId); });
    canvas.addEventListener("pointerup", () => { last = null; });
    canvas.addEventListener("pointermove", (event) => {
      if (!last) return;
      const { scale } = this.window(), [x, y] = this.centre();
      this.middle = [x - (event.clientX - last[0]) / scale, y + (event.clientY - last[1]) / scale];
      last = [event.clientX, event.clientY];
      this.frame();
    });
    canvas.addEventListener("dblclick", () => this.reset());
  }

  private centre(): [number, number] { return this.middle ?? [0.5 * (this.low[0] + this.high[0]), 0.5 * (this.low[1] + this.high[1])]; }

  /** The point of the plane under the mouse. */
  private at(event: MouseEvent): [number, number] {
    const box = this.canvas.getBoundingClientRect(), w = this.window();
    return [(event.clientX - box.left - w.left) / w.scale, (w.top - event.clientY + box.top) / w.scale];
  }

  private window(): Window {
    const width = this.body.clientWidth, [x, y] = this.centre(), room = 1.06;
    const scale = this.zoom * Math.min(width / (room * (this.high[0] - this.low[0])), (this.height - foot) / (room * (this.high[1] - this.low[1])));
    return { left: width / 2 - scale * x, top: (this.height - foot) / 2 + scale * y, scale };
  }

  protected draw(): void {
    const shape = (this.high[1] - this.low[1]) / (this.high[0] - this.low[0]);
    this.height = Math.round(Math.max(300, Math.min(640, foot + this.body.clientWidth * shape * 1.05)));
    this.look.measure(this.bodies.shown(this.clock.row));
    super.draw();
  }

  protected paint(context: CanvasRenderingContext2D, width: number, height: number): void {
    const row = this.bodies.shown(this.clock.row), w = this.window();
    this.bodies.places(row, this.places);
    this.look.read(row);
    context.save();
    context.beginPath();
    context.rect(0, 0, width, height);
    context.clip();
    this.domain(context, w);
    for (const wall of this.bodies.walls) this.wall(context, w, wall, row, width + height);
    this.paths(context, w);
    this.discs(context, w, width, height);
    this.spokes(context, w, row);
    this.joints(context, w, row);
    this.chains(context, w, row);
    context.restore();
  }

  private domain(context: CanvasRenderingContext2D, w: Window): void {
    const { domain } = this.bodies;
    if (!domain) return;
    const corner = (k: number) => [w.left + w.scale * (k & 1 ? domain.high[0] : domain.low[0]), w.top - w.scale * (k & 2 ? domain.high[1] : domain.low[1])];
    context.strokeStyle = styled("--faint");
    context.lineWidth = 1;
    for (const [a, b, axis] of [[0, 1, 1], [2, 3, 1], [0, 2, 0], [1, 3, 0]]) { // joined sides are dashed, others dotted
      context.setLineDash(domain.periodic[axis] ? [8, 5] : [1.5, 5]);
      line(context, corner(a), corner(b));
    }
    context.setLineDash([]);
  }

  private wall(context: CanvasRenderingContext2D, w: Window, wall: Wall, row: number, far: number): void {
    const i = wall.body, at = [w.left + w.scale * this.places[3 * i], w.top - w.scale * this.places[3 * i + 1]], pose = this.bodies.pose(row, wall);
    const point = (x: number, y: number) => { const p = turned(pose, [x, y, 0]); return [at[0] + w.scale * p[0], at[1] - w.scale * p[1]]; };
    context.strokeStyle = styled("--ink");
    context.fillStyle = isSolid(wall) ? this.tint(i) : styled("--grid");
    context.lineWidth = 1.6;
    context.beginPath();
    if (wall.surface === "plane") {
      const n = turned(pose, wall.normal), reach = far + Math.hypot(at[0], at[1]), along = [n[1] * reach, n[0] * reach];
      const a = [at[0] - along[0], at[1] - along[1]], b = [at[0] + along[0], at[1] + along[1]];
      context.moveTo(a[0], a[1]);
      context.lineTo(b[0], b[1]);
      context.lineTo(b[0] - n[0] * thick, b[1] + n[1] * thick);
      context.lineTo(a[0] - n[0] * thick, a[1] + n[1] * thick);
      context.fill();
      return line(context, a, b);
    }
    if (wall.surface === "ball") {
      context.arc(at[0], at[1], w.scale * wall.radius, 0, 2 * Math.PI);
      for (let k = 0; k < 12; k++) { // marks on the rim show that it turns
        const c = Math.cos((k * Math.PI) / 6), s = Math.sin((k * Math.PI) / 6), rim = wall.radius, outer = rim + 7 / w.scale;
        const a = point(rim * c, rim * s), b = point(outer * c, outer * s);
        context.moveTo(a[0], a[1]);
        context.lineTo(b[0], b[1]);
      }
    } else {
      const [a, b] = wall.size, corners = wall.surface === "convex" ? cornersOf(wall) : [[-a, -b], [a, -b], [a, b], [-a, b]];
      corners.forEach(([x, y], k) => {
        const p = point(x, y);
        k === 0 ? context.moveTo(p[0], p[1]) : context.lineTo(p[0], p[1]);
      });
      context.closePath();
      if (!wall.inside) context.fill();
    }
    context.stroke();
  }

  private paths(context: CanvasRenderingContext2D, w: Window): void {
    if (!this.tracing || this.bodies.magnify !== 1) return;
    context.strokeStyle = styled("--faint");
    context.lineWidth = 1;
    for (const way of this.ways) {
      context.beginPath();
      for (let i = 0; i < way.length; i += 3) context.lineTo(w.left + w.scale * way[i], w.top - w.scale * way[i + 1]);
      context.stroke();
    }
  }

  private tint(i: number): string {
    const shade = this.look.shade(i);
    return shade < 0 ? styled("--warn") : css(this.look.colours, shade);
  }

  /** Discs by colour; the last group are those whose colour is not a number. */
  private discs(context: CanvasRenderingContext2D, w: Window, width: number, height: number): void {
    const { bodies, places, look } = this, groups: number[][] = Array.from({ length: hues + 1 }, () => []), { colours } = look;
    for (const i of bodies.balls) {
      const x = w.left + w.scale * places[3 * i], y = w.top - w.scale * places[3 * i + 1], r = w.scale * bodies.radius[i];
      if (!(x + r >= 0 && x - r <= width && y + r >= 0 && y - r <= height)) continue;
      const shade = look.shade(i);
      groups[shade < 0 ? hues : Math.min(hues - 1, Math.floor(shade * hues))].push(i);
    }
    const outlined = w.scale * bodies.largest > 2.5;
    context.strokeStyle = styled(isDark() ? "--faint" : "--card"); // dark bodies on dark ground
    context.lineWidth = 0.8;
    groups.forEach((group, k) => {
      if (group.length === 0) return;
      context.fillStyle = k === hues ? styled("--warn") : css(colours, (k + 0.5) / hues);
      context.beginPath();
      for (const i of group) {
        const x = w.left + w.scale * places[3 * i], y = w.top - w.scale * places[3 * i + 1], r = w.scale * bodies.radius[i];
        if (r < 1.2) context.rect(x - r, y - r, 2 * r, 2 * r);
        else { context.moveTo(x + r, y); context.arc(x, y, r, 0, 2 * Math.PI); }
      }
      context.fill();
      if (outlined) context.stroke();
    });
  }

  private spokes(context: CanvasRenderingContext2D, w: Window, row: number): void {
    const { bodies, places, angles } = this;
    if (!bodies.turning || w.scale * bodies.largest < 4) return;
    bodies.turns(row, angles);
    context.strokeStyle = "#ffffffd0";
    context.lineWidth = Math.max(0.8, Math.min(2, 0.14 * w.scale * bodies.largest));
    context.beginPath();
    for (const i of bodies.balls) {
      const x = w.left + w.scale * places[3 * i], y = w.top - w.scale * places[3 * i + 1], r = 0.9 * w.scale * bodies.radius[i], angle = angles[i];
      context.moveTo(x, y);
      context.lineTo(x + r * Math.cos(angle), y - r * Math.sin(angle));
    }
    context.stroke();
  }

  /** A pin, a square for what does not turn, a rail for what slides, a line for a distance. */
  private joints(context: CanvasRenderingContext2D, w: Window, row: number): void {
    const { bodies } = this, size = Math.max(2, Math.min(5, 0.4 * w.scale * bodies.largest)), pixel = (p: number[]) => [w.left + w.scale * p[0], w.top - w.scale * p[1]];
    context.fillStyle = styled("--card");
    context.lineWidth = 1.6;
    for (const joint of bodies.joints) {
      const { points, axis } = bodies.held(row, joint, this.places), [a, b] = points.map(pixel);
      context.strokeStyle = styled("--faint"); // what a body has of the point that it is held at
      joint.bodies.forEach((i, side) => { if (i >= 0) line(context, pixel(Array.from(this.places.subarray(3 * i, 3 * i + 2))), [a, b][side]); });
      context.strokeStyle = styled("--ink");
      if (joint.kind === "distance") line(context, a, b);
      if (joint.kind === "slider") line(context, ...([-5, 5].map((k) => [b[0] + k * size * axis[0], b[1] - k * size * axis[1]]) as [number[], number[]]));
      for (const p of joint.kind === "distance" ? [a, b] : [b]) {
        context.beginPath();
        if (joint.kind === "hinge" || joint.kind === "distance") context.arc(p[0], p[1], joint.kind === "hinge" ? size : 0.6 * size, 0, 2 * Math.PI);
        else context.rect(p[0] - size, p[1] - size, 2 * size, 2 * size);
        context.fill();
        context.stroke();
      }
    }
  }

  private chains(context: CanvasRenderingContext2D, w: Window, row: number): void {
    const count = this.look.chains(row, this.places), { pieces } = this.look, widest = Math.max(2.5, Math.min(9, 0.9 * w.scale * this.bodies.largest));
    context.strokeStyle = styled("--marker");
    context.lineCap = "round";
    for (let k = 1; k <= widths; k++) {
      context.beginPath();
      let some = false;
      for (let i = 0; i < count; i++) {
        const at = floats * i;
        if (Math.ceil(pieces[at + 6] * widths) !== k) continue;
        some = true;
        context.moveTo(w.left + w.scale * pieces[at], w.top - w.scale * pieces[at + 1]);
        context.lineTo(w.left + w.scale * pieces[at + 3], w.top - w.scale * pieces[at + 4]);
      }
      context.lineWidth = (widest * k) / widths;
      if (some) context.stroke();
    }
    context.lineCap = "butt";
  }

  key(name: string): boolean {
    if (name === "0") this.reset();
    else if (name === "+" || name === "=" || name === "-") {
      this.zoom = Math.max(0.2, this.zoom * (name === "-" ? 0.8 : 1.25));
      this.frame();
    } else return super.key(name);
    return true;
  }

  table(): { head: string[]; rows: Iterable<(number | string)[]> } { return tableOf(this.bodies, this.look, this.clock); }
}

/** The bodies of the moment: where they are, and what colours them. */
export function tableOf(bodies: Bodies, look: Look, clock: Clock): { head: string[]; rows: Iterable<(number | string)[]> } {
  const row = bodies.shown(clock.row), places = new Float32Array(3 * bodies.n), d = bodies.dimension;
  bodies.places(row, places);
  look.read(row);
  const rows = function* () { for (const i of bodies.coloured) yield [bodies.run.shortName(i), bodies.run.timeOf(row), ...places.subarray(3 * i, 3 * i + d), look.values[i]]; };
  return { head: ["body", "time", ...["x", "y", "z"].slice(0, d), look.label], rows: rows() };
}

function line(context: CanvasRenderingContext2D, a: number[], b: number[]): void {
  context.beginPath();
  context.moveTo(a[0], a[1]);
  context.lineTo(b[0], b[1]);
  context.stroke();
}
