// Force pulses: the peaks of a contact's force, and the solitary wave's shape fitted to the largest: F cos^6((t - T) / tau),
// the pulse of Hertz contacts without precompression (Nesterenko; Nguyen and Brogliato 2011, equation (40)). The fit is
// shown with its error, as other chains have other pulses.

export interface Peak { row: number; time: number; force: number; closed?: number }

/** Tops of a force that rise above `level`, and out of what lies between them and the next higher one by as much: a wave that comes while the
 * contact is still closed has a top of its own, and a ripple has none. */
export function peaks(time: ArrayLike<number>, force: ArrayLike<number>, level: number): Peak[] {
  const found: Peak[] = [];
  let best = -1, lowest = 0, rising = true; // on the way up: the largest sample so far; on the way down: the lowest
  for (let i = 0; i < force.length; i++) {
    if (!(force[i] > -Infinity && force[i] < Infinity)) continue;
    if (rising) {
      if (best < 0 || force[i] > force[best]) best = i;
      if (force[best] > level && force[i] < force[best] - level) {
        found.push({ row: best, ...top(time, force, best) });
        rising = false, lowest = force[i];
      }
    } else if (force[i] < lowest) lowest = force[i];
    else if (force[i] > lowest + level) rising = true, best = i;
  }
  if (rising && best >= 0 && best < force.length - 1 && force[best] > level && found.length === 0) found.push({ row: best, ...top(time, force, best) }); // the record ends soon after it
  return found;
}

/** The first top of a force that is above `level`: those after it may be higher. null: it only rises. */
export function firstTop(time: ArrayLike<number>, force: ArrayLike<number>, level: number): number | null {
  for (let i = 0, best = -1; i < force.length; i++) {
    if (best < 0 ? force[i] > level : force[i] > force[best]) best = i;
    else if (best >= 0 && force[i] < 0.98 * force[best]) return top(time, force, best).time;
  }
  return null;
}

/** The peak near a sample that stands above its neighbours, as src/solve/summit.c finds it: the polynomial through five samples,
 * the parabola through three, or the sample itself; never through samples of 0, where the contact is open. */
function top(t: ArrayLike<number>, f: ArrayLike<number>, i: number): { time: number; force: number } {
  if (i === 0 || i === f.length - 1 || !(f[i - 1] <= f[i]) || !(f[i + 1] <= f[i])) return { time: t[i], force: f[i] };
  const unit = 0.5 * (t[i + 1] - t[i - 1]);
  let at = 0, force = f[i];
  for (const reach of [1, 2]) {
    if (i < reach || i + reach >= f.length) break;
    const x: number[] = [], y: number[] = [];
    for (let k = i - reach; k <= i + reach; k++) x.push((t[k] - t[i]) / unit), y.push(f[k] - f[i]);
    if (y.some((above) => above === -f[i])) break;
    const found = climb(newton(x, y), at, x[reach - 1], x[reach + 1]);
    if (!found || !(found.height >= 0) || !(found.height <= -Math.min(y[reach - 1], y[reach + 1]))) break;
    at = found.x, force = f[i] + found.height;
  }
  return { time: t[i] + at * unit, force };
}

/** Coefficients of the polynomial through points, by divided differences. */
function newton(x: number[], y: number[]): number[] {
  const d = [...y], c = y.map(() => 0);
  for (let order = 1; order < d.length; order++)
    for (let k = d.length - 1; k >= order; k--) d[k] = (d[k] - d[k - 1]) / (x[k] - x[k - order]);
  for (let k = d.length - 1; k >= 0; k--) {
    for (let p = c.length - 1; p > 0; p--) c[p] = c[p - 1] - x[k] * c[p];
    c[0] = d[k] - x[k] * c[0];
  }
  return c;
}

/** A maximum of the polynomial near x, by Newton's method on its slope; null if there is none between low and high. */
function climb(c: number[], x: number, low: number, high: number): { x: number; height: number } | null {
  for (let round = 0; round < 30; round++) {
    let rise = 0, bend = 0;
    for (let k = c.length - 1; k > 0; k--) bend = bend * x + rise, rise = rise * x + k * c[k];
    const step = -rise / bend;
    x += step;
    if (!(bend < 0) || !(x > low) || !(x < high)) return null;
    if (Math.abs(step) < 1e-14 * (high - low)) break;
  }
  return { x, height: c.reduceRight((sum, a) => sum * x + a, 0) };
}

const UNEVEN = 8;

/** The slope at a sample as src/study/pulse/pulse_curve.c has it: of the parabola through three; where one interval is far longer than the other, no
 * more than what keeps both cubics between their ends. */
function slope(t: ArrayLike<number>, f: ArrayLike<number>, i: number): number {
  const m = i === 0 ? 1 : i === f.length - 1 ? f.length - 2 : i, left = t[m] - t[m - 1], right = t[m + 1] - t[m];
  const before = (f[m] - f[m - 1]) / left, after = (f[m + 1] - f[m]) / right, bend = (after - before) / (left + right), middle = before + bend * left;
  if (Math.max(left, right) > UNEVEN * Math.min(left, right))
    return i !== m ? (i < m ? before : after) : before * after > 0 ? Math.sign(middle) * Math.min(Math.abs(middle), 3 * Math.min(Math.abs(before), Math.abs(after))) : 0;
  return i < m ? before - bend * left : i > m ? after + bend * right : middle;
}

/** Where the cubic between samples i, below the level, and i + 1 passes it; where the force comes from 0 it stays above. */
function crossing(t: ArrayLike<number>, f: ArrayLike<number>, i: number, level: number): number {
  const h = t[i + 1] - t[i], rise = f[i + 1] - f[i], closes = f[i] === 0, bend = h * slope(t, f, i + 1);
  const a = closes ? 0 : h * slope(t, f, i), b = closes ? Math.sign(bend) * Math.min(Math.abs(bend), 3 * rise) : bend;
  let low = 0, high = 1;
  for (let round = 0; round < 60; round++) {
    const s = 0.5 * (low + high), value = f[i] + s * (a + s * (3 * rise - 2 * a - b + s * (a + b - 2 * rise)));
    if (value < level) low = s; else high = s;
  }
  return t[i] + 0.5 * (low + high) * h;
}

export interface Fit { amplitude: number; centre: number; tau: number; error: number; x: Float64Array; y: Float64Array }

/** F cos^6((t - T) / tau) with F and T held at the peak, least squares over the front (from a hundredth of the peak up to
 * it, but not before the contact closed), every sample weighted by the time it stands for: as `carom pulse` does. `error`: root mean square over F. */
export function fitPulse(time: ArrayLike<number>, force: ArrayLike<number>, peak: Peak): Fit | null {
  const foot = 0.01 * peak.force;
  let first = peak.row;
  while (first > 0 && force[first - 1] >= foot && force[first - 1] <= force[first]) first--;
  let last = peak.row;
  while (last > first && time[last] >= peak.time) last--;
  if (last - first < 4) return null;
  const below = first > 0 && force[first - 1] < foot; // the front is from the foot, wherever between samples that is, to the peak
  const from = below ? Math.max(crossing(time, force, first - 1, foot), peak.closed ?? -Infinity) : time[first];
  const misfit = (tau: number): number => {
    let sum = 0, whole = 0;
    for (let i = first; i <= last; i++) {
      const s = (time[i] - peak.time) / tau, d = force[i] / peak.force - (Math.abs(s) < Math.PI / 2 ? Math.cos(s) ** 6 : 0);
      const w = (i < last ? 0.5 * (time[i] + time[i + 1]) : peak.time) - (i > first ? 0.5 * (time[i - 1] + time[i]) : from);
      sum += w * d * d;
      whole += w;
    }
    return sum / whole;
  };
  // the misfit has one valley between a narrow and a wide hump: bracket it by a scan, then golden sections
  const span = peak.time - time[first];
  let best = span / 1.1, least = Infinity;
  for (let k = -30; k <= 30; k++) { const tau = (span / 1.1) * 1.05 ** k, m = misfit(tau); if (m < least) { least = m; best = tau; } }
  let low = best / 1.06, high = best * 1.06;
  const ratio = (Math.sqrt(5) - 1) / 2;
  for (let round = 0; round < 60; round++) {
    const a = high - ratio * (high - low), b = low + ratio * (high - low);
    if (misfit(a) < misfit(b)) high = b; else low = a;
  }
  const tau = 0.5 * (low + high), x = new Float64Array(161), y = new Float64Array(161);
  for (let i = 0; i < 161; i++) { const s = Math.PI * (i / 160 - 0.5); x[i] = peak.time + tau * s; y[i] = peak.force * Math.cos(s) ** 6; }
  return { amplitude: peak.force, centre: peak.time, tau, error: Math.sqrt(misfit(tau)), x, y };
}
