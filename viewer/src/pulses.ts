// Force pulses: the peaks of a contact's force, and the solitary wave's shape fitted to the largest: F cos^6(w (t - t0)),
// the pulse of Hertz contacts without precompression (Nesterenko). Least squares by Gauss and Newton over the samples
// above a tenth of the peak; the fit is shown with its error, as other chains have other pulses.

export interface Peak { row: number; time: number; force: number }

/** Largest sample of every stretch in which the force is above `level`. */
export function peaks(time: ArrayLike<number>, force: ArrayLike<number>, level: number): Peak[] {
  const found: Peak[] = [];
  let best = -1;
  for (let i = 0; i <= force.length; i++) {
    const above = i < force.length && force[i] > level;
    if (above && (best < 0 || force[i] > force[best])) best = i;
    if (!above && best >= 0) {
      found.push({ row: best, ...top(time, force, best) });
      best = -1;
    }
  }
  return found;
}

/** The top of the parabola through the three samples around a maximum. */
function top(t: ArrayLike<number>, f: ArrayLike<number>, i: number): { time: number; force: number } {
  if (i === 0 || i === f.length - 1 || !(f[i - 1] <= f[i]) || !(f[i + 1] <= f[i])) return { time: t[i], force: f[i] };
  const a = t[i - 1] - t[i], b = t[i + 1] - t[i], fa = f[i - 1] - f[i], fb = f[i + 1] - f[i];
  const curve = (fa * b - fb * a) / (a * b * (a - b)), slope = (fb * a * a - fa * b * b) / (a * b * (a - b));
  if (!(curve < 0)) return { time: t[i], force: f[i] };
  const at = -slope / (2 * curve);
  return { time: t[i] + at, force: f[i] + slope * at + curve * at * at };
}

export interface Fit { amplitude: number; centre: number; width: number; error: number; x: Float64Array; y: Float64Array }

/** F cos^6(pi (t - centre) / width) around a peak; `width` is the whole pulse, `error` the root mean square over the peak. */
export function fitPulse(time: ArrayLike<number>, force: ArrayLike<number>, peak: Peak): Fit | null {
  const floor = 0.1 * peak.force;
  let first = peak.row, last = peak.row;
  while (first > 0 && force[first - 1] > floor && force[first - 1] <= force[first] * 1.0001) first--;
  while (last < force.length - 1 && force[last + 1] > floor && force[last + 1] <= force[last] * 1.0001) last++;
  if (last - first < 4) return null;
  const span = time[last] - time[first];
  let a = peak.force, c = peak.time, w = span * 1.9; // cos^6 is above a tenth over 0.52 of its width
  let damp = 1e-3, before = residual(time, force, first, last, a, c, w);
  for (let round = 0; round < 60; round++) {
    const m = [0, 0, 0, 0, 0, 0], g = [0, 0, 0];
    for (let i = first; i <= last; i++) {
      const s = (Math.PI * (time[i] - c)) / w, inside = Math.abs(s) < Math.PI / 2, cos = inside ? Math.cos(s) : 0;
      const shape = cos ** 6, slope = inside ? 6 * cos ** 5 * Math.sin(s) : 0;
      const j = [shape, (a * slope * Math.PI) / w, (a * slope * s) / w], r = force[i] - a * shape;
      let k = 0;
      for (let p = 0; p < 3; p++) { g[p] += j[p] * r; for (let q = p; q < 3; q++) m[k++] += j[p] * j[q]; }
    }
    const step = solve3([m[0] * (1 + damp), m[1], m[2], m[3] * (1 + damp), m[4], m[5] * (1 + damp)], g);
    if (!step) return null;
    const [na, nc, nw] = [a + step[0], c + step[1], w + step[2]], after = nw > 0 && na > 0 ? residual(time, force, first, last, na, nc, nw) : Infinity;
    if (after < before) {
      const small = Math.abs(step[0]) < 1e-10 * a && Math.abs(step[2]) < 1e-10 * w;
      [a, c, w, before] = [na, nc, nw, after];
      damp = Math.max(1e-12, damp / 5);
      if (small) break;
    } else if ((damp *= 6) > 1e8) break;
  }
  const x = new Float64Array(161), y = new Float64Array(161);
  for (let i = 0; i < 161; i++) { x[i] = c + w * (i / 160 - 0.5); y[i] = a * Math.cos(Math.PI * (i / 160 - 0.5)) ** 6; }
  return { amplitude: a, centre: c, width: w, error: Math.sqrt(before / (last - first + 1)) / a, x, y };
}

function residual(t: ArrayLike<number>, f: ArrayLike<number>, first: number, last: number, a: number, c: number, w: number): number {
  let sum = 0;
  for (let i = first; i <= last; i++) {
    const s = (Math.PI * (t[i] - c)) / w, d = f[i] - (Math.abs(s) < Math.PI / 2 ? a * Math.cos(s) ** 6 : 0);
    sum += d * d;
  }
  return sum;
}

/** Symmetric 3 x 3: xx xy xz yy yz zz. */
function solve3([a, b, c, d, e, f]: number[], g: number[]): number[] | null {
  const A = d * f - e * e, B = c * e - b * f, C = b * e - c * d, det = a * A + b * B + c * C;
  if (!Number.isFinite(det) || det === 0) return null;
  return [(A * g[0] + B * g[1] + C * g[2]) / det, (B * g[0] + (a * f - c * c) * g[1] + (b * c - a * e) * g[2]) / det,
    (C * g[0] + (b * c - a * e) * g[1] + (a * d - b * b) * g[2]) / det];
}
