// Cells of a solid in three dimensions by three.js: every cell in its shape, moved and turned as it was recorded, with
// displacements and rotations magnified; any recorded field as colour. The motion happens on the graphics card: per
// picture only the displacements and turns of the cells are handed over.
import * as three from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Balls } from "./balls";
import { palette, type MapName } from "./colours";
import type { Clock } from "./clock";
import { button, choice, el, styled } from "./dom";
import { array, axisName, type Grid, type Item, type Run } from "./data";
import { Figure } from "./figure";
import { aimed } from "./camera";
import { number } from "./format";
import { fillBar } from "./look";
import { Player } from "./player";
import { videoButton } from "./video";

const faces = [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]];

const vertex = /* glsl */ `
  precision highp float;
  uniform sampler2D motion, turning;
  uniform float magnify, wide, low, high;
  attribute float cell;
  attribute vec3 arm, corner, side;
  varying vec3 tint;
  varying vec3 facing;
  varying vec2 edge;
  uniform sampler2D colours;
  vec3 turned(vec3 w, vec3 x) { // by the rotation vector w
    float angle = length(w);
    if (angle < 1e-9) return x;
    vec3 axis = w / angle;
    return x * cos(angle) + cross(axis, x) * sin(angle) + axis * dot(axis, x) * (1.0 - cos(angle));
  }
  void main() {
    vec2 at = vec2((mod(cell, wide) + 0.5) / wide, (floor(cell / wide) + 0.5) / wide);
    vec4 m = texture2D(motion, at);
    vec3 w = magnify * texture2D(turning, at).xyz;
    vec3 place = position + magnify * m.xyz + turned(w, arm);
    float part = clamp((m.w - low) / max(high - low, 1e-30), 0.0, 1.0);
    tint = m.w > 1e37 ? vec3(0.5, 0.0, 0.5) : texture2D(colours, vec2(part * (255.0 / 256.0) + 0.5 / 256.0, 0.5)).rgb;
    facing = normalize(normalMatrix * turned(w, side));
    edge = corner.xy;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(place, 1.0);
  }`;

const fragment = /* glsl */ `
  precision highp float;
  uniform float flatness, lines;
  varying vec3 tint;
  varying vec3 facing;
  varying vec2 edge;
  void main() {
    float light = mix(0.55 + 0.45 * abs(dot(normalize(facing), normalize(vec3(0.35, 0.5, 0.8)))), 1.0, flatness);
    vec2 near = min(edge, 1.0 - edge) / fwidth(edge);
    float line = lines * (1.0 - smoothstep(0.4, 1.4, min(near.x, near.y)));
    gl_FragColor = vec4(mix(tint * light, vec3(0.0), 0.35 * line), 1.0);
  }`;

interface Field { label: string; unit: string; signed: boolean; of: (grid: Grid, row: number, body: number) => number; item: Item }

/** A factor of 1, 2 or 5 times a power of ten that makes `most` nearly as large as `wanted`, and no smaller than it is. */
function plain(wanted: number, most: number): number {
  const want = most > 0 ? wanted / most : 1, power = 10 ** Math.floor(Math.log10(want)), round = want / power >= 5 ? 5 * power : want / power >= 2 ? 2 * power : power;
  return want > 1 && Number.isFinite(round) ? round : 1;
}

export class SolidMovie extends Figure {
  readonly player: Player;
  private readonly view = el("div", { class: "solid" });
  private readonly bar = el("div", { class: "colourbar" });
  private renderer: three.WebGLRenderer | null = null;
  private scene = new three.Scene();
  private camera: three.PerspectiveCamera | three.OrthographicCamera = new three.PerspectiveCamera(35, 1, 0.01, 1000);
  private controls: OrbitControls | null = null;
  private motion!: three.DataTexture;
  private turning!: three.DataTexture;
  private uniforms: Record<string, three.IUniform> = {};
  private field: Field;
  private readonly fields: Field[];
  private magnify = 1;
  private readonly u: Grid;
  private readonly rotation: Grid | null;
  private readonly kept: ArrayLike<number>;
  private readonly seen: number;
  private readonly plane: boolean;
  private centre: ArrayLike<number>;
  private size = 1;
  private colours: MapName = "viridis";
  private range: "run" | "most" | "moment" = "run";
  private absolute: boolean;
  private readonly balls: Balls;
  private ballsMost = 1; // that their displacements are magnified

  static fits(run: Run): boolean {
    return run.shape?.kind === "cells" && run.rows > 0 && run.shape.seen > 0 &&
      (run.item("particles/cells/displacement")?.grid() ?? run.item("particles/cells/position")?.grid() ?? null) !== null;
  }

  constructor(private readonly run: Run, private readonly clock: Clock) {
    super("Moving picture");
    const shape = run.shape, u = run.item("particles/cells/displacement"), from = (u ?? run.item("particles/cells/position"))!;
    this.absolute = !u;
    this.u = from.grid()!;
    this.rotation = run.item("particles/cells/rotation")?.grid() ?? null;
    this.kept = array(shape.kept);
    this.seen = shape.seen;
    this.plane = shape.dimension === 2;
    this.balls = new Balls(run);
    this.centre = array(shape.centre);
    this.player = new Player(run, clock, Math.max(...run.items.filter((i) => i.path.startsWith("particles/cells/")).map((i) => i.grid()?.tall ?? 1)));
    this.fields = this.listFields();
    const broken = this.fields.findIndex((f) => f.label === "damage"); // what breaks is looked at first
    this.field = this.fields[Math.max(0, broken)];
    this.body.append(this.view, this.player.bar);
    this.view.append(this.bar);
    this.card.classList.add("movie");
    this.bounds();
    const apt = this.apt(), sizes = [...new Set([0, 1, 10, 100, 1e3, 1e4, 1e5, 1e6, apt])].sort((a, b) => a - b);
    this.magnify = apt;
    this.tools.prepend(
      choice("colour", this.fields.map((f, i) => [String(i), f.label]), String(Math.max(0, broken)), (v) => { this.field = this.fields[Number(v)]; this.recolour(); this.frame(); }),
      choice("up to", [["run", "the largest"], ["most", "99 %"], ["moment", "this moment's"]], "run", (v) => { this.range = v as "run"; this.recolour(); this.frame(); }),
      choice("displacements", sizes.map((k) => [String(k), `× ${number(k, 3)}`]), String(apt), (v) => { this.magnify = Number(v); this.uniforms.magnify.value = this.magnify; this.frame(); }),
      button("view", "Back to the first view (key 0)", () => this.aim()));
    this.notes.append(`${this.seen === shape.n ? `All ${shape.n} recorded cells` : `The ${this.seen} cells at the surface of ${shape.n}`}${shape.of !== shape.n ? ` (the body has ${shape.of})` : ""}. Drag to turn, scroll to zoom. `);
    if (this.balls.radius.length > 0) this.notes.append(`Displacements of balls count from where they first touch${apt > this.ballsMost ? `, × ${number(this.ballsMost, 3)} at most` : ""}. `);
    if (!this.rotation) this.notes.append("Rotations were not recorded: cells only shift. ");
    this.note(from.note);
    this.tools.append(...videoButton(this.player, run.rows, () => this.renderer?.domElement ?? null, () => { this.show(); return `${this.fileName()}.webm`; }));
    clock.follow(() => this.frame());
  }

  /** Body number within a grid: reduced grids hold only the cells that can be seen. */
  private index(item: Item, i: number): number { return item.seenOnly ? i : this.kept[i]; }

  private listFields(): Field[] {
    const found: Field[] = [];
    for (const item of this.run.items) {
      if (!item.path.startsWith("particles/cells/") || item.depth < 1 || item.grid() === null) continue;
      const depth = item.depth, word = item.path.split("/")[2];
      const at = (grid: Grid, row: number, body: number, k: number) => grid.values[row * grid.across + body * depth + k];
      if (depth === 6) {
        found.push({ label: `${word}: von Mises`, unit: item.unit, signed: false, item, of: (g, r, b) => {
          const [xx, yy, zz, yz, xz, xy] = [0, 1, 2, 3, 4, 5].map((k) => at(g, r, b, k));
          return Math.sqrt(0.5 * ((xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2) + 3 * (yz * yz + xz * xz + xy * xy));
        } });
        found.push({ label: `${word}: mean`, unit: item.unit, signed: true, item, of: (g, r, b) => (at(g, r, b, 0) + at(g, r, b, 1) + at(g, r, b, 2)) / 3 });
      } else if (depth > 1 && word !== "rotation") {
        found.push({ label: `${word}: magnitude`, unit: item.unit, signed: false, item, of: (g, r, b) => {
          let sum = 0;
          for (let k = 0; k < depth; k++) sum += at(g, r, b, k) ** 2;
          return Math.sqrt(sum);
        } });
      }
      if (word === "position") continue;
      for (let k = 0; k < depth; k++) {
        const axis = axisName(item.name, depth, k);
        found.push({ label: `${word}${axis ? ` ${axis}` : ""}`, unit: item.unit, signed: true, item, of: (g, r, b) => at(g, r, b, k) });
      }
    }
    return found;
  }

  private bounds(): void {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < this.seen; i++) for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k], this.centre[3 * i + k]);
      high[k] = Math.max(high[k], this.centre[3 * i + k]);
    }
    const arm = array(this.run.shape.arm), { balls } = this;
    let reach = 0;
    for (let i = 0; i < arm.length; i++) reach = Math.max(reach, Math.abs(arm[i]));
    for (let i = 0; i < balls.radius.length; i++) for (let k = 0; k < (this.plane ? 2 : 3); k++) {
      low[k] = Math.min(low[k], balls.at[3 * i + k] - balls.radius[i] + reach);
      high[k] = Math.max(high[k], balls.at[3 * i + k] + balls.radius[i] - reach);
    }
    this.size = Math.max(...[0, 1, 2].map((k) => high[k] - low[k])) + 2 * reach;
    this.middle = new three.Vector3(...[0, 1, 2].map((k) => 0.5 * (low[k] + high[k])));
    this.extent = new three.Vector3(...[0, 1, 2].map((k) => high[k] - low[k] + (this.plane && k === 2 ? 0 : 2 * reach)));
  }
  private middle = new three.Vector3();
  private extent = new three.Vector3();
  private readonly room = [0, 0, 0]; // for the motion, magnified

  /** Magnified so that the largest displacement is a twelfth of the body. */
  private apt(): number {
    if (this.absolute) return 1;
    const sides = [0, 0, 0], depth = this.plane ? 2 : 3;
    for (let i = 0; i < this.u.down * this.u.across; i++) { const v = Math.abs(this.u.values[i]); if (v > sides[i % depth] && v < Infinity) sides[i % depth] = v; }
    const used = plain(this.size / 12, Math.max(...sides));
    this.ballsMost = plain(this.size / 3, this.balls.farthest);
    for (let k = 0; k < 3; k++) this.room[k] = Math.min(2 * this.size, 2 * sides[k] * used);
    return used;
  }

  protected draw(): void {
    const width = this.body.clientWidth, height = Math.round(Math.max(300, Math.min(500, width * 0.42)));
    this.view.style.height = `${height}px`;
    if (!this.renderer) this.build();
    if (!this.renderer) return;
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
    this.renderer.setSize(width, height);
    this.renderer.setClearColor(new three.Color(styled("--card")), 1);
    this.aim(width / height);
    this.recolour();
    this.frame();
  }

  private build(): void {
    try {
      this.renderer = new three.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
    } catch {
      if (!this.view.querySelector(".note")) this.view.append(el("p", { class: "note" }, "This browser draws no WebGL; the plots below show the same numbers."));
      return;
    }
    this.view.prepend(this.renderer.domElement);
    const side = Math.max(1, Math.ceil(Math.sqrt(this.seen)));
    const texture = () => {
      const made = new three.DataTexture(new Float32Array(4 * side * side), side, side, three.RGBAFormat, three.FloatType);
      made.magFilter = made.minFilter = three.NearestFilter;
      return made;
    };
    this.motion = texture();
    this.turning = texture();
    this.uniforms = { motion: { value: this.motion }, turning: { value: this.turning }, magnify: { value: this.magnify }, wide: { value: side }, low: { value: 0 }, high: { value: 1 },
      colours: { value: null }, flatness: { value: this.plane ? 1 : 0 }, lines: { value: this.seen > 20000 ? 0 : 1 } };
    const material = new three.ShaderMaterial({ vertexShader: vertex, fragmentShader: fragment, uniforms: this.uniforms, side: three.DoubleSide });
    const mesh = new three.Mesh(this.geometry(), material);
    mesh.frustumCulled = false;
    this.scene.add(mesh, this.balls.mesh);
    this.balls.build(styled("--faint"));
  }

  /** Polygons of cells that are no boxes, by triangles around their middles: lines are drawn along their sides only. */
  private polygons(): three.BufferGeometry {
    const { shape } = this.run, arm = array(shape.arm), owner = array(shape.owner), sides = array(shape.sides), count = arm.length / 3;
    const place = new Float32Array(9 * count), arms = new Float32Array(9 * count), side = new Float32Array(9 * count), corner = new Float32Array(9 * count), cell = new Float32Array(3 * count);
    for (let f = 0, first = 0, at = 0; f < sides.length; first += sides[f++]) {
      const p = Array.from({ length: sides[f] }, (_, c) => [0, 1, 2].map((k) => arm[3 * (first + c) + k]));
      const middle = [0, 1, 2].map((k) => p.reduce((sum, q) => sum + q[k], 0) / p.length), normal = [0, 0, 0];
      p.forEach((a, c) => {
        const b = p[(c + 1) % p.length], [u, v] = [a, b].map((q) => q.map((x, k) => x - middle[k]));
        for (let k = 0; k < 3; k++) normal[k] += u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
      });
      const length = Math.hypot(...normal) || 1;
      p.forEach((a, c) => [middle, a, p[(c + 1) % p.length]].forEach((q, v) => {
        cell[at] = owner[f];
        for (let k = 0; k < 3; k++) {
          place[3 * at + k] = this.absolute ? 0 : this.centre[3 * owner[f] + k];
          arms[3 * at + k] = q[k];
          side[3 * at + k] = normal[k] / length;
        }
        corner.set([v === 0 ? 0.5 : 0, [0.5, 0.3, 0.7][v], 0], 3 * at++);
      }));
    }
    const geometry = new three.BufferGeometry();
    for (const [name, data] of [["position", place], ["arm", arms], ["side", side], ["corner", corner]] as const) geometry.setAttribute(name, new three.BufferAttribute(data, 3));
    geometry.setAttribute("cell", new three.BufferAttribute(cell, 1));
    return geometry;
  }

  private geometry(): three.BufferGeometry {
    if (this.run.shape.sides) return this.polygons();
    const { shape } = this.run, arm = array(shape.arm), form = array(shape.form), mask = array(shape.mask), corners = shape.corners as number;
    const list = this.plane ? [[0, 1, 2, 3]] : faces;
    let count = 0;
    for (let i = 0; i < this.seen; i++) for (let f = 0; f < list.length; f++) if (mask[i] & (1 << f)) count++;
    const place = new Float32Array(12 * count), arms = new Float32Array(12 * count), side = new Float32Array(12 * count), corner = new Float32Array(12 * count), cell = new Float32Array(4 * count), index = new Uint32Array(6 * count);
    let at = 0;
    const square = [[0, 0], [1, 0], [1, 1], [0, 1]];
    for (let i = 0; i < this.seen; i++) for (let f = 0; f < list.length; f++) {
      if (!(mask[i] & (1 << f))) continue;
      const p = list[f].map((c) => [0, 1, 2].map((k) => arm[3 * (form[i] * corners + c) + k]));
      const a = p[1].map((v, k) => v - p[0][k]), b = p[3].map((v, k) => v - p[0][k]);
      const normal = this.plane ? [0, 0, 1] : [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]], length = Math.hypot(...normal) || 1;
      for (let c = 0; c < 4; c++) {
        cell[4 * at + c] = i;
        for (let k = 0; k < 3; k++) {
          place[12 * at + 3 * c + k] = this.absolute ? 0 : this.centre[3 * i + k];
          arms[12 * at + 3 * c + k] = p[c][k];
          side[12 * at + 3 * c + k] = normal[k] / length;
          corner[12 * at + 3 * c + k] = square[c][k] ?? 0;
        }
      }
      index.set([0, 1, 2, 0, 2, 3].map((k) => 4 * at + k), 6 * at);
      at++;
    }
    const geometry = new three.BufferGeometry();
    for (const [name, data] of [["position", place], ["arm", arms], ["side", side], ["corner", corner]] as const) geometry.setAttribute(name, new three.BufferAttribute(data, 3));
    geometry.setAttribute("cell", new three.BufferAttribute(cell, 1));
    geometry.setIndex(new three.BufferAttribute(index, 1));
    return geometry;
  }

  private ratio = 2;
  private aim(ratio = this.ratio): void {
    if (!this.renderer) return;
    this.ratio = ratio;
    if (this.plane) {
      const half = 0.54 * Math.max(this.extent.y + this.room[1], (this.extent.x + this.room[0]) / ratio);
      this.camera = new three.OrthographicCamera(-half * ratio, half * ratio, half, -half, -10 * this.size, 10 * this.size);
      this.camera.position.set(this.middle.x, this.middle.y, this.size);
    } else {
      this.camera = aimed(ratio, this.middle, this.extent.clone().add(new three.Vector3(...this.room)));
    }
    this.controls?.dispose();
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.target.copy(this.middle);
    this.controls.enableRotate = !this.plane;
    this.controls.listenToKeyEvents(this.card);
    this.controls.addEventListener("change", () => this.render());
    this.controls.update();
    this.render();
  }

  /** The range of the field over all times, and its colours. */
  private recolour(): void {
    const { field } = this, grid = field.item.grid()!, skip = Math.max(1, Math.floor((grid.down * this.seen) / 2e6));
    const now = Math.min(grid.down - 1, Math.floor(this.clock.row / grid.tall)), [first, last] = this.range === "moment" ? [now, now + 1] : [0, grid.down];
    let low = 0, high = 0;
    const sizes: number[] = [], look = Math.max(1, Math.floor(((last - first) * this.seen) / skip / 2e5));
    for (let r = first; r < last; r += skip) for (let i = 0; i < this.seen; i++) {
      const v = field.of(grid, r, this.index(field.item, i));
      if (v < low && v > -Infinity) low = v;
      if (v > high && v < Infinity) high = v;
      if (this.range === "most" && i % look === 0 && Number.isFinite(v)) sizes.push(Math.abs(v));
    }
    if (this.range === "most" && sizes.length > 0) {
      const most = sizes.sort((a, b) => a - b)[Math.floor(0.99 * (sizes.length - 1))];
      if (most > 0) [low, high] = [Math.max(low, -most), Math.min(high, most)];
    }
    const signed = field.signed && low < 0;
    if (signed) { high = Math.max(high, -low); low = -high; }
    this.colours = signed ? "signed" : "viridis";
    const colours = palette(this.colours), data = new Uint8Array(256 * 4);
    for (let i = 0; i < 256; i++) data.set([colours[3 * i], colours[3 * i + 1], colours[3 * i + 2], 255], 4 * i);
    const texture = new three.DataTexture(data, 256, 1);
    texture.needsUpdate = true;
    if (this.renderer) Object.assign(this.uniforms, { low: { value: low }, high: { value: high }, colours: { value: texture } });
    const mesh = this.scene.children[0] as three.Mesh | undefined;
    if (mesh) Object.assign((mesh.material as three.ShaderMaterial).uniforms, this.uniforms);
    fillBar(this.bar, field.label, field.unit, low, high, colours, this.range === "most");
  }

  frame(): void {
    if (!this.shown || !this.renderer) return;
    const { u, rotation, field } = this, row = this.clock.row, from = this.run.item("particles/cells/displacement") ?? this.run.item("particles/cells/position")!;
    const motion = this.motion.image.data as Float32Array, turning = this.turning.image.data as Float32Array;
    const depth = from.depth, ur = Math.min(u.down - 1, Math.floor(row / u.tall)), grid = field.item.grid()!, fr = Math.min(grid.down - 1, Math.floor(row / grid.tall));
    const turn = this.run.item("particles/cells/rotation"), rr = rotation ? Math.min(rotation.down - 1, Math.floor(row / rotation.tall)) : 0;
    for (let i = 0; i < this.seen; i++) {
      const at = ur * u.across + this.index(from, i) * depth;
      for (let k = 0; k < depth && k < 3; k++) motion[4 * i + k] = u.values[at + k];
      const value = field.of(grid, fr, this.index(field.item, i));
      motion[4 * i + 3] = Number.isFinite(value) ? value : 3e38;
      if (!rotation || !turn) continue;
      const r = rr * rotation.across + this.index(turn, i) * turn.depth, q = rotation.values;
      if (turn.depth === 4) { // quaternion to rotation vector
        const length = Math.hypot(q[r + 1], q[r + 2], q[r + 3]), sign = q[r] < 0 ? -1 : 1;
        const factor = length > 1e-12 ? (2 * Math.atan2(length, Math.abs(q[r])) * sign) / length : 2;
        for (let k = 0; k < 3; k++) turning[4 * i + k] = q[r + 1 + k] * factor;
      } else turning[4 * i + 2] = q[r];
    }
    if (this.range === "moment") this.recolour();
    this.motion.needsUpdate = this.turning.needsUpdate = true;
    this.balls.frame(row, Math.min(this.magnify, this.ballsMost));
    this.render();
  }

  private render(): void { this.renderer?.render(this.scene, this.camera); }

  release(): void {
    this.renderer?.dispose();
    this.renderer?.forceContextLoss();
  }

  key(name: string): boolean {
    if (name === " ") this.player.toggle();
    else if (name === "0") this.aim();
    else if (name === "," || name === ".") this.player.step(name === "," ? -1 : 1);
    else return super.key(name);
    return true;
  }

  table(): { head: string[]; rows: Iterable<(number | string)[]> } {
    const { field, kept, seen, run } = this, row = this.clock.row, grid = field.item.grid()!, fr = Math.min(grid.down - 1, Math.floor(row / grid.tall)), index = (i: number) => this.index(field.item, i);
    const rows = function* () { for (let i = 0; i < seen; i++) yield [kept[i], run.timeOf(row), field.of(grid, fr, index(i))]; };
    return { head: ["cell", "time", field.label], rows: rows() };
  }

  picture(): HTMLCanvasElement {
    this.show();
    const from = this.renderer?.domElement ?? document.createElement("canvas"), canvas = document.createElement("canvas");
    canvas.width = from.width;
    canvas.height = from.height;
    canvas.getContext("2d")!.drawImage(from, 0, 0);
    return canvas;
  }
}
