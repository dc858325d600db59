// A comparison (carom compare -o): one scene under several theories or schemes, each an entry with a colour of its own.
import { choice, el, table } from "./dom";
import { array, type DataEntry, type Numbers } from "./data";
import { number, quantity } from "./format";
import { type Curve, Plot } from "./plot";
import { TogetherMovie } from "./together";

interface Set { values: Numbers; shape: number[]; unit: string }

const digits = 9; // entries may differ by little

export function isComparison(entry: DataEntry): boolean {
  return entry.texts["parameters/study"]?.trim() === "compare";
}

export function showComparison(entry: DataEntry): HTMLElement {
  const get = (path: string): Set | null => {
    const found = entry.arrays.find((a) => a.path === path);
    return found?.array ? { values: array(found.array), shape: found.shape, unit: found.unit } : null;
  };
  const lines = (path: string) => (entry.texts[path] ?? "").split("\n");
  const labels = lines("entries/label").filter((text) => text !== ""), n = labels.length;
  const node = el("article", {});
  node.append(el("section", {}, el("h2", {}, "What was compared"), heads(labels, lines, get), ...lines("remarks").filter((text) => text.trim() !== "").map((text) => el("p", { class: "note" }, `${text}.`))));
  const points = pointsOf(lines("bodies/points"));
  const u = get("motions/displacement"), v = get("motions/velocity"), time = get("motions/time");
  const place = get("bodies/place"), row = points.what === "body" && points.names.every((name) => /^\d+$/.test(name)); // a row: names have no axes
  const axes = place && u ? u.shape[2] / place.shape[0] : 1, balls = !!place && axes > 1 && place.values.some((r, i) => i % place.shape[1] > 2 && r > 0);
  if (u && time && u.shape.length === 3 && u.shape[2] <= (balls ? 20000 : 400) && u.shape[1] > 1 && (row || balls))
    node.append(el("section", {}, el("h2", {}, "Motion"), new TogetherMovie({ labels, time: time.values, unit: time.unit, u: u.values, v: v && v.values.length === u.values.length ? v.values : null, bodies: u.shape[2] / axes, axes, place: balls ? place.values : null, wide: place?.shape[1] ?? 4,
      corner: get("bodies/corner")?.values ?? null, turn: get("motions/rotation")?.values ?? null }).card));
  const motions = motionPlots(labels, points, get);
  if (motions) node.append(motions);
  const bars: [string, string, string, string][] = [
    ["bodies/velocity", "Velocities at the end", points.what, "velocity"], ["bodies/arrival", row ? "Arrival: velocity changed by 1 % of V, or first impact" : "First change of the velocity", points.what, "time"],
    ["contacts/peak_force", "Largest forces", "contact, from the left", "force"], ["contacts/impulse", "Impulses", "contact, from the left", "impulse"],
    ["contacts/dissipated", "Energy lost in contacts", "contact, from the left", "energy"],
  ];
  const whole = entry.arrays.reduce((most, a) => (a.path.startsWith("energy/") ? Math.max(most, sizeOf(get(a.path)?.values ?? [])) : most), 0); // losses that are rounding have no plot
  const cards = bars.flatMap(([path, title, x, y]) => {
    const set = get(path);
    if (!set || set.shape.length !== 2 || set.shape[1] < 1 || (path === "contacts/dissipated" && !(sizeOf(set.values) > 1e-12 * whole))) return [];
    const count = set.shape[1], all = Array.from({ length: count }, (_, i) => i);
    const named = path.startsWith("bodies/") && points.names.length === count; // a solid's, which no line joins
    const kept = path === "bodies/arrival" && named ? all.filter((c) => labels.some((_, i) => Number.isFinite(set.values[i * count + c]))) : all; // what rests in all entries has no first change
    const names = named ? kept.map((c) => points.names[c]) : undefined, places = Float64Array.from(kept, (_, i) => i + 1);
    const curves: Curve[] = labels.map((label, i) => ({ label, x: places, y: Float64Array.from(kept, (c) => set.values[i * count + c]), points: count <= 200 || !!names, bare: !!names, colour: i })).filter((c) => some(c.y));
    if (curves.length === 0) return [];
    const silent = labels.length - curves.length;
    return [new Plot(title, curves, { xLabel: x, xUnit: "", names: names ?? Array.from({ length: count }, (_, i) => String(i + 1)), yLabel: y, yUnit: set.unit, digits, missing: path === "bodies/arrival" ? "times are missing: up to the end those velocities did not change that much." : undefined, hint: silent > 0 ? `${labels.filter((_, i) => !some(set.values.subarray(i * count, (i + 1) * count))).join(", ")} ${silent > 1 ? "do" : "does"} not tell this.` : "" }).card];
  });
  if (cards.length > 0) node.append(el("section", {}, el("h2", {}, "Side by side"), el("div", { class: "grid" }, ...cards)));
  node.append(el("section", {}, el("h2", {}, "Energy"), energies(labels, entry, get)));
  node.append(el("section", {}, el("h2", {}, "Differences of the motions"), ...differences(labels, n, get)));
  return node;
}

function sizeOf(values: ArrayLike<number>): number { return Array.from(values).reduce((most, v) => (Number.isFinite(v) ? Math.max(most, Math.abs(v)) : most), 0); }

function some(values: ArrayLike<number>): boolean {
  for (let i = 0; i < values.length; i++) if (Number.isFinite(values[i])) return true;
  return false;
}

function heads(labels: string[], lines: (path: string) => string[], get: (path: string) => Set | null): HTMLElement {
  const status = get("status"), seconds = get("cost/seconds"), steps = get("cost/steps");
  const columns: [string, (i: number) => string, boolean][] = [
    ["entry", (i) => labels[i], false], ["theory", (i) => lines("entries/theory")[i] ?? "", false], ["scheme", (i) => lines("entries/scheme")[i] ?? "", false],
    ["contacts", (i) => lines("entries/contacts")[i] ?? "", false], ["steps", (i) => (steps && steps.values[i] >= 0 ? number(steps.values[i], 8) : ""), true],
    ["processor time", (i) => (seconds && Number.isFinite(seconds.values[i]) ? quantity(seconds.values[i], "s", 3) : ""), true],
    ["", (i) => (status && status.values[i] !== 0 ? `not run: ${lines("reasons")[i] ?? ""}` : ""), false]];
  const told = columns.filter(([, text]) => labels.some((_, i) => text(i) !== "")); // what nobody says needs no column
  return table(told.map(([head]) => head), labels.map((_, i) => told.map(([head, text]) => text(i) || (head ? "–" : ""))), told.map(([, , right]) => right));
}

/** What the columns are, a line each: bodies by number, points of a solid ("sensor tip x", "cell 12 y", "point ball 1 x"), or coordinates of a machine ("coordinate angle of the crank"). */
interface Points { what: string; names: string[] }

function pointsOf(lines: string[]): Points {
  const said = lines.map((line) => line.trim()).filter((line) => line !== ""), what = said[0]?.split(" ")[0] ?? "body";
  return { what, names: said.map((line) => (line.startsWith(`${what} `) ? line.slice(what.length + 1) : line)) };
}

/** The column that changes most in the first entry. */
function liveliest(set: Set): number {
  const [, rows, columns] = set.shape;
  let best = 0, most = -1;
  for (let c = 0; c < columns; c++) {
    let low = Infinity, high = -Infinity;
    for (let r = 0; r < rows; r++) { const v = set.values[r * columns + c]; low = Math.min(low, v); high = Math.max(high, v); }
    if (high - low > most) { most = high - low; best = c; }
  }
  return best;
}

/** Do entries begin with different velocities? */
function startsApart(set: Set): boolean {
  const [entries, rows, columns] = set.shape, size = sizeOf(set.values);
  for (let i = 1; i < entries; i++) for (let c = 0; c < columns; c++) if (Math.abs(set.values[i * rows * columns + c] - set.values[c]) > 1e-3 * size) return true;
  return false;
}

function motionPlots(labels: string[], points: Points, get: (path: string) => Set | null): HTMLElement | null {
  const time = get("motions/time"), sets = ["velocity", "displacement"].flatMap((name) => { const set = get(`motions/${name}`); return set && set.shape.length === 3 ? [{ name, set }] : []; });
  if (!time || sets.length === 0) return null;
  const bodies = sets[0].set.shape[2], x = time.values as Float64Array;
  let body = points.names.length > bodies / 2 && points.names.some((name) => / /.test(name)) ? liveliest(sets[0].set) : bodies - 1; // of names with axes many may be idle
  const curves = (set: Set): Curve[] => labels.map((label, i) => ({ label, x, y: Float64Array.from(x, (_, k) => set.values[(i * set.shape[1] + k) * set.shape[2] + Math.min(body, set.shape[2] - 1)]), colour: i })).filter((c) => some(c.y));
  const plots = sets.map(({ name, set }) => ({ set, plot: new Plot(name === "velocity" ? "Velocity" : "Displacement", curves(set), { xLabel: "time", xUnit: time.unit, yLabel: name, yUnit: set.unit, digits }) }));
  const pick = choice(points.what, Array.from({ length: Math.min(bodies, 5000) }, (_, i): [string, string] => [String(i), points.names[i] ?? String(i + 1)]), String(body), (value) => {
    body = Number(value);
    for (const { set, plot } of plots) plot.setCurves(curves(set));
  });
  const starts = sets.filter(({ name }) => name === "velocity").some(({ set }) => startsApart(set));
  const after = starts ? [el("p", { class: "note" }, `At t = ${number(x[0], 4)} velocities differ: where contacts are rigid, an impact of that moment takes no time, and velocities are those after it.`)] : [];
  const still = /^(sensor|cell|point)$/.test(points.what) ? [el("p", { class: "note" }, "A comparison keeps the motions of sensors, balls and recorded cells only, so there is no moving picture here: pages of the runs themselves have one each (carom report RUN.h5 ...).")] : [];
  return el("section", {}, el("h2", {}, "Motions"), ...after, ...still, el("div", { class: "picker" }, pick), el("div", { class: "grid" }, ...plots.map((p) => p.plot.card)));
}

function energies(labels: string[], entry: DataEntry, get: (path: string) => Set | null): HTMLElement {
  const order = ["start", "kinetic", "stored", "dissipated", "mechanism", "work", "residual"], place = (path: string) => order.indexOf(path.split("/")[1]);
  const paths = entry.arrays.map((a) => a.path).filter((path) => path.startsWith("energy/")).sort((a, b) => place(a) - place(b));
  const most = paths.reduce((size, path) => Math.max(size, sizeOf(get(path)?.values ?? [])), 0);
  const clean = (value: number) => (Math.abs(value) < 1e-13 * most ? 0 : value); // the rest is rounding, as on a terminal
  const rows = paths.map((path) => ({ path, set: get(path) })).filter(({ path, set }) => !path.includes("mechanism/") || (set && Array.from(set.values).some((v) => clean(v) !== 0)));
  return table(["energy", ...labels], rows.map(({ path, set }) =>
    [path.slice(7).replace("mechanism/", "of it, by "), ...labels.map((_, i) => (set && Number.isFinite(set.values[i]) ? quantity(clean(set.values[i]), set.unit, 6) : "–"))]), [false, ...labels.map(() => true)]);
}

/** A line for each two of them. */
function differences(labels: string[], n: number, get: (path: string) => Set | null): HTMLElement[] {
  const kinds = [["u", "displacement"], ["v", "velocity"]].flatMap(([word, name]) => [["sup", "largest"], ["l1", "integral over time"], ["hausdorff", "Hausdorff distance"]].flatMap(([norm, title]) => {
    const set = get(`differences/${word}_${norm}`);
    return set && set.shape.length === 2 ? [{ head: `${name}, ${title}`, set }] : [];
  }));
  const pairs = labels.flatMap((_, i) => labels.map((_, j): [number, number] => [i, j]).filter(([a, b]) => b > a));
  const rows = pairs.map(([i, j]) => [`${labels[i]} and ${labels[j]}`, ...kinds.map(({ set }) => (Number.isFinite(set.values[i * n + j]) ? quantity(set.values[i * n + j], set.unit, 4) : "–"))]);
  return kinds.length > 0 && pairs.length > 0 ? [table(["between", ...kinds.map((k) => k.head)], rows, [false, ...kinds.map(() => true)])] : [];
}
