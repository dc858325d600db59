// Where contacts of the plane point at the moment: sectors as large as the number of contacts in them, and a line for how
// large their forces are beside the mean.
import type { Bodies } from "./bodies";
import { lineColour } from "./colours";
import type { Clock } from "./clock";
import { el, styled } from "./dom";
import { Figure, sharp } from "./figure";
import { number } from "./format";

const sectors = 18; // of half a turn: a contact points both ways

export class Rose extends Figure {
  private readonly canvas = el("canvas", { class: "picture", role: "img", "aria-label": "Directions of contacts" });
  private readonly places: Float32Array;

  static fits(bodies: Bodies): boolean { return bodies.dimension === 2 && bodies.touches !== null && !bodies.still; }

  constructor(private readonly bodies: Bodies, private readonly clock: Clock) {
    super("Directions of contacts at this moment", "Areas go with the number of contacts that point there, the dashed line with their mean normal force, the circle is the mean of all.");
    this.places = new Float32Array(3 * bodies.n);
    this.body.append(this.canvas);
    if (!bodies.touches!.whole) this.note(`of each sample the ${bodies.touches!.most} largest forces`);
    clock.follow(() => this.frame());
  }

  /** Contacts in each sector, and the sum of their normal forces. */
  private count(): { counts: Float64Array; forces: Float64Array } {
    const { bodies, places } = this, t = bodies.touches!, row = bodies.shown(this.clock.row), [from, to] = bodies.span(row);
    const counts = new Float64Array(sectors), forces = new Float64Array(sectors);
    bodies.places(row, places);
    for (let line = from; line < to; line++) {
      const i = [t.pair[2 * line] - 1, t.pair[2 * line + 1] - 1].find((body) => bodies.radius[body] > 0);
      if (i === undefined) continue;
      const [x, y] = [0, 1].map((k) => bodies.nearest(t.point[2 * line + k] - places[3 * i + k], k)), turn = Math.atan2(y, x) / Math.PI;
      if (!Number.isFinite(turn)) continue;
      const sector = Math.floor((turn - Math.floor(turn)) * sectors + 0.5) % sectors; // the first one lies about the x axis
      counts[sector]++;
      forces[sector] += t.normal[line];
    }
    return { counts, forces };
  }

  protected draw(): void { this.frame(); }

  frame(): void {
    if (!this.shown) return;
    const width = this.body.clientWidth, height = 300, context = sharp(this.canvas, width, height);
    this.paint(context, width, height);
  }

  private paint(context: CanvasRenderingContext2D, width: number, height: number): void {
    const { counts, forces } = this.count(), x = width / 2, y = height / 2, most = Math.max(1, ...counts), reach = Math.min(width, height) / 2 - 26, all = counts.reduce((sum, n) => sum + n, 0), mean = forces.reduce((sum, f) => sum + f, 0) / (all || 1);
    context.fillStyle = styled("--card");
    context.fillRect(0, 0, width, height);
    context.strokeStyle = styled("--grid");
    context.fillStyle = lineColour(0);
    context.globalAlpha = 0.6; // the line is seen on it
    for (let i = 0; i < 2 * sectors; i++) {
      const size = reach * Math.sqrt(counts[i % sectors] / most), at = (-Math.PI * i) / sectors, half = Math.PI / (2 * sectors);
      context.beginPath();
      context.moveTo(x, y);
      context.arc(x, y, size, at - 0.92 * half, at + 0.92 * half);
      context.fill();
    }
    const ring = 0.5 * reach;
    context.globalAlpha = 1;
    context.beginPath();
    context.arc(x, y, ring, 0, 2 * Math.PI);
    context.stroke();
    context.strokeStyle = lineColour(1);
    context.lineWidth = 1.8;
    context.setLineDash([6, 4]);
    context.beginPath();
    for (let i = 0; i <= 2 * sectors; i++) {
      const n = counts[i % sectors], size = n > 0 && mean > 0 ? Math.min(1.9, Math.max(0, forces[i % sectors] / n / mean)) * ring : 0, at = (-Math.PI * i) / sectors;
      context.lineTo(x + size * Math.cos(at), y + size * Math.sin(at));
    }
    if (all > 0) context.stroke();
    context.setLineDash([]);
    context.fillStyle = styled("--ink");
    context.font = `12px ${styled("--font")}`;
    context.textAlign = "center";
    for (const [text, dx, dy] of [["x", 1, 0], ["y", 0, -1]] as const) context.fillText(text, x + dx * (reach + 14), y + dy * (reach + 12) + 4);
    this.canvas.setAttribute("aria-label", `Directions of ${number(all)} contacts`);
  }

  key(name: string): boolean {
    if (name === "ArrowLeft" || name === "ArrowRight") this.clock.set(this.clock.row + (name === "ArrowLeft" ? -1 : 1) * this.bodies.tall);
    else return super.key(name);
    return true;
  }

  table(): { head: string[]; rows: Iterable<(number | string)[]> } {
    const { counts, forces } = this.count();
    return { head: ["direction (degrees)", "contacts", "mean normal force"], rows: Array.from(counts, (n, i) => [(180 * i) / sectors, n, n > 0 ? forces[i] / n : 0]) };
  }

  picture(): HTMLCanvasElement {
    this.show();
    return this.canvas;
  }
}
