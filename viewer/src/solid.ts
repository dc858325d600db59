// The solids of a scene by three.js: every cell in its shape, moved and turned as it was recorded, with displacements and
// rotations magnified; any recorded field as colour, by one scale for all solids; cut open along an axis; links that are
// broken as lines. The motion happens on the graphics card: per picture only displacements and turns of cells are handed over.
import * as three from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Balls } from "./balls";
import { Cells, type Face } from "./cells";
import { palette } from "./colours";
import type { Clock } from "./clock";
import { button, choice, el, styled, toggle } from "./dom";
import { axisName, type Grid, type Run } from "./data";
import { Figure } from "./figure";
import { aimed } from "./camera";
import { count, number } from "./format";
import { fillBar } from "./look";
import { Nodes } from "./nodes";
import { Player } from "./player";
import { videoButton } from "./video";

const moving = /* glsl */ `
  precision highp float;
  uniform sampler2D motion, turning, corners;
  uniform float magnify, wide, many, cut;
  uniform vec3 away;
  attribute float cell, node; // node: the corner that cells share, -1: it goes and turns with its cell
  attribute vec3 arm;
  vec3 turned(vec3 w, vec3 x) { // by the rotation vector w
    float angle = length(w);
    if (angle < 1e-9) return x;
    vec3 axis = w / angle;
    return x * cos(angle) + cross(axis, x) * sin(angle) + axis * dot(axis, x) * (1.0 - cos(angle));
  }
  vec2 at(float i, float side) { return vec2((mod(i, side) + 0.5) / side, (floor(i / side) + 0.5) / side); }
  vec2 ofCell() { return at(cell, wide); }
  vec4 placed() { // nowhere, if the cell lies beyond the cut
    if (dot(away, position) > cut) return vec4(2.0, 2.0, 2.0, 1.0);
    vec3 w = magnify * texture2D(turning, ofCell()).xyz;
    vec3 way = node < -0.5 ? texture2D(motion, ofCell()).xyz : texture2D(corners, at(node, many)).xyz;
    vec3 place = position + magnify * way + turned(w, arm);
    return projectionMatrix * modelViewMatrix * vec4(place, 1.0);
  }`;

const vertex = /* glsl */ `${moving}
  uniform float low, high;
  uniform sampler2D colours;
  attribute vec3 corner, side;
  varying vec3 tint;
  varying vec3 facing;
  varying vec2 edge;
  void main() {
    float value = texture2D(motion, ofCell()).w;
    float part = clamp((value - low) / max(high - low, 1e-30), 0.0, 1.0);
    tint = value > 2e38 ? vec3(0.5, 0.0, 0.5) : value > 1e38 ? vec3(0.62) : texture2D(colours, vec2(part * (255.0 / 256.0) + 0.5 / 256.0, 0.5)).rgb;
    facing = normalize(normalMatrix * turned(magnify * texture2D(turning, ofCell()).xyz, side));
    edge = corner.xy;
    gl_Position = placed();
  }`;
const broken = 3e38, unknown = 1.5e38; // what is not a number, and what was not recorded of a solid

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

const crackVertex = /* glsl */ `${moving}
  uniform float row;
  attribute float since;
  void main() {
    gl_Position = since > row ? vec4(2.0, 2.0, 2.0, 1.0) : placed();
    gl_Position.z -= 1e-4 * gl_Position.w; // before the faces that it lies in
  }`;
const crackFragment = "uniform vec3 colour; void main() { gl_FragColor = vec4(colour, 1.0); }";

/** Of `depth` numbers of a cell, which begin at `at`. */
interface Field { label: string; word: string; unit: string; signed: boolean; of: (values: ArrayLike<number>, at: number) => number }

/** A factor of 1, 2 or 5 times a power of ten that makes `most` nearly as large as `wanted`, and no smaller than it is. */
function plain(wanted: number, most: number): number {
  const want = most > 0 ? wanted / most : 1, power = 10 ** Math.floor(Math.log10(want)), round = want / power >= 5 ? 5 * power : want / power >= 2 ? 2 * power : power;
  return want > 1 && Number.isFinite(round) ? round : 1;
}

/** Principal values of a symmetric matrix (xx yy zz yz xz xy), the largest first. */
export function principal(s: ArrayLike<number>, at = 0): number[] {
  const [xx, yy, zz, yz, xz, xy] = [0, 1, 2, 3, 4, 5].map((k) => s[at + k]), mean = (xx + yy + zz) / 3, a = xx - mean, b = yy - mean, c = zz - mean;
  const half = Math.sqrt((a * a + b * b + c * c + 2 * (yz * yz + xz * xz + xy * xy)) / 6);
  if (!(half > 0)) return [mean, mean, mean];
  const det = a * (b * c - yz * yz) - xy * (xy * c - yz * xz) + xz * (xy * yz - b * xz), angle = Math.acos(Math.max(-1, Math.min(1, det / (2 * half ** 3)))) / 3;
  return [0, 2, 1].map((k) => mean + 2 * half * Math.cos(angle + (2 * Math.PI * k) / 3)).sort((p, q) => q - p);
}

const sideFor = (count: number): number => Math.max(1, Math.ceil(Math.sqrt(count)));

/** Four numbers for each of side x side. */
function texture(side: number): three.DataTexture {
  const made = new three.DataTexture(new Float32Array(4 * side * side), side, side, three.RGBAFormat, three.FloatType);
  made.magFilter = made.minFilter = three.NearestFilter;
  return made;
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
  private readonly uniforms: Record<string, three.IUniform> = {};
  private readonly nodes: Nodes;
  private corners: three.DataTexture | null = null;
  private inner: three.Mesh | null = null; // faces inside, drawn once it is cut
  private field: Field;
  private readonly fields: Field[];
  private magnify = 1;
  readonly solids: Cells[];
  private readonly seen: number;
  private readonly plane: boolean;
  private size = 1;
  private range: "run" | "most" | "moment" = "run";
  private readonly balls: Balls;
  private ballsMost = 1; // that their displacements are magnified
  private axis = "";
  private readonly slider = el("input", { type: "range", min: 0, max: 1, step: 0.005, value: 0.5, "aria-label": "where it is cut", input: () => this.slice() });
  private readonly where = el("span", {});
  private readonly told = el("span", { class: "magnified" });

  static fits(run: Run): boolean { return Cells.all(run).length > 0; }

  constructor(private readonly run: Run, private readonly clock: Clock) {
    super("Moving picture");
    this.solids = Cells.all(run);
    this.seen = this.solids.reduce((sum, s) => sum + s.seen, 0);
    this.plane = run.shape.dimension === 2;
    this.balls = new Balls(run);
    this.player = new Player(run, clock, Math.max(...this.solids.flatMap((s) => run.items.filter((i) => i.path.startsWith(`particles/${s.text.part}/`) && i.gridded).map((i) => i.grid()!.tall))));
    this.fields = this.listFields();
    const damaged = this.fields.findIndex((f) => f.label === "damage"), stressed = this.fields.findIndex((f) => /von Mises/.test(f.label));
    const first = damaged >= 0 ? damaged : Math.max(0, stressed); // what breaks is looked at first, then stress
    this.field = this.fields[first];
    this.view.append(this.told, this.bar);
    this.body.append(this.view, ...(this.plane ? [] : [el("div", { class: "knife" }, choice("cut", [["", "none"], ["x", "across x"], ["y", "across y"], ["z", "across z"]], "", (v) => { this.axis = v; this.slice(); }), this.slider, this.where)]), this.player.bar);
    this.card.classList.add("movie");
    this.slider.hidden = true;
    this.bounds();
    this.nodes = new Nodes(1e-5 * this.size);
    const apt = this.apt(), sizes = [...new Set([0, 1, 10, 100, 1e3, 1e4, 1e5, 1e6, apt])].sort((a, b) => a - b);
    this.magnify = apt;
    this.tools.prepend(
      choice("colour", this.fields.map((f, i) => [String(i), f.label]), String(first), (v) => { this.field = this.fields[Number(v)]; this.recolour(); this.frame(); }),
      choice("up to", [["run", "the largest"], ["most", "99 %"], ["moment", "this moment's"]], "run", (v) => { this.range = v as "run"; this.recolour(); this.frame(); }),
      choice("displacements", sizes.map((k) => [String(k), `× ${number(k, 3)}`]), String(apt), (v) => { this.magnify = Number(v); this.uniforms.magnify.value = this.magnify; this.frame(); }),
      ...(this.solids.some((s) => s.text.cracks) ? [toggle("cracks", "Links that are broken, as lines", true, (on) => { this.scene.getObjectByName("cracks")!.visible = on; this.render(); })] : []),
      button("view", "Back to the first view (key 0)", () => this.aim()));
    this.describe(apt);
    this.tools.append(...videoButton(this.player, run.rows, () => this.renderer?.domElement ?? null, () => { this.show(); return `${this.fileName()}.webm`; }));
    clock.follow(() => this.frame());
  }

  private describe(apt: number): void {
    const several = this.run.shape.solids.length > 1;
    for (const { text } of this.solids) {
      const all = text.seen === text.n, which = all ? `all ${count(text.n)} recorded cells` : `the ${count(text.seen)} cells at the surface of ${count(text.n)}`;
      this.notes.append(`${several ? `${text.name}: ` : ""}${several ? which : which.replace(/^./, (c: string) => c.toUpperCase())}${text.of !== text.n ? ` (the body has ${count(text.of)})` : ""}. `);
    }
    const left = (this.run.shape.solids as any[]).filter((text) => !this.solids.some((s) => s.text === text));
    if (left.length > 0) this.notes.append(`No cells of ${left.map((text) => text.name).join(", ")} were recorded. `);
    this.notes.append(this.plane ? "Drag to shift, scroll to zoom. " : "Drag to turn, scroll to zoom. ");
    if (apt > 1 && this.solids.some((s) => s.touch.some((x) => x !== 0))) this.notes.append("Displacements of solids count from where they first touch. ");
    if (this.balls.radius.length > 0) this.notes.append(`Displacements of balls count from where they first touch${apt > this.ballsMost ? `, × ${number(this.ballsMost, 3)} at most` : ""}. `);
    if (this.solids.some((s) => !s.turned)) this.notes.append(`Rotations were not recorded: ${this.solids.every((s) => s.turned || s.whole) ? "corners go with the mean of the cells around them" : "cells only shift"}. `);
    this.note(this.solids[0].moved.note);
  }

  private listFields(): Field[] {
    const found: Field[] = [], known = new Set<string>();
    const add = (label: string, word: string, unit: string, signed: boolean, of: Field["of"]) => { if (!known.has(label)) found.push({ label, word, unit, signed, of }); known.add(label); };
    for (const solid of this.solids) for (const item of this.run.items) {
      if (!item.path.startsWith(`particles/${solid.text.part}/`) || item.depth < 1 || !item.gridded) continue;
      const { depth, unit } = item, word = item.path.split("/")[2], mean = (v: ArrayLike<number>, at: number) => (v[at] + v[at + 1] + v[at + 2]) / 3;
      if (depth === 6) {
        add(`${word}: von Mises`, word, unit, false, (v, at) => {
          const [xx, yy, zz, yz, xz, xy] = [0, 1, 2, 3, 4, 5].map((k) => v[at + k]);
          return Math.sqrt(0.5 * ((xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2) + 3 * (yz * yz + xz * xz + xy * xy));
        });
        add(`${word}: mean`, word, unit, true, mean);
        add(`${word}: largest principal`, word, unit, true, (v, at) => principal(v, at)[0]);
        add(`${word}: smallest principal`, word, unit, true, (v, at) => principal(v, at)[2]);
      } else if (depth > 1 && word !== "rotation" && word !== "principal") add(`${word}: magnitude`, word, unit, false, (v, at) => {
        let sum = 0;
        for (let k = 0; k < depth; k++) sum += v[at + k] ** 2;
        return Math.sqrt(sum);
      });
      if (word === "position") continue;
      for (let k = 0; k < depth; k++) {
        const axis = axisName(item.name, depth, k), label = word === "von_mises" ? "von Mises stress" : word === "principal" ? "principal stress" : word.replaceAll("_", " ");
        add(`${label}${axis ? ` ${axis}` : ""}`, word, unit, true, (v, at) => v[at + k]);
      }
    }
    return found;
  }

  /** The field of a solid at a row, cell by cell; null if it was not recorded of this one. */
  private values(solid: Cells, field: Field): { grid: Grid; of: (row: number, i: number) => number } | null {
    const item = solid.item(field.word), grid = item?.grid();
    return item && grid ? { grid, of: (row, i) => field.of(grid.values, row * grid.across + solid.index(item, i) * item.depth) } : null;
  }

  private bounds(): void {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity], depth = this.plane ? 2 : 3;
    const reach = (at: number[], by: number[]) => { for (let k = 0; k < 3; k++) { low[k] = Math.min(low[k], at[k] - (k < depth ? by[k] : 0)); high[k] = Math.max(high[k], at[k] + (k < depth ? by[k] : 0)); } };
    for (const s of this.solids) for (const inner of [false, true]) for (const { cell, points } of s.faces(inner)) for (const p of points) reach([0, 1, 2].map((k) => s.centre[3 * cell + k] + p[k]), [0, 0, 0]);
    for (let i = 0; i < this.balls.radius.length; i++) reach([0, 1, 2].map((k) => this.balls.at[3 * i + k]), Array(3).fill(this.balls.radius[i]));
    for (const end of this.balls.ends) reach(end, [0, 0, 0]);
    this.low = low;
    this.high = high;
    this.size = Math.max(...[0, 1, 2].map((k) => high[k] - low[k])) || 1;
    this.middle = new three.Vector3(...[0, 1, 2].map((k) => 0.5 * (low[k] + high[k])));
    this.extent = new three.Vector3(...[0, 1, 2].map((k) => high[k] - low[k]));
  }
  private low = [0, 0, 0];
  private high = [1, 1, 1];
  private middle = new three.Vector3();
  private extent = new three.Vector3();
  private readonly room = [0, 0, 0]; // for the motion, magnified

  /** Magnified so that the largest displacement is a twelfth of the picture. */
  private apt(): number {
    const ways = this.solids.map((s) => s.farthest()), sides = [0, 1, 2].map((k) => Math.max(...ways.map((way) => way[k])));
    const used = this.solids.some((s) => s.absolute) ? 1 : plain(this.size / 12, Math.max(...sides));
    this.ballsMost = plain(this.size / 3, this.balls.farthest);
    for (let k = 0; k < 3; k++) this.room[k] = Math.min(2 * this.size, 2 * sides[k] * used);
    return used;
  }

  protected draw(): void {
    const width = this.body.clientWidth, height = Math.round(Math.max(300, Math.min(500, width * 0.42))), foot = 40; // the bar of colours
    this.view.style.height = `${height + foot}px`;
    if (!this.renderer) this.build();
    if (!this.renderer) return;
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
    this.renderer.setSize(width, height);
    this.renderer.setClearColor(new three.Color(styled("--card")), 1);
    this.balls.marks.colour(styled("--ink"), styled("--card"));
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
    const side = sideFor(this.seen);
    this.motion = texture(side);
    this.turning = texture(side);
    Object.assign(this.uniforms, { motion: { value: this.motion }, turning: { value: this.turning }, magnify: { value: this.magnify }, wide: { value: side }, corners: { value: null }, many: { value: 1 }, low: { value: 0 }, high: { value: 1 }, row: { value: 0 },
      away: { value: new three.Vector3() }, cut: { value: 1 }, colours: { value: null }, flatness: { value: this.plane ? 1 : 0 }, lines: { value: this.seen > 20000 ? 0 : 1 }, colour: { value: new three.Color(0xd01818) } });
    this.scene.add(this.skin(false), this.cracks(), this.walls(), this.balls.mesh, this.balls.marks.mesh);
    this.balls.build(styled("--faint"));
  }

  private skin(inner: boolean): three.Mesh {
    const material = new three.ShaderMaterial({ vertexShader: vertex, fragmentShader: fragment, side: three.DoubleSide });
    material.uniforms = this.uniforms; // one set for all that is drawn
    const mesh = new three.Mesh(this.geometry(inner), material), side = sideFor(this.nodes.count);
    mesh.frustumCulled = false;
    this.corners?.dispose();
    this.uniforms.corners.value = this.corners = texture(side);
    this.uniforms.many.value = side;
    return mesh;
  }

  /** Squares by four corners, other polygons by triangles around their middles: lines are drawn along their sides only. */
  private geometry(inner: boolean): three.BufferGeometry {
    let corners = 0, triangles = 0;
    for (const solid of this.solids) for (const { points: { length } } of solid.faces(inner)) { corners += length === 4 ? 4 : 3 * length; triangles += length === 4 ? 2 : length; }
    const index = new Uint32Array(3 * triangles), cell = new Float32Array(corners), node = new Float32Array(corners), [place, arms, side, corner] = [0, 1, 2, 3].map(() => new Float32Array(3 * corners));
    let at = 0, next = 0;
    const put = (solid: Cells, face: Face, p: number[], normal: number[], edge: number[], corner_: number) => {
      cell[at] = solid.first + face.cell;
      node[at] = corner_;
      for (let k = 0; k < 3; k++) { place[3 * at + k] = solid.centre[3 * face.cell + k]; arms[3 * at + k] = p[k]; side[3 * at + k] = normal[k]; corner[3 * at + k] = edge[k] ?? 0; }
      at++;
    };
    for (const solid of this.solids) for (const face of solid.faces(inner)) {
      const p = face.points, middle = [0, 1, 2].map((k) => p.reduce((sum, q) => sum + q[k], 0) / p.length), normal = [0, 0, 0];
      p.forEach((a, c) => {
        const [u, v] = [a, p[(c + 1) % p.length]].map((q) => q.map((x, k) => x - middle[k]));
        for (let k = 0; k < 3; k++) normal[k] += u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
      });
      const length = Math.hypot(...normal) || 1, unit = normal.map((x) => x / length);
      const nodes = solid.whole ? p.map((q) => this.nodes.at(q.map((x, k) => x + solid.centre[3 * face.cell + k]), solid.first + face.cell)) : null;
      if (p.length === 4) {
        for (const k of [0, 1, 2, 0, 2, 3]) index[next++] = at + k;
        p.forEach((q, c) => put(solid, face, q, unit, [[0, 0], [1, 0], [1, 1], [0, 1]][c], nodes?.[c] ?? -1));
      } else {
        const amid = nodes ? this.nodes.amid(nodes) : -1;
        p.forEach((a, c) => [middle, a, p[(c + 1) % p.length]].forEach((q, v) => { index[next++] = at; put(solid, face, q, unit, [v === 0 ? 0.5 : 0, [0.5, 0.3, 0.7][v]], v === 0 ? amid : nodes?.[(c + v - 1) % p.length] ?? -1); }));
      }
    }
    const geometry = new three.BufferGeometry();
    for (const [name, data] of [["position", place], ["arm", arms], ["side", side], ["corner", corner]] as const) geometry.setAttribute(name, new three.BufferAttribute(data, 3));
    geometry.setAttribute("cell", new three.BufferAttribute(cell, 1));
    geometry.setAttribute("node", new three.BufferAttribute(node, 1));
    geometry.setIndex(new three.BufferAttribute(index, 1));
    return geometry;
  }

  /** Outlines of links that are broken; in the plane bars, as lines are a pixel wide. */
  private cracks(): three.Object3D {
    const place: number[] = [], arms: number[] = [], cell: number[] = [], since: number[] = [];
    for (const solid of this.solids) for (const face of solid.cracks()) {
      const [a, b] = face.points, half = 0.06, off = this.plane ? [half * (a[1] - b[1]), half * (b[0] - a[0]), 0] : [];
      const bar = () => { const q = [a, b].flatMap((p) => [1, -1].map((s) => p.map((x, k) => x + s * off[k]))); return [0, 1, 2, 2, 1, 3].map((i) => q[i]); };
      for (const p of this.plane ? bar() : face.points.flatMap((p, i) => [p, face.points[(i + 1) % face.points.length]])) {
        cell.push(solid.first + face.cell);
        since.push(face.since!);
        arms.push(...p);
        for (let k = 0; k < 3; k++) place.push(solid.centre[3 * face.cell + k]);
      }
    }
    const geometry = new three.BufferGeometry();
    for (const [name, data, size] of [["position", place, 3], ["arm", arms, 3], ["cell", cell, 1], ["node", cell.map(() => -1), 1], ["since", since, 1]] as const) geometry.setAttribute(name, new three.BufferAttribute(new Float32Array(data), size));
    const material = new three.ShaderMaterial({ vertexShader: crackVertex, fragmentShader: crackFragment, side: three.DoubleSide });
    material.uniforms = this.uniforms;
    const made = this.plane ? new three.Mesh(geometry, material) : new three.LineSegments(geometry, material);
    made.frustumCulled = false;
    made.name = "cracks";
    return made;
  }

  /** Rigid planes, as large as all that stands there. */
  private walls(): three.Group {
    const group = new three.Group();
    for (const { at, normal } of (this.run.shape.walls ?? []) as { at: number[]; normal: number[] }[]) {
      const n = new three.Vector3(...normal), d = n.dot(new three.Vector3(...at).sub(this.middle)), thick = 0.01 * this.size;
      const made = new three.Mesh(this.plane ? new three.PlaneGeometry(1.2 * this.size, thick) : new three.PlaneGeometry(1.2 * this.size, 1.2 * this.size),
        new three.MeshBasicMaterial({ color: styled("--faint"), side: three.DoubleSide, transparent: !this.plane, opacity: this.plane ? 1 : 0.45 }));
      made.quaternion.setFromUnitVectors(new three.Vector3(0, this.plane ? 1 : 0, this.plane ? 0 : 1), n);
      made.position.copy(this.middle).addScaledVector(n, d - (this.plane ? 0.5 * thick : 0));
      group.add(made);
    }
    return group;
  }

  private slice(): void {
    const k = "xyz".indexOf(this.axis), way = [0, 0, 0], on = this.axis !== "";
    const x = on ? this.low[k] + Number(this.slider.value) * (this.high[k] - this.low[k]) : 0;
    if (on) way[k] = k === 1 ? -1 : 1; // what lies towards the eye of the first view goes
    this.slider.hidden = !on;
    const hollow = on && this.solids.some((s) => !s.text.inside);
    this.where.textContent = on ? `${this.axis} = ${number(x, 3)}${this.run.text.units === "none" ? "" : " m"}${hollow ? ": a shell, as the page carries the surface only" : ""}` : "";
    this.uniforms.away.value.set(...way);
    this.uniforms.cut.value = on ? way[k] * x : 1;
    if (on && !this.inner) this.scene.add((this.inner = this.skin(true)));
    if (this.inner) this.inner.visible = on;
    this.frame();
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

  /** The range of the field over all times and solids, and its colours. */
  private recolour(): void {
    const { field } = this, sizes: number[] = [];
    let low = 0, high = 0;
    for (const solid of this.solids) {
      const values = this.values(solid, field);
      if (!values) continue;
      const { grid, of } = values, skip = Math.max(1, Math.floor((grid.down * this.seen) / 2e6)), now = solid.rowOf(grid, this.clock.row), [first, last] = this.range === "moment" ? [now, now + 1] : [0, grid.down];
      const look = Math.max(1, Math.floor(((last - first) * this.seen) / skip / 2e5));
      for (let r = first; r < last; r += skip) for (let i = 0; i < solid.seen; i++) {
        const v = of(r, i);
        if (v < low && v > -Infinity) low = v;
        if (v > high && v < Infinity) high = v;
        if (this.range === "most" && i % look === 0 && Number.isFinite(v)) sizes.push(Math.abs(v));
      }
    }
    if (this.range === "most" && sizes.length > 0) {
      const most = sizes.sort((a, b) => a - b)[Math.floor(0.99 * (sizes.length - 1))];
      if (most > 0) [low, high] = [Math.max(low, -most), Math.min(high, most)];
    }
    const signed = field.signed && low < 0;
    if (signed) { high = Math.max(high, -low); low = -high; }
    const colours = palette(signed ? "signed" : "viridis"), data = new Uint8Array(256 * 4);
    for (let i = 0; i < 256; i++) data.set([colours[3 * i], colours[3 * i + 1], colours[3 * i + 2], 255], 4 * i);
    const texture = new three.DataTexture(data, 256, 1);
    texture.needsUpdate = true;
    if (this.renderer) { this.uniforms.low.value = low; this.uniforms.high.value = high; this.uniforms.colours.value = texture; }
    fillBar(this.bar, field.label, field.unit, low, high, colours, this.range === "most");
  }

  frame(): void {
    if (!this.shown || !this.renderer) return;
    const row = this.clock.row, motion = this.motion.image.data as Float32Array;
    for (const solid of this.solids) {
      const values = this.values(solid, this.field), r = values ? solid.rowOf(values.grid, row) : 0;
      solid.move(row, this.magnify, motion, this.turning.image.data as Float32Array);
      for (let i = 0; i < solid.seen; i++) {
        const value = values ? values.of(r, i) : unknown;
        motion[4 * (solid.first + i) + 3] = Number.isFinite(value) ? value : broken;
      }
    }
    if (this.range === "moment") this.recolour();
    this.uniforms.row.value = row;
    this.nodes.fill(motion, this.corners!.image.data as Float32Array);
    this.motion.needsUpdate = this.turning.needsUpdate = this.corners!.needsUpdate = true;
    const balls = Math.min(this.magnify, this.ballsMost), word = balls !== this.magnify && this.balls.radius.length > 0;
    this.told.textContent = this.magnify === 1 ? "" : word ? `displacements: cells × ${number(this.magnify, 3)}, balls × ${number(balls, 3)}` : `displacements × ${number(this.magnify, 3)}`;
    this.balls.frame(row, balls);
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
    const { field, solids, run, clock: { row } } = this, several = solids.length > 1, values = (solid: Cells) => this.values(solid, field);
    const rows = function* () {
      for (const solid of solids) {
        const of = values(solid), r = of ? solid.rowOf(of.grid, row) : 0;
        for (let i = 0; of && i < solid.seen; i++) yield [...(several ? [solid.name] : []), solid.kept[i], run.timeOf(row), of.of(r, i)];
      }
    };
    return { head: [...(several ? ["solid"] : []), "cell", "time", field.label], rows: rows() };
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
