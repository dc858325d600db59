// A camera that looks at a box from in front, from the right and a little from above, with z upwards.
import * as three from "three";

/** So near that the box fills most of the picture. */
export function aimed(ratio: number, middle: three.Vector3, extent: three.Vector3): three.PerspectiveCamera {
  const size = Math.max(extent.x, extent.y, extent.z) || 1, way = new three.Vector3(0.45, -1.0, 0.42).normalize();
  const camera = new three.PerspectiveCamera(35, ratio, size / 1000, size * 100);
  camera.up.set(0, 0, 1);
  let distance = 3 * size;
  for (let round = 0; round < 6; round++) {
    camera.position.copy(middle).addScaledVector(way, distance);
    camera.lookAt(middle);
    camera.updateMatrixWorld();
    let most = 0;
    for (let k = 0; k < 8; k++) {
      const corner = new three.Vector3(...[0, 1, 2].map((a) => middle.getComponent(a) + (k & (1 << a) ? 0.5 : -0.5) * extent.getComponent(a))).project(camera);
      most = Math.max(most, Math.abs(corner.x), Math.abs(corner.y));
    }
    distance *= most / 0.9;
  }
  camera.position.copy(middle).addScaledVector(way, distance);
  return camera;
}
