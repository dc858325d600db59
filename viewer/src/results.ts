// Results of studies: tables (CSV) as plots and tables, sweeps as curves and maps over their grid, verdicts of verify.
import { palette } from "./colours";
import { isComparison, showComparison } from "./compare";
import { isFit, showFit } from "./fit";
import { el, overrides, styled, table } from "./dom";
import { array, type DataEntry, type TextEntry } from "./data";
import { Figure, sharp } from "./figure";
import { number, quantity, scaleFor, ticks, tickText } from "./format";
import { type Curve, Plot } from "./plot";
import { studyFigures, studyHeads } from "./studies";

function section(title: string, ...nodes: (Node | null)[]): HTMLElement {
  return el("section", {}, el("h2", {}, title), ...nodes);
}

// --- texts ---------------------------------------------------------------------------------------------------------

export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [], cell = "", inside = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (inside) {
      if (c === '"' && text[i + 1] === '"') cell += '"', i++;
      else if (c === '"') inside = false;
      else cell += c;
    } else if (c === '"' && cell === "") inside = true;
    else if (c === ",") row.push(cell), (cell = "");
    else if (c === "\n") { row.push(cell.replace(/\r$/, "")); rows.push(row); row = []; cell = ""; }
    else cell += c;
  }
  if (cell !== "" || row.length > 0) row.push(cell), rows.push(row);
  return rows.filter((r) => r.length > 1 || r[0]?.trim() !== "");
}

export function showText(entry: TextEntry): HTMLElement {
  const node = el("article", {});
  if (entry.cut) node.append(el("p", { class: "note" }, "The file is longer than the page can take: this is its beginning."));
  const verdicts = entry.text.split("\n").filter((line) => /\s(PASS|FAIL|NOT-REPRODUCED)\s*$/.test(line));
  if (verdicts.length > 0) node.append(showVerdicts(entry.text));
  else {
    const rows = parseCsv(entry.text), head = rows[0] ?? [];
    const even = rows.length > 1 && head.length > 1 && rows.slice(1).every((row) => row.length === head.length);
    node.append(even ? showTable(head, rows.slice(1)) : section("Text", el("pre", { class: "scene" }, entry.text)));
  }
  return node;
}

const verdictWords: Record<string, string> = { PASS: "holds", FAIL: "does not hold", "NOT-REPRODUCED": "known not to come out" };

const hyphened = /(any-order|energy-momentum|cn-reg|gl-reg|moreau-jean|moreau-adaptive|schatzman-paoli|lzb-impulse|\d+e-\d+)|[-_]/; // schemes and numbers such as 1e-4, which are one word

/** B-moreau-l1-v -> "B: Moreau, L1, velocity", fig-2-cn-order -> "Figure 2: cn order"; numbers, signs and names of schemes stay as they are. */
function inWords(slug: string): string {
  const words: Record<string, string> = { l1: "L1 norm", l2: "L2 norm", sup: "largest", v: "velocity", q: "position", u: "displacement", e: "restitution", moreau: "Moreau", schatzman: "Schatzman", hausdorff: "Hausdorff distance", newton: "Newton", hertz: "Hertz", kk: "Kuwabara-Kono", lzb: "LZB", irk: "IRK", theta: "theta", eq: "Equation", fig: "Figure", tab: "Table" };
  const parts = slug.split(hyphened).filter((part) => part).map((part) => words[part.toLowerCase()] ?? part);
  const [first, ...rest] = parts;
  if (rest.length > 1 && /^(Equation|Figure|Table|[a-z])$/i.test(first) && /^\d+$/.test(rest[0])) return `${first.replace(/^./, (c) => c.toUpperCase())} ${rest[0]}: ${rest.slice(1).join(rest.length > 3 ? ", " : " ")}`;
  return rest.length === 0 ? first : `${first.replace(/^./, (c) => c.toUpperCase())}${first.length <= 2 ? ": " : " "}${rest.join(rest.length > 2 ? ", " : " ")}`;
}

/** The paper that verdicts are of, where they are of one; else empty. */
export function verdictsOf(text: string): string {
  const papers = text.split("\n").filter((line) => /^[a-z0-9]+: /.test(line)), verdicts = /\s(PASS|FAIL|NOT-REPRODUCED)\s*$/m.test(text);
  return verdicts && papers.length === 1 ? papers[0].replace(/^[a-z0-9]+: /, "") : "";
}

/** What `carom verify` prints: headings of papers, then name, published, measured, allowed, verdict. */
function showVerdicts(text: string): HTMLElement {
  const nodes: Node[] = [];
  let rows: (string | Node)[][] = [], counts: Record<string, number> = { PASS: 0, FAIL: 0, "NOT-REPRODUCED": 0 };
  const flush = () => {
    if (rows.length > 0) nodes.push(table(["what", "published", "measured", "may differ by", "verdict"], rows, [false, true, true, true, false]));
    rows = [];
  };
  for (const line of text.split("\n")) {
    const hit = /^\s*(\S+)\s+(\S+)\s+(\S+)\s+(\S+)\s+(PASS|FAIL|NOT-REPRODUCED)\s*$/.exec(line);
    if (hit) {
      counts[hit[5]]++;
      rows.push([el("span", { title: hit[1] }, inWords(hit[1])), ...hit.slice(2, 5).map((told) => (/e/.test(told) ? number(Number(told), 6) : told)), el("span", { class: `verdict ${hit[5]}`, title: hit[5] }, verdictWords[hit[5]])]);
    } else if (/^[a-z0-9]+: /.test(line)) { flush(); nodes.push(el("h3", {}, line)); }
  }
  flush();
  return section("Verdicts", el("p", {}, `${counts.PASS} pass, ${counts.FAIL} fail, ${counts["NOT-REPRODUCED"]} ${counts["NOT-REPRODUCED"] === 1 ? "is" : "are"} known not to come out as printed.`), ...nodes);
}

function showTable(head: string[], rows: string[][]): HTMLElement {
  const columns = head.map((_, i) => rows.map((row) => row[i].trim())), numeric = columns.map((c) => c.every((cell) => cell === "" || cell === "-" || Number.isFinite(Number(cell)) || /^[-+]?(nan|inf)$/i.test(cell)) && c.some((cell) => cell !== "" && cell !== "-"));
  const values = columns.map((c) => Float64Array.from(c, (cell) => (cell === "" || cell === "-" ? NaN : Number(cell))));
  const study = studyFigures(head, values, columns), plots: Figure[] = study ?? plotsOf(head, columns, numeric, values), node = section(study ? "Figures" : "Table");
  if (plots.length > 0) node.append(el("div", { class: "grid" }, ...plots.map((p) => p.card)));
  const whole = columns.map((c) => c.every((cell) => /^-?\d{0,12}$/.test(cell)));
  const most = 500, shown = rows.slice(0, most), sizes = sizesOf(head);
  const titles = (study && studyHeads(head)) || titlesOf(head);
  node.append(el("details", { open: rows.length <= 60 }, el("summary", {}, `${rows.length} rows${rows.length > most ? `, the first ${most} shown` : ""}`), table(titles, shown.map((row) => row.map((cell, i) => (numeric[i] && cell !== "" && Number.isFinite(Number(cell)) ? el("span", { title: cell }, whole[i] ? cell : number(Number(cell) / sizes[i].size, 6)) : cell))), numeric)));
  return node;
}

/** The first numeric column is the horizontal axis; columns of words before it, and the second key of a sweep, split the rows into curves. */
function plotsOf(head: string[], columns: string[][], numeric: boolean[], values: Float64Array[]): Plot[] {
  const x = numeric.indexOf(true);
  if (x < 0 || columns[0].length < 2) return [];
  const known = head.map(headOf), swept = keysOf(head), keyed = keyWords(known.slice(0, swept).map((h) => h.name));
  const second = swept === 2 && new Set(columns[1]).size <= 12 ? 1 : -1, split = second >= 0 && x === 0 ? second : numeric.findIndex((is, i) => !is && new Set(columns[i]).size > 1 && new Set(columns[i]).size <= 12);
  const names = split >= 0 ? [...new Set(columns[split])] : [""];
  const spread = (list: Float64Array) => { const v = Array.from(list).filter((k) => k > 0 && k < Infinity); return v.length > 2 && v.length === list.filter((k) => Number.isFinite(k)).length && Math.max(...v) / Math.min(...v) > 30; };
  const rest = numeric.map((is, i) => (is && i !== x && i >= swept && !(swept > 0 && head[i] === "status") ? i : -1)).filter((i) => i >= 0);
  const errors = rest.filter((i) => (swept > 0 ? /^error/ : /^(\|?d?[uv]|error|u_|v_|du|dv)/i).test(head[i]) && !/order/i.test(head[i]));
  const made: Plot[] = [];
  const word = (i: number, short: boolean): string => (swept === 0 ? known[i].name : i < swept ? keyed[i] : outputWords(known[i].name, short));
  const which = (name: string): string => (split < swept && name !== "" ? `${keyed[split]} = ${numeric[split] ? number(Number(name), 4) : name}${known[split].unit ? ` ${known[split].unit}` : ""}` : name);
  const curve = (i: number, name: string): Curve => {
    const at = columns[0].flatMap((_, r) => (split < 0 || columns[split][r] === name ? [r] : []));
    const label = swept > 0 && name !== "" ? which(name) : [name, word(i, true)].filter(Boolean).join(" ");
    return { label, x: Float64Array.from(at, (r) => values[x][r]), y: Float64Array.from(at, (r) => values[i][r]), points: columns[0].length <= 200 };
  };
  const logX = spread(values[x]), across = { xLabel: word(x, true), xUnit: known[x].unit, logX };
  if (errors.length > 1 && errors.every((i) => spread(values[i]))) made.push(new Plot("Errors", errors.slice(0, 6).flatMap((i) => names.map((n) => curve(i, n))), { ...across, yLabel: "error", yUnit: "", logY: true }));
  for (const i of rest.slice(0, 12)) {
    if (made.length > 0 && errors.includes(i)) continue;
    made.push(new Plot(swept > 0 ? capital(word(i, false)) : word(i, false), names.map((n) => curve(i, n)), { ...across, yLabel: word(i, true), yUnit: known[i].unit, logY: spread(values[i]) && values[i].every((v) => !(v <= 0)) }));
  }
  return made;
}

function titlesOf(head: string[]): string[] {
  const swept = keysOf(head), keys = keyWords(head.slice(0, swept).map((text) => headOf(text).name));
  return head.map((text, i) => { const { name, unit } = headOf(text); return swept === 0 || name === "status" ? text : (i < swept ? keys[i] : outputWords(name)) + (unit ? ` (${sizesOf(head)[i].unit})` : ""); });
}

/** Outputs of a sweep in the unit of a key of their kind, m/s beside mm/s: that unit, and what it is in that of the table. */
function sizesOf(head: string[]): { unit: string; size: number }[] {
  const known = head.map(headOf), swept = keysOf(head), prefixes: Record<string, number> = { n: 1e-9, u: 1e-6, "µ": 1e-6, m: 1e-3, c: 1e-2, k: 1e3, M: 1e6 };
  return known.map(({ unit }, i) => {
    const key = i >= swept && unit ? known.slice(0, swept).find((k) => k.unit.slice(1) === unit && prefixes[k.unit[0]]) : undefined;
    return key ? { unit: key.unit, size: prefixes[key.unit[0]] } : { unit, size: 1 };
  });
}

/** How many columns of a table are keys that `carom sweep` has varied: those before its outputs, of which `status` is the last. 0: it is no such table. */
function keysOf(head: string[]): number {
  if (head[head.length - 1] !== "status") return 0;
  const outputs = head.slice(0, -1).map((text) => outputWords(headOf(text).name) !== headOf(text).name.replaceAll("_", " "));
  return outputs.lastIndexOf(false) + 1;
}

// --- HDF5 ----------------------------------------------------------------------------------------------------------

export function showData(entry: DataEntry): HTMLElement {
  if (isComparison(entry)) return withScene(entry, showComparison(entry));
  if (isFit(entry)) return withScene(entry, showFit(entry));
  const node = el("article", {}), grid = entry.arrays.filter((a) => a.path.startsWith("grid/") && a.array), outputs = entry.arrays.filter((a) => a.path.startsWith("outputs/") && a.array);
  const words = Object.entries(entry.texts).filter(([path]) => path.startsWith("grid/"));
  if (outputs.length > 0) node.append(showSweep(entry, grid, outputs, words));
  else node.append(showArrays(entry));
  return withScene(entry, node);
}

function withScene(entry: DataEntry, node: HTMLElement): HTMLElement {
  const scene = entry.texts["parameters/scene"];
  if (scene) node.append(section("Scene", el("pre", { class: "scene" }, scene), overrides(entry.texts["parameters/set"])));
  return node;
}

interface Axis { key: string; name: string; unit: string; values: Float64Array; words: string[] | null }

function axesOf(entry: DataEntry, grid: DataEntry["arrays"], words: [string, string][]): Axis[] {
  const axes: Axis[] = [
    ...grid.map((a) => ({ key: a.path.slice(5), name: a.path.slice(5), unit: a.unit === "SI" ? "1" : a.unit /* nobody knows which */, values: Float64Array.from(array(a.array!)), words: null })),
    ...words.map(([path, text]) => { const list = text.trim().split("\n"); return { key: path.slice(5), name: path.slice(5), unit: "", values: Float64Array.from(list.keys()), words: list }; }),
  ];
  // in the order of --over, one to a line, "key=range"
  const over = (entry.texts["parameters/over"] ?? "").split("\n").map((line) => line.split("=")[0].trim());
  axes.sort((a, b) => over.indexOf(a.key) - over.indexOf(b.key));
  keyWords(axes.map((a) => a.key)).forEach((word, i) => { axes[i].name = word; });
  return axes;
}

/** What an output is, as `carom sweep --help` explains it; short: what an axis calls it. */
function outputWords(name: string, short = false): string {
  const plain: Record<string, [string, string]> = { kinetic: ["kinetic energy at the end", "kinetic energy"], stored: ["stored energy at the end", "stored energy"], dissipated: ["dissipated energy", "dissipated energy"], work: ["work of loads", "work"],
    residual: ["residual of the ledger", "residual"], momentum: ["momentum at the end", "momentum"], closed: ["contacts closed at the end", "closed contacts"], peak_force: ["largest contact force", "force"], peak_impulse: ["largest impulse", "impulse"],
    coordination: ["coordination at the end", "coordination"], steps: ["steps taken", "steps"], error_u: ["largest error of displacements", "error"], error_v: ["largest error of velocities", "error"], error: ["largest error, over U and V", "error"] };
  const what: Record<string, [string, string]> = { u: ["displacement", "displacement"], v: ["velocity", "velocity"], spin: ["spin", "spin"], peak_force: ["largest force", "force"], peak_impulse: ["largest impulse", "impulse"] };
  const tensors: Record<string, string> = { stress: "stress", region_stress: "stress of the region", region_kinetic: "kinetic part of the stress of the region", fabric: "fabric" };
  const peak = /^(peak_force|peak_impulse)_(\d+)(?:_(\d+))?$/.exec(name), end = /^(?:sensor_)?(u|v|spin)_(.+?)(?:_([xyz]))?$/.exec(name), part = /^(stress|region_stress|region_kinetic|fabric)(?:_(\d+))?_([xyz]{2})$/.exec(name);
  if (peak) return short ? what[peak[1]][1] : `${what[peak[1]][0]} ${peak[3] ? `between bodies ${peak[2]} and ${peak[3]}` : `at contact ${peak[2]}`}`;
  if (part) return `${tensors[part[1]]} ${part[3]}${short ? "" : `${part[2] ? ` of body ${part[2]}` : ""} at the end`}`;
  if (end) return short ? what[end[1]][1] : `${what[end[1]][0]} ${name.startsWith("sensor_") ? `at ${end[2]}` : `of ${/^\d/.test(end[2]) ? `body ${end[2]}` : `the ${end[2]} body`}`}${end[3] ? ` along ${end[3]}` : ""} at the end`;
  return plain[name]?.[short ? 1 : 0] ?? name.replaceAll("_", " ");
}

/** The last word of each key, as one would say it; where two keys end in one word, or in nothing but numbers, the whole key. */
function keyWords(keys: string[]): string[] {
  const letters: Record<string, string> = { e: "restitution e", mu: "friction mu", k: "stiffness k", p: "exponent p", gamma: "damping gamma", tol: "tolerance", dP: "step of impulse dP" };
  const last = keys.map((key) => key.split(".").filter((part) => !/^\d+$/.test(part)).pop() ?? key);
  return last.map((word, i) => (last.indexOf(word) === last.lastIndexOf(word) ? (letters[word] ?? word.replaceAll("_", " ")) : keys[i]));
}

/** "v_last (m/s)" of a table -> its name and unit */
function headOf(text: string): { name: string; unit: string } {
  const hit = /^(.+?) \(([^()]+(?:\([^()]*\)[^()]*)*)\)$/.exec(text);
  return { name: hit ? hit[1] : text, unit: hit ? hit[2] : "" };
}

function capital(text: string): string { return text.replace(/^./, (c) => c.toUpperCase()); }

/** Do they differ by more than rounding? */
function varied(values: ArrayLike<number>): boolean {
  const finite = Array.from(values).filter(Number.isFinite), low = Math.min(...finite), high = Math.max(...finite);
  return high - low > 1e-14 * Math.max(Math.abs(low), Math.abs(high));
}

function showSweep(entry: DataEntry, grid: DataEntry["arrays"], outputs: DataEntry["arrays"], words: [string, string][]): HTMLElement {
  const axes = axesOf(entry, grid, words), figures: Figure[] = [], constant: string[] = [];
  for (const output of outputs) {
    const values = array(output.array!), name = output.path.slice(8), title = capital(outputWords(name));
    if (!varied(values) && values.some(Number.isFinite)) { constant.push(`${outputWords(name)} ${quantity(values.find(Number.isFinite)!, output.unit === "1" ? "" : output.unit, 6)}`); continue; }
    if (axes.length === 1) figures.push(new Plot(title, [{ label: outputWords(name, true), x: axes[0].values, y: values, points: axes[0].values.length <= 100 }], { xLabel: axes[0].name, xUnit: axes[0].unit, yLabel: outputWords(name, true), yUnit: output.unit, hint: axes[0].words ? axes[0].words.map((w, i) => `${i}: ${w}`).join(", ") : "" }));
    else if (axes.length === 2 && values.length === axes[0].values.length * axes[1].values.length) {
      if (axes[1].values.length <= 8) figures.push(new Plot(title, Array.from(axes[1].values, (v, j) => ({ label: `${axes[1].name} = ${axes[1].words ? axes[1].words[j] : quantity(v, axes[1].unit === "1" ? "" : axes[1].unit, 4)}`, x: axes[0].values, y: Float64Array.from(axes[0].values, (_, i) => values[i * axes[1].values.length + j]), points: axes[0].values.length <= 100 })), { xLabel: axes[0].name, xUnit: axes[0].unit, yLabel: outputWords(name, true), yUnit: output.unit }));
      figures.push(new GridMap(title, output.unit, axes, values));
    }
  }
  const lost = outputs.reduce((sum, o) => sum + Array.from(array(o.array!)).filter((v) => !Number.isFinite(v)).length, 0);
  return section("Sweep", el("p", {}, `Over ${axes.map((a) => `${a.key} (${a.values.length} values)`).join(" and ")}.`, lost > 0 ? ` ${lost} values are missing: runs that failed or have not been done.` : "", constant.length > 0 ? ` The same in all runs: ${constant.join(", ")}.` : ""),
    figures.length > 0 || constant.length > 0 ? el("div", { class: "grid" }, ...figures.map((f) => f.card)) : el("p", { class: "note" }, "A grid of more than two axes: see the numbers in the file."));
}

/** Any other result file: one-dimensional arrays of one folder and length are curves over the first of them. */
function showArrays(entry: DataEntry): HTMLElement {
  const node = section("Arrays"), folders = new Map<string, DataEntry["arrays"]>();
  for (const a of entry.arrays) {
    const folder = a.path.split("/").slice(0, -1).join("/") || "/";
    folders.set(folder, [...(folders.get(folder) ?? []), a]);
  }
  const cards: HTMLElement[] = [], scalars: string[][] = [], list: string[][] = [];
  for (const [folder, arrays] of folders) {
    const flat = arrays.filter((a) => a.array && a.shape.length === 1 && a.shape[0] > 1), rising = flat.find((a) => /\/(time|x|step|speed|value)$/.test(a.path)) ?? flat.find((a) => isRising(array(a.array!)));
    for (const a of arrays) {
      if (a.array && (a.shape.length === 0 || (a.shape.length === 1 && a.shape[0] === 1))) scalars.push([a.path, number(array(a.array)[0], 8), a.unit === "1" ? "" : a.unit]);
      else list.push([a.path, a.shape.join(" × "), a.unit === "1" ? "" : a.unit, a.array ? "" : "too large for the page"]);
    }
    const byUnit = new Map<string, DataEntry["arrays"]>();
    for (const a of flat) if (a !== rising && rising && a.shape[0] === rising.shape[0]) byUnit.set(a.unit, [...(byUnit.get(a.unit) ?? []), a]);
    for (const [unit, same] of byUnit)
      cards.push(new Plot(folder, same.slice(0, 12).map((a) => ({ label: a.path.split("/").pop()!, x: array(rising!.array!), y: array(a.array!), points: a.shape[0] <= 60 })), { xLabel: rising!.path.split("/").pop()!, xUnit: rising!.unit, yLabel: same.length === 1 ? same[0].path.split("/").pop()! : "value", yUnit: unit }).card);
  }
  const texts = Object.entries(entry.texts).filter(([path]) => path !== "parameters/scene");
  if (scalars.length > 0) node.append(table(["number", "value", "unit"], scalars, [false, true, false]));
  if (cards.length > 0) node.append(el("div", { class: "grid" }, ...cards));
  if (list.length > 0) node.append(el("details", {}, el("summary", {}, `${list.length} arrays in the file`), table(["array", "shape", "unit", ""], list)));
  for (const [path, text] of texts) {
    const rows = parseCsv(text);
    node.append(el("h3", {}, path));
    node.append(rows.length > 1 && rows[0].length > 2 && rows.every((r) => r.length === rows[0].length) ? table(rows[0], rows.slice(1, 300)) : el("pre", { class: "scene" }, text));
  }
  return node;
}

function isRising(values: ArrayLike<number>): boolean {
  for (let i = 1; i < values.length; i++) if (!(values[i] > values[i - 1])) return false;
  return true;
}

/** A map over the two axes of a sweep. */
class GridMap extends Figure {
  private readonly canvas = el("canvas", {});
  constructor(private readonly name: string, private readonly unit: string, private readonly axes: Axis[], private readonly values: ArrayLike<number>) {
    super(name, Array.from(values).every(Number.isFinite) ? "" : "Grey: no value.");
    this.body.append(this.canvas);
  }
  protected draw(): void { this.paint(sharp(this.canvas, this.body.clientWidth, 330), this.body.clientWidth, 330); }
  private paint(context: CanvasRenderingContext2D, width: number, height: number): void {
    const [a, b] = this.axes, left = 64, right = width - 96, top = 10, base = height - 44, nx = a.values.length, ny = b.values.length;
    let low = Infinity, high = -Infinity;
    for (let i = 0; i < this.values.length; i++) { const v = this.values[i]; if (v < low && v > -Infinity) low = v; if (v > high && v < Infinity) high = v; }
    const most = Math.max(-low, high), signed = Math.min(-low, high) > 1e-9 * most; // what is less is rounding
    if (signed) [low, high] = [-most, most];
    const colours = palette(signed ? "signed" : "viridis"), scale = scaleFor(this.unit, Math.max(Math.abs(low), Math.abs(high)));
    context.fillStyle = styled("--card");
    context.fillRect(0, 0, width, height);
    for (let i = 0; i < nx; i++) for (let j = 0; j < ny; j++) {
      const v = this.values[i * ny + j], k = 3 * Math.round((high > low ? (v - low) / (high - low) : 0.5) * 255);
      context.fillStyle = Number.isFinite(v) ? `rgb(${colours[k]},${colours[k + 1]},${colours[k + 2]})` : styled("--grid");
      context.fillRect(left + ((right - left) * i) / nx, base - ((base - top) * (j + 1)) / ny, (right - left) / nx + 0.6, (base - top) / ny + 0.6);
    }
    context.fillStyle = styled("--ink");
    context.font = `12px ${styled("--font")}`;
    context.textAlign = "center";
    const label = (axis: Axis, i: number) => (axis.words ? axis.words[i] : number(axis.values[i], 4));
    for (const i of ticks(0, nx - 1, (right - left) / 90).filter(Number.isInteger)) context.fillText(label(a, i), left + ((right - left) * (i + 0.5)) / nx, base + 18);
    context.fillText(a.name + (a.unit && a.unit !== "1" ? ` (${a.unit})` : ""), (left + right) / 2, base + 38);
    context.textAlign = "right";
    for (const j of ticks(0, ny - 1, 8).filter(Number.isInteger)) context.fillText(label(b, j), left - 8, base - ((base - top) * (j + 0.5)) / ny + 4);
    context.save();
    context.translate(14, (top + base) / 2);
    context.rotate(-Math.PI / 2);
    context.textAlign = "center";
    context.fillText(b.name + (b.unit && b.unit !== "1" ? ` (${b.unit})` : ""), 0, 0);
    context.restore();
    for (let y = top; y < base; y++) {
      const k = 3 * Math.round((1 - (y - top) / (base - top)) * 255);
      context.fillStyle = `rgb(${colours[k]},${colours[k + 1]},${colours[k + 2]})`;
      context.fillRect(right + 16, y, 12, 1.5);
    }
    context.fillStyle = styled("--ink");
    context.textAlign = "left";
    for (const v of high > low ? ticks(low * scale.factor, high * scale.factor, 5) : []) context.fillText(tickText(v, (high - low) * scale.factor), right + 33, base - ((v / scale.factor - low) / (high - low)) * (base - top) + 4);
    context.fillText(scale.unit, right + 16, base + 18);
  }
  table(): { head: string[]; rows: Iterable<(number | string)[]> } {
    const { axes, values, name } = this, ny = axes[1].values.length;
    const rows = function* () { for (let i = 0; i < values.length; i++) yield [axes[0].values[Math.floor(i / ny)], axes[1].values[i % ny], values[i]]; };
    return { head: [axes[0].name, axes[1].name, name], rows: rows() };
  }
  picture(): HTMLCanvasElement { this.show(); return this.canvas; }
}
