// Walls of space as outlines with faint faces, and the box of a domain; all stand at the origin in their own axes.
import * as three from "three";
import { cornersOf, isSolid, type Wall } from "./bodies";

/** The two materials that walls share: their colours follow light and dark. */
export class Drawing {
  readonly line = new three.LineBasicMaterial({ transparent: true, opacity: 0.75 });
  readonly face = new three.MeshBasicMaterial({ transparent: true, opacity: 0.1, side: three.DoubleSide, depthWrite: false });

  colour(of: string): void {
    this.line.color.set(of);
    this.face.color.set(of);
  }
}

/** What edges and faces are drawn with. */
interface Surface { line: three.Material; face: three.Material }

/** The face of a free box or cylinder, which has its own colour; it is seen through where force chains are shown. */
export class Skin extends three.MeshLambertMaterial {
  constructor(cut: three.Plane) { super({ side: three.DoubleSide, clippingPlanes: [cut], transparent: true, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 }); }

  /** A shade of 0 to 1 along the colours, or -1: not a number. */
  tint(colours: Uint8Array, shade: number, clear: boolean): void {
    const k = 3 * Math.round(255 * shade);
    if (shade < 0) this.color.setRGB(0.69, 0, 0.38, three.SRGBColorSpace);
    else this.color.setRGB(colours[k] / 255, colours[k + 1] / 255, colours[k + 2] / 255, three.SRGBColorSpace);
    this.opacity = clear ? 0.3 : 1;
    this.depthWrite = !clear;
  }
}

function outlined(geometry: three.BufferGeometry, lines: three.BufferGeometry, drawing: Surface): three.Group {
  return new three.Group().add(new three.Mesh(geometry, drawing.face), new three.LineSegments(lines, drawing.line));
}

/** Circles about the axes that are named, of a radius, at a height. */
function circles(list: { axis: number; radius: number; height: number }[], more: number[] = []): three.BufferGeometry {
  const points: number[] = [...more], parts = 72;
  for (const { axis, radius, height } of list) for (let i = 0; i < parts; i++) for (const k of [i, i + 1]) {
    const p = [0, 0, 0], angle = (2 * Math.PI * k) / parts;
    p[axis] = height;
    p[(axis + 1) % 3] = radius * Math.cos(angle);
    p[(axis + 2) % 3] = radius * Math.sin(angle);
    points.push(...p);
  }
  return new three.BufferGeometry().setAttribute("position", new three.Float32BufferAttribute(points, 3));
}

/** A piece of a plane, with a grid on it. */
function sheet(normal: number[], size: number, drawing: Surface): three.Group {
  const points: number[] = [], parts = 8, turn = new three.Quaternion().setFromUnitVectors(new three.Vector3(0, 0, 1), new three.Vector3(...normal).normalize());
  for (let i = 0; i <= parts; i++) {
    const x = size * (i / parts - 0.5);
    points.push(x, -size / 2, 0, x, size / 2, 0, -size / 2, x, 0, size / 2, x, 0);
  }
  const made = outlined(new three.PlaneGeometry(size, size), new three.BufferGeometry().setAttribute("position", new three.Float32BufferAttribute(points, 3)), drawing);
  made.quaternion.copy(turn);
  return new three.Group().add(made);
}

function polyhedron(wall: Wall, drawing: Surface): three.Group {
  const corner = cornersOf(wall), points: number[] = [], lines: number[] = [];
  for (const face of wall.faces ?? []) {
    for (let k = 1; k + 1 < face.length; k++) for (const i of [0, k, k + 1]) points.push(...corner[face[i]]);
    face.forEach((from, k) => lines.push(...corner[from], ...corner[face[(k + 1) % face.length]]));
  }
  const made = (numbers: number[]) => new three.BufferGeometry().setAttribute("position", new three.Float32BufferAttribute(numbers, 3)), skin = made(points);
  skin.computeVertexNormals();
  return outlined(skin, made(lines), drawing);
}

export function wallGroup(wall: Wall, size: number, drawing: Surface): three.Group {
  if (wall.surface === "plane") return sheet(wall.normal, size, drawing);
  if (wall.surface === "ball") return outlined(new three.SphereGeometry(wall.radius, 48, 24), circles([0, 1, 2].map((axis) => ({ axis, radius: wall.radius, height: 0 }))), drawing);
  if (wall.surface === "box") {
    const box = new three.BoxGeometry(...wall.size.map((x) => 2 * x));
    return outlined(box, new three.EdgesGeometry(box), drawing);
  }
  if (wall.surface === "convex") return polyhedron(wall, drawing);
  const [radius, , half] = wall.size, sides: number[] = [], tube = new three.CylinderGeometry(radius, radius, 2 * half, 72, 1, !isSolid(wall)).rotateX(Math.PI / 2);
  for (let k = 0; k < 8; k++) {
    const x = radius * Math.cos((k * Math.PI) / 4), y = radius * Math.sin((k * Math.PI) / 4);
    sides.push(x, y, -half, x, y, half);
  }
  return outlined(tube, circles([-half, half].map((height) => ({ axis: 2, radius, height })), sides), drawing);
}

export function domainBox(low: number[], high: number[], drawing: Drawing): three.LineSegments {
  const sides = high.map((x, k) => x - low[k]), made = new three.LineSegments(new three.EdgesGeometry(new three.BoxGeometry(...sides)), drawing.line);
  made.position.set(...(low.map((x, k) => x + sides[k] / 2) as [number, number, number]));
  return made;
}
