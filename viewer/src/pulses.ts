// Force pulses: the peaks of a contact's force, and the solitary wave's shape fitted to the largest: F cos^6((t - T) / tau),
// the pulse of Hertz contacts without precompression (Nesterenko; Nguyen and Brogliato 2011, equation (40)). The fit is
// shown with its error, as other chains have other pulses.

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

export interface Fit { amplitude: number; centre: number; tau: number; error: number; x: Float64Array; y: Float64Array }

/** F cos^6((t - T) / tau) with F and T held at the peak, least squares over the front (from a hundredth of the peak up to
 * it), every sample weighted by the time it stands for: as `carom pulse` does. `error`: root mean square over F. */
export function fitPulse(time: ArrayLike<number>, force: ArrayLike<number>, peak: Peak): Fit | null {
  const foot = 0.01 * peak.force;
  let first = peak.row;
  while (first > 0 && force[first - 1] >= foot && force[first - 1] <= force[first]) first--;
  let last = peak.row;
  while (last > first && time[last] > peak.time) last--;
  if (last - first < 4) return null;
  const misfit = (tau: number): number => {
    let sum = 0, whole = 0;
    for (let i = first; i <= last; i++) {
      const s = (time[i] - peak.time) / tau, d = force[i] / peak.force - (Math.abs(s) < Math.PI / 2 ? Math.cos(s) ** 6 : 0);
      const w = 0.5 * (time[Math.min(last, i + 1)] - time[Math.max(first, i - 1)]);
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
