// Bodies in space: spheres, walls and force chains that can be turned, and cut open along an axis.
import * as three from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Bodies, isSolid, type Wall } from "./bodies";
import { aimed } from "./camera";
import type { Clock } from "./clock";
import { button, choice, el, styled, toggle } from "./dom";
import type { Run } from "./data";
import { Figure } from "./figure";
import { quantity } from "./format";
import { Look } from "./look";
import { tableOf } from "./plane";
import { Player } from "./player";
import { videoButton } from "./video";
import { JointMarks } from "./jointmarks";
import { Chains, newCut, Spheres } from "./spheres";
import { domainBox, Drawing, Skin, wallGroup } from "./walls";

// what lies towards the eye of the first view is cut away
const away: Record<string, [number, number, number]> = { x: [1, 0, 0], y: [0, -1, 0], z: [0, 0, 1] };

export class SpaceMovie extends Figure {
  readonly player: Player;
  private readonly bodies: Bodies;
  private readonly look: Look;
  private readonly places: Float32Array;
  private readonly view = el("div", { class: "solid" });
  private renderer: three.WebGLRenderer | null = null;
  private readonly scene = new three.Scene();
  private camera = new three.PerspectiveCamera();
  private controls: OrbitControls | null = null;
  private readonly cut = newCut();
  private readonly drawing = new Drawing();
  private spheres!: Spheres;
  private turns: Float32Array | null = null;
  private chains!: Chains;
  private joints!: JointMarks;
  private readonly ways = new three.Group(); // of bodies that go far
  private walls: three.Group[] = [];
  private skins: (Skin | null)[] = []; // of walls that are coloured
  private readonly knife = new three.Plane(new three.Vector3(), 1); // the cut once more, as three wants it
  private readonly middle: three.Vector3;
  private readonly extent: three.Vector3;
  private ratio = 2;
  private readonly slider = el("input", { type: "range", min: 0, max: 1, step: 0.005, value: 0.5, "aria-label": "where it is cut", input: () => this.slice() });
  private readonly where = el("output", { class: "readout" });
  private axis = "";

  static fits(run: Run): boolean { return Bodies.fits(run) && run.shape.dimension === 3; }

  constructor(run: Run, private readonly clock: Clock) {
    super("Moving picture");
    const bodies = (this.bodies = new Bodies(run)), [low, high] = bodies.bounds();
    this.places = new Float32Array(3 * bodies.n);
    this.look = new Look(bodies, false, () => this.frame());
    this.middle = new three.Vector3(...low.map((x, k) => 0.5 * (x + high[k])));
    this.extent = new three.Vector3(...low.map((x, k) => high[k] - x));
    this.player = new Player(run, clock, bodies.tall);
    this.view.append(this.look.bar);
    const knife = el("div", { class: "knife" }, choice("cut", [["", "none"], ["x", "across x"], ["y", "across y"], ["z", "across z"]], "", (v) => { this.axis = v; this.slice(); }), this.slider, this.where);
    this.body.append(this.view, knife, this.player.bar);
    this.card.classList.add("movie");
    for (const way of bodies.paths()) this.ways.add(new three.Line(new three.BufferGeometry().setAttribute("position", new three.BufferAttribute(way, 3)), this.drawing.line));
    this.tools.prepend(...this.look.tools(), ...(this.ways.children.length > 0 ? [toggle("paths", "Lines along which centres move", true, (on) => { this.ways.visible = on; this.frame(); })] : []), button("view", "Back to the first view (key 0)", () => this.aim()));
    this.notes.append(bodies.still ? "Places were not recorded: bodies stay where they began. " : "", bodies.turning && bodies.balls.length > 0 ? "A band and a cap turn with each sphere. " : "",
      "Drag to turn, scroll to zoom. ", bodies.balls.length > 0 ? "With force chains spheres are drawn small. " : "");
    for (const note of bodies.notes) this.note(note);
    this.tools.append(...videoButton(this.player, run.rows, () => this.renderer?.domElement ?? null, () => { this.show(); return `${this.fileName()}.webm`; }));
    clock.follow(() => this.frame());
  }

  protected draw(): void {
    const width = this.body.clientWidth, height = Math.round(Math.max(320, Math.min(560, width * 0.48)));
    this.view.style.height = `${height}px`;
    if (!this.renderer) this.build();
    this.look.measure(this.bodies.shown(this.clock.row));
    if (!this.renderer) return;
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
    this.renderer.setSize(width, height);
    this.renderer.setClearColor(new three.Color(styled("--card")), 1);
    this.drawing.colour(styled("--faint"));
    this.joints.colour(styled("--ink"), styled("--card"));
    this.chains.uniforms.colour.value.set(styled("--marker")).convertLinearToSRGB();
    this.ratio = width / height;
    if (this.controls) this.resized();
    else this.aim();
    this.slice();
  }

  private build(): void {
    try {
      this.renderer = new three.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
    } catch {
      if (!this.view.querySelector(".note")) this.view.prepend(el("p", { class: "note" }, "This browser draws no WebGL; the plots below show the same numbers."));
      return;
    }
    const { bodies } = this;
    this.view.prepend(this.renderer.domElement);
    this.renderer.domElement.setAttribute("role", "img");
    this.renderer.domElement.setAttribute("aria-label", `${this.title}: moving picture`);
    this.turns = bodies.turning ? new Float32Array(4 * bodies.n) : null;
    this.spheres = new Spheres(this.places, Float32Array.from(bodies.radius), this.look.values, this.turns, this.cut);
    this.chains = new Chains(this.look.pieces, this.cut);
    this.joints = new JointMarks(bodies);
    this.chains.uniforms.widest.value = 0.35 * bodies.largest;
    this.renderer.localClippingEnabled = true;
    this.skins = bodies.walls.map((wall) => (isSolid(wall) ? new Skin(this.knife) : null));
    this.walls = bodies.walls.map((wall, j) => wallGroup(wall, this.breadth(wall), { line: this.drawing.line, face: this.skins[j] ?? this.drawing.face }));
    const sun = new three.DirectionalLight(0xffffff, 1.6);
    sun.position.set(1, -2, 3);
    this.scene.add(this.spheres.mesh, this.chains.mesh, this.joints.mesh, this.ways, ...this.walls, new three.AmbientLight(0xffffff, 1.8), sun);
    const { domain } = bodies, side = (x: number[], far: number) => x.map((v, k) => (domain!.periodic[k] ? v : this.middle.getComponent(k) + far * this.extent.getComponent(k)));
    if (domain) this.scene.add(domainBox(side(domain.low, -0.5), side(domain.high, 0.5), this.drawing)); // sides that are not joined stop nobody
  }

  /** How wide the piece of a plane is that lies before the bodies. */
  private breadth(wall: Wall): number {
    return 1.25 * Math.max(...this.extent.toArray().map((x, k) => x * Math.sqrt(Math.max(0, 1 - wall.normal[k] ** 2))));
  }

  private aim(): void {
    if (!this.renderer) return;
    this.camera = aimed(this.ratio, this.middle, this.extent);
    this.controls?.dispose();
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.target.copy(this.middle);
    this.controls.addEventListener("change", () => this.render());
    this.controls.update();
    this.render();
  }

  private resized(): void {
    this.camera.aspect = this.ratio;
    this.camera.updateProjectionMatrix();
  }

  /** Puts the cut where the slider is. */
  private slice(): void {
    const k = ["x", "y", "z"].indexOf(this.axis), way = away[this.axis] ?? [0, 0, 0];
    const x = k < 0 ? 0 : this.middle.getComponent(k) + (Number(this.slider.value) - 0.5) * 1.02 * this.extent.getComponent(k);
    this.slider.hidden = k < 0;
    this.where.textContent = k < 0 ? "" : `${this.axis} = ${quantity(x, this.bodies.run.text.units === "none" ? "1" : "m", 4)}`;
    this.cut.away.value.set(...way);
    this.cut.cut.value = k < 0 ? 1 : way[k] * x;
    this.knife.normal.set(...way).negate();
    this.knife.constant = this.cut.cut.value;
    this.frame();
  }

  frame(): void {
    if (!this.shown || !this.renderer) return;
    const { bodies, places, look, spheres } = this, row = bodies.shown(this.clock.row), { values } = look;
    bodies.places(row, places);
    look.read(row);
    for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i])) values[i] = 3e38; // shown as such
    if (this.turns) bodies.turns(row, this.turns);
    spheres.changed();
    this.chains.changed(look.chains(row, places));
    this.tint();
    this.moveWalls(row);
    this.joints.frame(row, places);
    this.render();
  }

  private tinted: Uint8Array | null = null;

  private tint(): void {
    const { look, spheres } = this, { colours } = look, u = spheres.uniforms;
    u.low.value = look.low;
    u.high.value = look.high;
    u.size.value = look.chained ? 0.3 : 1;
    this.skins.forEach((skin, j) => skin?.tint(colours, look.values[this.bodies.walls[j].body] > 1e37 ? -1 : look.shade(this.bodies.walls[j].body), look.chained));
    if (this.tinted === colours) return;
    const data = new Uint8Array(256 * 4);
    for (let i = 0; i < 256; i++) data.set([colours[3 * i], colours[3 * i + 1], colours[3 * i + 2], 255], 4 * i);
    const texture = new three.DataTexture(data, 256, 1);
    texture.needsUpdate = true;
    u.colours.value?.dispose();
    u.colours.value = texture;
    this.tinted = colours;
  }

  private moveWalls(row: number): void {
    this.bodies.walls.forEach((wall, j) => {
      const i = wall.body, [w, x, y, z] = this.bodies.pose(row, wall), group = this.walls[j], at = new three.Vector3(...this.places.subarray(3 * i, 3 * i + 3));
      group.quaternion.set(x, y, z, w);
      if (wall.surface === "plane") { // the piece that is shown lies before the middle
        const normal = new three.Vector3(...wall.normal).applyQuaternion(group.quaternion);
        const height = normal.dot(at) - normal.dot(this.middle);
        at.copy(this.middle).addScaledVector(normal, height);
      }
      group.position.copy(at);
    });
  }

  private render(): void { this.renderer?.render(this.scene, this.camera); }

  release(): void {
    this.renderer?.dispose();
    this.renderer?.forceContextLoss();
  }

  key(name: string): boolean {
    const turnBy = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[name];
    if (name === " ") this.player.toggle();
    else if (name === "0") this.aim();
    else if (name === "," || name === ".") this.player.step(name === "," ? -1 : 1);
    else if (name === "+" || name === "=" || name === "-") this.come(name === "-" ? 1.25 : 0.8);
    else if (turnBy) this.turn(turnBy[0] * 0.15, turnBy[1] * 0.15);
    else return super.key(name);
    return true;
  }

  private come(factor: number): void {
    this.camera.position.sub(this.middle).multiplyScalar(factor).add(this.middle);
    this.controls?.update();
    this.render();
  }

  /** Round the middle, by angles to the side and upwards. */
  private turn(side: number, up: number): void {
    const way = this.camera.position.clone().sub(this.middle), length = way.length();
    const height = Math.max(-1.5, Math.min(1.5, Math.asin(way.z / length) + up)), angle = Math.atan2(way.y, way.x) + side;
    this.camera.position.set(Math.cos(height) * Math.cos(angle), Math.cos(height) * Math.sin(angle), Math.sin(height)).multiplyScalar(length).add(this.middle);
    this.controls?.update();
    this.render();
  }

  table(): { head: string[]; rows: Iterable<(number | string)[]> } { return tableOf(this.bodies, this.look, this.clock); }

  picture(): HTMLCanvasElement {
    this.show();
    const from = this.renderer?.domElement, canvas = document.createElement("canvas");
    canvas.width = from?.width ?? 300;
    canvas.height = from?.height ?? 150;
    if (from) canvas.getContext("2d")!.drawImage(from, 0, 0);
    return canvas;
  }
}
