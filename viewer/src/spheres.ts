// Spheres and force chains on the graphics card. A sphere is a square that faces the eye; where the ray through a pixel
// meets the sphere is worked out there, with the right depth, so a hundred thousand are one draw of two triangles each.
// Per picture only centres with their colours go over, and how the spheres have turned.
import * as three from "three";
import { floats } from "./bodies";

const rest = /* glsl */ `
  uniform vec3 away;  // beyond the cut: where away . x > cut
  uniform float cut;
  vec3 awayNow() { return mat3(viewMatrix) * away; }
  float beyond(vec3 p) { vec3 n = awayNow(); return dot(n, p - viewMatrix[3].xyz) - cut; }`;

const vertex = /* glsl */ `
  precision highp float;
  uniform float size, low, high;
  uniform sampler2D colours;
  attribute vec3 centre;
  attribute float radius, value; // 0: a wall, which is drawn otherwise
  attribute vec4 turn;
  varying vec3 tint, ray, middle;
  varying vec4 turning;
  varying float reach;
  void main() {
    middle = (viewMatrix * vec4(centre, 1.0)).xyz;
    reach = size * radius;
    float far2 = dot(middle, middle), grown = reach * sqrt(far2 / max(far2 - reach * reach, 1e-6 * far2));
    vec3 w = middle / sqrt(far2), u = normalize(cross(abs(w.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0), w)), v = cross(w, u);
    ray = middle + 1.02 * grown * (u * position.x + v * position.y);
    float part = clamp((value - low) / max(high - low, 1e-30), 0.0, 1.0);
    tint = value > 1e37 ? vec3(0.69, 0.0, 0.38) : texture2D(colours, vec2(part * (255.0 / 256.0) + 0.5 / 256.0, 0.5)).rgb;
    turning = turn;
    gl_Position = projectionMatrix * vec4(ray, 1.0);
  }`;

const fragment = /* glsl */ `
  precision highp float;
  uniform mat4 projectionMatrix;
  uniform float marked;
  varying vec3 tint, ray, middle;
  varying vec4 turning;
  varying float reach;
  ${rest}
  vec3 turnedBack(vec4 q, vec3 x) { // q = (w, x, y, z)
    vec3 t = 2.0 * cross(x, q.yzw);
    return x + q.x * t + cross(t, q.yzw);
  }
  void main() {
    vec3 d = normalize(ray);
    float along = dot(d, middle), inside = reach * reach - (dot(middle, middle) - along * along);
    float edge = inside / max(fwidth(inside), 1e-30);
    if (inside <= 0.0) discard;
    float half_ = sqrt(inside), t = along - half_, light;
    vec3 p = t * d, n = (p - middle) / reach, colour = tint;
    if (beyond(p) > 0.0) { // cut open: the face of the cut, if the ray goes through it
      vec3 face = awayNow();
      float slope = dot(face, d);
      t += -beyond(p) / slope;
      if (slope >= 0.0 || t > along + half_) discard;
      p = t * d;
      light = 0.82;
      if (reach - distance(p, middle) < 0.06 * reach) light = 0.55;
    } else {
      light = 0.45 + 0.55 * max(dot(n, normalize(vec3(0.35, 0.5, 0.8))), 0.0);
      vec3 own = turnedBack(turning, transpose(mat3(viewMatrix)) * n);
      float band = 1.0 - smoothstep(0.07, 0.09, abs(own.z)), cap = smoothstep(0.93, 0.94, own.z);
      colour = mix(colour, vec3(1.0), 0.65 * marked * max(band, cap));
    }
    vec4 clip = projectionMatrix * vec4(p, 1.0);
    gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;
    gl_FragColor = vec4(colour * light + 0.05, clamp(edge, 0.0, 1.0));
  }`;

const chainVertex = /* glsl */ `
  precision highp float;
  uniform float widest;
  attribute vec3 from, to;
  attribute float width;
  varying float across;
  varying vec3 place;
  void main() {
    vec3 a = (viewMatrix * vec4(from, 1.0)).xyz, b = (viewMatrix * vec4(to, 1.0)).xyz;
    vec3 side = cross(b - a, a);
    place = mix(a, b, 0.5 + 0.5 * position.y) + widest * (0.08 + 0.92 * width) * position.x * side / max(length(side), 1e-30);
    across = position.x;
    gl_Position = width > 0.0 ? projectionMatrix * vec4(place, 1.0) : vec4(0.0);
  }`;

const chainFragment = /* glsl */ `
  precision highp float;
  uniform vec3 colour;
  varying float across;
  varying vec3 place;
  ${rest}
  void main() {
    if (beyond(place) > 0.0) discard;
    gl_FragColor = vec4(colour * (0.55 + 0.45 * sqrt(max(0.0, 1.0 - across * across))), 1.0);
  }`;

/** A square for each of `count` instances. */
function squares(count: number): three.InstancedBufferGeometry {
  const geometry = new three.InstancedBufferGeometry();
  geometry.setAttribute("position", new three.BufferAttribute(new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]), 3));
  geometry.setIndex([0, 1, 2, 0, 2, 3]);
  geometry.instanceCount = count;
  return geometry;
}

function changing(data: Float32Array, width: number): three.InstancedBufferAttribute {
  return new three.InstancedBufferAttribute(data, width).setUsage(three.DynamicDrawUsage);
}

/** Where the cut lies, for spheres and chains alike. */
export interface Cut { away: three.IUniform<three.Vector3>; cut: three.IUniform<number> }

export function newCut(): Cut { return { away: { value: new three.Vector3() }, cut: { value: 1 } }; }

export class Spheres {
  readonly mesh: three.Mesh;
  readonly uniforms: Record<string, three.IUniform>;
  private readonly changes: three.InstancedBufferAttribute[] = [];

  /** Numbers of each body: three of its centre, one that colours it, four of its rotation. They are looked at anew after changed(). */
  constructor(centre: Float32Array, radius: Float32Array, value: Float32Array, turns: Float32Array | null, cut: Cut) {
    const geometry = squares(radius.length), turning = turns !== null;
    geometry.setAttribute("radius", new three.InstancedBufferAttribute(radius, 1));
    for (const [name, data, width] of [["centre", centre, 3], ["value", value, 1], ["turn", turns, 4]] as const) if (data) {
      this.changes.push(changing(data, width));
      geometry.setAttribute(name, this.changes[this.changes.length - 1]);
    }
    this.uniforms = { size: { value: 1 }, low: { value: 0 }, high: { value: 1 }, colours: { value: null }, marked: { value: turning ? 1 : 0 }, ...cut };
    this.mesh = new three.Mesh(geometry, new three.ShaderMaterial({ vertexShader: vertex, fragmentShader: fragment, uniforms: this.uniforms, alphaToCoverage: true, side: three.DoubleSide }));
    this.mesh.frustumCulled = false;
  }

  changed(): void {
    for (const attribute of this.changes) attribute.needsUpdate = true;
  }
}

export class Chains {
  readonly mesh: three.Mesh;
  readonly uniforms: Record<string, three.IUniform>;
  private readonly geometry: three.InstancedBufferGeometry;
  private readonly buffer: three.InstancedInterleavedBuffer;

  constructor(pieces: Float32Array, cut: Cut) {
    this.geometry = squares(0);
    this.buffer = new three.InstancedInterleavedBuffer(pieces, floats).setUsage(three.DynamicDrawUsage);
    this.geometry.setAttribute("from", new three.InterleavedBufferAttribute(this.buffer, 3, 0));
    this.geometry.setAttribute("to", new three.InterleavedBufferAttribute(this.buffer, 3, 3));
    this.geometry.setAttribute("width", new three.InterleavedBufferAttribute(this.buffer, 1, 6));
    this.uniforms = { widest: { value: 1 }, colour: { value: new three.Color() }, ...cut };
    this.mesh = new three.Mesh(this.geometry, new three.ShaderMaterial({ vertexShader: chainVertex, fragmentShader: chainFragment, uniforms: this.uniforms, side: three.DoubleSide }));
    this.mesh.frustumCulled = false;
  }

  changed(count: number): void {
    this.geometry.instanceCount = count;
    this.mesh.visible = count > 0;
    this.buffer.needsUpdate = count > 0;
  }
}
