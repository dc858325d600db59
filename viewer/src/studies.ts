// Tables that a study has written, known by their heads: dispersion curves with their bands, errors over steps with the
// slopes of whole orders beside them, pulses from contact to contact.
import type uPlot from "uplot";
import { styled } from "./dom";
import type { Figure } from "./figure";
import { number } from "./format";
import { type Curve, Plot } from "./plot";

type Columns = (name: string) => Float64Array | null;

/** Figures of a table that is known; null: it is not. */
export function studyFigures(head: string[], values: Float64Array[], texts: string[][]): Figure[] | null {
  const column: Columns = (name) => { const i = head.indexOf(name); return i >= 0 ? values[i] : null; };
  return dispersion(column) ?? bands(column, texts[head.indexOf("part")]) ?? convergence(column) ?? pulses(column);
}

const units = "Numbers are in SI units, or have none if those of the scene have none (`units: none`): tables do not say which.";
const hinted = (text: string): string => `${text} ${units}`; // tables do not say which it was

/** What the columns of such a table are, in words and with their units; null: it is not known. */
export function studyHeads(head: string[]): string[] | null {
  const errors: Record<string, string> = { step: "step (s)", tol: "tolerance", dP: "step of impulse (N s)", times: "times compared", du: "error of displacements (m)", dv: "error of velocities (m/s)", du_relative: "error of displacements / U", dv_relative: "error of velocities / V",
    reference_du: "uncertainty of the reference (m)", reference_dv: "uncertainty of the reference (m/s)", max_phi: "largest Phi during the impact", phi_end: "Phi after it" };
  const waves: Record<string, string> = { phase: "phase per cell (rad)", wavenumber: "wave number k (rad/m)", omega: "angular frequency ω (rad/s)", frequency: "frequency (Hz)", group_velocity: "group velocity (m/s)", way: "way along the path (rad/m)", kx: "kx (rad/m)", ky: "ky (rad/m)", kz: "kz (rad/m)" };
  const peaks: Record<string, string> = { peak: "peak force (N)", time: "time of the peak (s)", width: "width (s)", speed: "speed (m/s)", length: "length, in beads", front: "impulse up to T + τ (N s)", tail: "impulse after T + τ (N s)", misfit: "distance from cos⁶, of the peak" };
  const words = head.includes("omega") ? waves : head.includes("place") ? peaks : head.includes("dv_relative") ? errors : null;
  return words && head.map((name) => words[name] ?? name.replaceAll("_", " "));
}

/** omega over k, a curve for each branch; what no branch reaches is a gap, the bands are shaded. */
function dispersion(column: Columns): Figure[] | null {
  const branch = column("branch"), k = column("wavenumber"), omega = column("omega"), group = column("group_velocity");
  if (!branch || !k || !omega) return null;
  const names = [...new Set(branch)], of = (y: Float64Array): Curve[] => names.map((name, i) => {
    const at = Array.from(branch.keys()).filter((r) => branch[r] === name);
    return { label: names.length > 1 ? `branch ${name}` : "branch", x: Float64Array.from(at, (r) => k[r]), y: Float64Array.from(at, (r) => y[r]), colour: i };
  });
  const curves = of(omega), bands = curves.map((c) => [Math.min(...Array.from(c.y)), Math.max(...Array.from(c.y))] as [number, number]).sort((a, b) => a[0] - b[0]);
  const gaps = bands.slice(1).map((b, i): [number, number] => [Math.max(...bands.slice(0, i + 1).map((x) => x[1])), b[0]]).filter(([low, high]) => high > low * (1 + 1e-9));
  const made = [new Plot("Dispersion: angular frequency over wave number", curves, { xLabel: "wave number k", xUnit: "", yLabel: "angular frequency ω", yUnit: "", zeroBased: true, height: 360,
    hint: hinted(`Shaded: bands, in which waves travel. ${gaps.length > 0 ? `Between them gaps, in which they die out: ${gaps.map(([a, b]) => `ω from ${number(a, 4)} to ${number(b, 4)}`).join(", ")}.` : "There is no gap between them."}`),
    under: (u, _, factor) => shade(u, bands.map(([low, high]) => [factor * low, factor * high])) })];
  if (group) made.push(new Plot("Group velocity", of(group), { xLabel: "wave number k", xUnit: "", yLabel: "group velocity", yUnit: "", height: 360 }));
  return made;
}

/** omega of a crystal along a path through its reciprocal lattice, whose corners have names: parts such as G-X. */
function bands(column: Columns, parts: string[] | undefined): Figure[] | null {
  const way = column("way"), branch = column("branch"), omega = column("omega");
  if (!way || !branch || !omega || !parts) return null;
  const curves = [...new Set(branch)].map((name, i): Curve => {
    const at = Array.from(branch.keys()).filter((r) => branch[r] === name);
    return { label: `branch ${name}`, x: Float64Array.from(at, (r) => way[r]), y: Float64Array.from(at, (r) => omega[r]), colour: i };
  });
  const corners = new Map<number, string>(); // a part that begins elsewhere than the last one ended gives a corner two names
  [...new Set(parts)].forEach((part) => {
    const at = Array.from(parts.keys()).filter((r) => parts[r] === part), [from, to] = part.split("-");
    for (const [place, name] of [[way[at[0]], from], [way[at[at.length - 1]], to]] as [number, string][]) {
      const known = corners.get(place);
      corners.set(place, known && known !== name ? `${known}|${name}` : name);
    }
  });
  return [new Plot("Bands: angular frequency along a path of wave vectors", curves, { xLabel: "way along the path", xUnit: "", yLabel: "angular frequency ω", yUnit: "", zeroBased: true, height: 400,
    hint: hinted(`The path goes through ${[...corners.values()].join(", ")}; G is long waves.`), over: (u, factor) => named(u, corners, factor) })];
}

/** Lines across a plot, with a name each. */
function named(u: uPlot, corners: Map<number, string>, scale: number): void {
  const { ctx } = u, { left, top, width, height } = u.bbox, ratio = devicePixelRatio || 1;
  ctx.save();
  ctx.strokeStyle = ctx.fillStyle = styled("--faint");
  ctx.lineWidth = ratio;
  ctx.font = `600 ${12 * ratio}px ${styled("--font")}`;
  ctx.textAlign = "center";
  for (const [place, name] of corners) {
    const x = u.valToPos(place * scale, "x", true);
    if (x < left - 1 || x > left + width + 1) continue;
    ctx.beginPath();
    ctx.moveTo(x, top);
    ctx.lineTo(x, top + height);
    ctx.stroke();
    ctx.fillText(name, x, top - 2 * ratio);
  }
  ctx.restore();
}

function shade(u: uPlot, bands: [number, number][]): void {
  const { ctx } = u, { left, width } = u.bbox;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, u.bbox.top, width, u.bbox.height);
  ctx.clip();
  ctx.fillStyle = styled("--accent");
  ctx.globalAlpha = 0.1;
  for (const [low, high] of bands) {
    const top = u.valToPos(high, "y", true), base = u.valToPos(low, "y", true);
    ctx.fillRect(left, top, width, Math.max(1, base - top));
  }
  ctx.restore();
}

/** Errors over steps or tolerances, both logarithmic, and triangles whose slope is the order nearest to what was found. */
function convergence(column: Columns): Figure[] | null {
  const [x, name] = [column("step"), "step"][0] ? [column("step")!, "step"] : column("tol") ? [column("tol")!, "tolerance"] : column("dP") ? [column("dP")!, "step of impulse"] : [null, ""];
  const errors: [string, Float64Array][] = ([["displacement / U", "du_relative"], ["velocity / V", "dv_relative"]] as const).flatMap(([label, key]) => { const y = column(key); return y ? [[label, y] as [string, Float64Array]] : []; });
  if (!x || errors.length === 0 || x.length < 2) return null;
  const slopes = errors.map(([, y]) => slope(x, y)), order = Math.max(1, Math.round(slopes.reduce((a, b) => a + b, 0) / slopes.length));
  const made: Figure[] = [new Plot("Errors", errors.map(([label, y], i) => ({ label, x, y, points: true, colour: i })), { xLabel: name, xUnit: name === "step" ? "s" : name === "tolerance" ? "" : "N s", yLabel: "largest error", yUnit: "", logX: true, logY: true, height: 380,
    hint: `Orders by least squares: ${errors.map(([label], i) => `${label.split(" ")[0]} ${number(slopes[i], 3)}`).join(", ")}. The triangle has the slope ${order}.${name === "tolerance" ? "" : ` ${units}`}`,
    over: (u, factor) => triangle(u, x.map((v) => v * factor), errors.map(([, y]) => y), order) })];
  const work = column("steps") ?? column("evaluations");
  if (work && new Set(work).size > 1) made.push(new Plot("Work and precision", errors.map(([label, y], i) => ({ label, x: work, y, points: true, colour: i })), { xLabel: column("steps") ? "steps" : "evaluations of the force", xUnit: "", yLabel: "largest error", yUnit: "", logX: true, logY: true, height: 380 }));
  return made;
}

/** What carom pulse measured of each contact, a curve for each wave. */
function pulses(column: Columns): Figure[] | null {
  const place = column("place"), wave = column("wave"), peak = column("peak"), foot = column("foot");
  if (!place || !wave || !peak || !foot) return null;
  const waves = [...new Set(wave)].slice(0, 8);
  const known: [string, string, string][] = [["Peak force", "peak", ""], ["Time of the peak, T", "time", ""], ["Width, τ", "width", ""], ["Speed", "speed", ""], ["Length, in beads", "length", ""],
    ["Impulse of the front, up to T + τ", "front", ""], ["Impulse of the tail, after T + τ", "tail", ""], ["Distance from cos⁶, of the peak", "misfit", ""]];
  return known.flatMap(([title, name, unit]): Figure[] => {
    const y = column(name);
    if (!y || !y.some(Number.isFinite)) return [];
    const curves = waves.map((which, i): Curve => {
      const at = Array.from(wave.keys()).filter((r) => wave[r] === which);
      return { label: waves.length > 1 ? `wave ${which}` : title.toLowerCase(), x: Float64Array.from(at, (r) => place[r]), y: Float64Array.from(at, (r) => y[r]), points: place.length <= 200, colour: i };
    });
    return [new Plot(title, curves, { xLabel: "contact, from the left", xUnit: "", yLabel: title.replace(/^./, (c) => c.toLowerCase()), yUnit: unit, hint: name === "peak" ? units : "" })];
  });
}

/** Slope of log y over log x, least squares, of what is positive. */
function slope(x: Float64Array, y: Float64Array): number {
  const at = Array.from(x.keys()).filter((i) => x[i] > 0 && y[i] > 0), n = at.length;
  const a = at.map((i) => Math.log(x[i])), b = at.map((i) => Math.log(y[i])), ma = a.reduce((s, v) => s + v, 0) / n, mb = b.reduce((s, v) => s + v, 0) / n;
  return a.reduce((s, v, i) => s + (v - ma) * (b[i] - mb), 0) / a.reduce((s, v) => s + (v - ma) ** 2, 0);
}

/** A right triangle below the curves, over the middle of the steps, with its order beside it. */
function triangle(u: uPlot, x: Float64Array, errors: Float64Array[], order: number): void {
  const positive = Array.from(x).filter((v) => v > 0), low = Math.log10(Math.min(...positive)), high = Math.log10(Math.max(...positive));
  if (!(high > low)) return;
  const from = 10 ** (low + 0.55 * (high - low)), to = 10 ** (low + 0.8 * (high - low));
  const beneath = Math.min(...errors.map((y) => { const s = slope(x, y), i = x.indexOf(Math.max(...positive)); return y[i] * (from / x[i]) ** s; })) / 2.2;
  const ax = u.valToPos(from, "x", true), bx = u.valToPos(to, "x", true), ay = u.valToPos(beneath, "y", true), by = u.valToPos(beneath * (to / from) ** order, "y", true), { ctx } = u, ratio = devicePixelRatio || 1;
  ctx.save();
  ctx.strokeStyle = ctx.fillStyle = styled("--faint");
  ctx.lineWidth = 1.4 * ratio;
  ctx.beginPath();
  ctx.moveTo(ax, ay);
  ctx.lineTo(bx, ay);
  ctx.lineTo(bx, by);
  ctx.closePath();
  ctx.stroke();
  ctx.font = `${12 * ratio}px ${styled("--font")}`;
  ctx.textAlign = "left";
  ctx.fillText(String(order), bx + 5 * ratio, (ay + by) / 2 + 4 * ratio);
  ctx.restore();
}
