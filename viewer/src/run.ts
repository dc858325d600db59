// The sections of one run: facts, moving picture, histories, maps, pulses, energy, events, scene.
import { isSolid, type Wall } from "./bodies";
import { booked, coarse, largest, meanForces, strongest } from "./book";
import { Clock } from "./clock";
import { button, choice, el, longChoice, overrides, table } from "./dom";
import { array, type Events, type Item, type Line, Run } from "./data";
import { FieldMap } from "./fields";
import { count, number, quantity, scaleFor } from "./format";
import { HeatMap } from "./map";
import { BeadMovie, MachineMovie } from "./movie";
import { firstTop, fitPulse, peaks, type Peak } from "./pulses";
import { PlaneMovie } from "./plane";
import { type Curve, Plot } from "./plot";
import { SolidMovie } from "./solid";
import { SpaceMovie } from "./space";
import { touchingPlots } from "./touching";

export interface RunView { run: Run; clock: Clock; movie: BeadMovie | MachineMovie | SolidMovie | PlaneMovie | SpaceMovie | null; histories: Histories[]; node: HTMLElement }

const long: Record<string, string> = {
  u: "displacement", v: "velocity", contact_force: "contact force", gap: "gap", position: "position", contact_stored: "stored energy", contact_dissipated: "dissipated energy",
  friction_force: "friction force", slip: "slip rate", spin: "spin",
  region_stress: "stress of the region", region_kinetic: "kinetic stress of the region", fabric: "fabric of the region", coordination: "coordination in the region",
};

const words: Record<string, string> = { von_mises: "von Mises stress", principal: "principal stresses", crack_area: "area of cracks" };

function titleOf(item: Item): string {
  if (item.path === "particles/bodies/stress") return "Stress of bodies";
  const [root, who, ...rest] = item.path.split("/"), what = rest.join(" "), word = words[what] ?? long[item.name] ?? what.replaceAll("_", " ");
  if (root === "particles" && who === "clamps") return `${what === "moment" ? "Moments" : "Forces"} at clamps and drives`;
  const place = root !== "particles" ? "" : item.solid ? (item.solid.name ? ` of ${item.solid.name}` : "") : who === "sensors" ? " at sensors" : who === "joints" ? " in joints" :
    ["beads", "bodies", "cells", "mechanism"].includes(who) ? "" : ` of ${who}`;
  return (word + place).replace(/^./, (c) => c.toUpperCase());
}

function section(title: string, ...nodes: (Node | null)[]): HTMLElement {
  return el("section", {}, el("h2", {}, title), ...nodes);
}

export function showRun(run: Run): RunView {
  const clock = new Clock(run), node = el("article", {});
  const view: RunView = { run, clock, movie: null, histories: [], node };
  node.append(facts(run));
  if (run.rows === 0) node.append(el("p", { class: "note" }, "This run holds no samples: there is nothing to plot. The scene is below."));
  else {
    guarded(node, "Moving picture", () => {
      const kind = [BeadMovie, MachineMovie, SolidMovie, PlaneMovie, SpaceMovie].find((movie) => movie.fits(run));
      view.movie = kind ? new kind(run, clock) : null;
      return view.movie ? section("Motion", view.movie.card) : run.shape?.kind === "beads" && !run.shape.place ? el("p", {}, `No moving picture: ${count(run.shape.n)} beads are too many for it; the maps below show them.`) :
        run.shape?.kind === "bodies" && !run.shape.centre ? el("p", {}, `No moving picture: ${count(run.shape.n)} bodies are too many for it.`) : run.shape?.kind === "cells" ? el("p", {}, "No moving picture: displacements of cells were not recorded.") :
        run.text.no_scene ? el("p", { class: "note" }, `No moving picture: ${run.text.no_scene}`) : null;
    });
    guarded(node, "Strongest impacts", () => strongest(run));
    guarded(node, "Contacts", () => { const plots = touchingPlots(run, clock); return plots ? section("Contacts", plots) : null; });
    guarded(node, "Fields", () => (FieldMap.fits(run) ? section("Fields", new FieldMap(run, clock).card) : null));
    guarded(node, "Histories", () => histories(view));
    guarded(node, "Maps", () => maps(view));
    guarded(node, "Pulses", () => pulses(run, clock));
    guarded(node, "Impacts", () => impacts(run));
    guarded(node, "Energy", () => energy(run, clock));
    guarded(node, "Events", () => events(run));
  }
  node.append(section("Scene", el("pre", { class: "scene" }, run.text.scene),
    overrides(run.text.set)));
  return view;
}

/** A section that cannot be made must not cost the others. */
function guarded(node: HTMLElement, name: string, make: () => Node | null): void {
  try {
    const made = make();
    if (made) node.append(made);
  } catch (problem) {
    node.append(el("p", { class: "note" }, `${name}: could not be shown (${problem instanceof Error ? problem.message : String(problem)})`));
  }
}

function facts(run: Run): HTMLElement {
  const t = run.text, unit = run.timeUnit, list: [string, string][] = [];
  const bodies = run.shape?.kind === "beads" ? `${count(run.shape.n)} bead${run.shape.n === 1 ? "" : "s"}` : run.shape?.kind === "cells" ? cellsAndBalls(run) : run.shape?.kind === "bodies" ? bodiesAndWalls(run) : run.shape?.kind === "mechanism" ? String(run.shape.name).replace("-", " ") : "";
  if (bodies) list.push(["bodies", bodies]);
  if (run.shape?.kind !== "cells" || t.contacts > 0) list.push(["contacts", (t.listed ? "come and go" : count(t.contacts)) + (t.laws?.length ? ` (${t.laws.join(", ")})` : "")]);
  if (t.theory) list.push(["theory", t.theory]);
  list.push(["scheme", `${t.scheme}, ${count(t.counts.steps)} step${Number(t.counts.steps) === 1 ? "" : "s"}`]);
  if (run.rows > 0) list.push(["until", quantity(run.end, unit)]);
  list.push(["samples", `${count(run.rows)}, ${count(t.events.total)} event${t.events.total === 1 ? "" : "s"}`]);
  const fastest = largestSpeed(run), rests = fastest > 0 ? fastest < slight * (t.scales && t.scales.speed > 0 ? t.scales.speed : pushedSpeed(run)) : stays(run);
  if (fastest > 0 && !rests) list.push([`largest sampled speed${run.shape?.kind === "bodies" ? " of a centre" : ""}${run.start > 0 ? ` from ${quantity(run.start, unit, 3)} on` : ""}`, quantity(fastest, unit ? "m/s" : "", 4)]);
  const spin = run.shape?.kind === "bodies" ? run.item("particles/bodies/spin")?.largest ?? 0 : 0;
  if (spin > 0 && !rests && !(spin * largestSize(run) < slight * fastest)) list.push(["largest sampled spin", `${number(spin, 4)}${unit ? " rad/s" : ""}`]);
  if (t.scales && t.scales.speed > 0) list.push(["scale V", quantity(t.scales.speed, unit ? "m/s" : "", 4)]);
  if (t.scales && t.scales.length > 0) list.push(["scale U", quantity(t.scales.length, unit ? "m" : "", 4)]);
  if (t.promised && t.promised > 0) list.push(["error asked for", `${number(t.promised, 3)} of V and U`]);
  if (t.stated && t.stated > 0) list.push(["error stated", `${number(t.stated, 2)} of V and U`]);
  else if (t.promised && t.promised > 0) list.push(["error", "not estimated"]);
  if (t.scales && t.scales.contact_time > 0 && t.theory === "compliant") list.push(["contact time", quantity(t.scales.contact_time, unit, 4)]);
  const last = (path: string) => { const item = run.item(`observables/ledger/${path}`); return item && run.rows > 0 ? item.line(0).y[item.line(0).y.length - 1] : NaN; };
  const at = (name: string) => run.item(`observables/ledger/${name}`)?.line(0).y[0] ?? 0; // the first sample need not be the start
  const first = run.item("observables/ledger/kinetic") && run.item("observables/ledger/stored") ? at("kinetic") + at("stored") + at("dissipated") - at("work") - at("residual") : NaN;
  const work = run.item("observables/ledger/work") ? last("work") : 0, given = first + work;
  const energyUnit = run.item("observables/ledger/kinetic")?.unit ?? "";
  const ledger = ["kinetic", "stored", "dissipated", "work", "residual"].filter((name) => run.item(`observables/ledger/${name}`));
  const most = Math.max(0, ...ledger.map((k) => Math.abs(last(k)))), fair = given >= 0.999 * Math.max(0, ...ledger.filter((k) => k !== "work").map((k) => Math.abs(last(k))));
  const whole = fair || (t.unbalanced && given > 0) ? given : largestEnergy(run), told = whole > 0 && !rests, of = fair ? (isOfLoads(given, work) ? "the work" : `the start${work !== 0 ? " and the work" : ""}`) : "the largest energy of the run", share = (name: string) => last(name) / whole;
  const error = !(Math.abs(last("residual")) < rounding * Math.max(most, largestEnergy(run))); // more than rounding is told however small
  const counts = (name: string) => last(name) === 0 || (name === "residual" ? error : !(Math.abs(last(name)) < slight * most));
  const state = t.complete ? null : el("p", { class: "note" }, t.busy ? "This run was still being written when the page was made." : "This run did not come to its end.");
  return el("div", { class: "facts" }, state, ...notes(run), coarse(run),
    el("dl", {}, ...list.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)))),
    run.rows > 0 && ledger.length > 0 ? el("p", {}, rests ? "Nothing moved beyond rounding: all bodies rest, and what stands below is rounding, too." : balance(ledger, last, { whole, fair }, work, energyUnit, farthestOf(run, "residual"))) : null,
    run.rows > 0 && ledger.length > 0 ? table(["energy at the end", "amount", `part of ${of}`],
      ledger.map((name) => [name === "stored" && run.shape?.kind === "cells" ? "stored in strains, contacts and heights" : ledgerWords[name], counts(name) ? quantity(last(name), energyUnit, 6) : name === "residual" ? "rounding" : "nothing", told && counts(name) ? percent(share(name)) : "–"]), [false, true, true]) : null,
    t.command ? el("p", { class: "command" }, el("code", {}, t.command), ` · carom ${t.version}, seed ${t.seed}`) : null);
}

/** What whoever looks at the run should know, a sentence each: of its numbers, and of its scene. */
function notes(run: Run): HTMLElement[] {
  const { unbalanced, remarks = [], notes: list = [] } = run.text, said = [...(unbalanced ? [unbalanced] : []), ...remarks, ...list];
  return [...new Set(said)].map((said) => said.replace(/\b\d[\d.]*e-\d+ s\b/g, (time) => quantity(Number(time.slice(0, -2)), "s", 6))).map((text) => el("p", { class: "advice" }, `${text[0].toUpperCase()}${text.slice(1).replace(/\.$/, "")}.`));
}

function cellsAndBalls(run: Run): string {
  const balls = run.shape!.balls?.n ?? 0, walls = run.shape!.walls?.length ?? 0, several = (n: number, word: string) => (n > 0 ? [`${count(n)} ${word}${n === 1 ? "" : "s"}`] : []);
  return [...(run.shape!.solids as any[]).map((s) => `${s.name ? `${s.name}: ` : ""}${count(s.of)} cells`), ...several(balls, "ball"), ...several(walls, "wall")].join(", ");
}

/** Bodies that move freely, and walls, of plane and space. */
function bodiesAndWalls(run: Run): string {
  const walls = ((run.shape?.walls ?? []) as { free: boolean }[]).filter((w) => !w.free).length, place = run.shape!.dimension === 2 ? "the plane" : "space";
  return `${count(run.shape!.n - walls)} in ${place}${walls > 0 ? `, ${count(walls)} wall${walls === 1 ? "" : "s"}` : ""}`;
}

const ledgerWords: Record<string, string> = { kinetic: "in motion (kinetic)", stored: "stored in contacts, springs and heights", dissipated: "lost (dissipated)", work: "put in by loads (work)", residual: "unaccounted for (residual)" };

function percent(part: number): string {
  return part === 0 ? "0" : `${number(100 * part, Math.abs(part) >= 1e-7 ? 3 : 2)} %`;
}

/** Of discs, spheres and free boxes: what a spin moves their surface by. */
function largestSize(run: Run): number {
  const walls: Wall[] = run.shape.walls ?? [];
  return walls.filter(isSolid).reduce((most, wall) => Math.max(most, ...wall.size), Array.from(array(run.shape.radius)).reduce((most, r) => Math.max(most, r), 0));
}

const slight = 1e-9; // parts of the energy below this are rounding
const rounding = 1e-12; // and so are errors below this: sums of ten thousand terms, each of which is rounded

/** The largest energy of one kind in any sample: what parts are told of where the start counts as next to nothing, as under gravity. */
function farthestOf(run: Run, ...names: string[]): number {
  let most = 0;
  for (const name of names) for (const v of Array.from(run.item(`observables/ledger/${name}`)?.line(0).y ?? [])) most = Math.max(most, Math.abs(v));
  return most;
}

const largestEnergy = (run: Run): number => farthestOf(run, "kinetic", "stored", "dissipated");

/** The ledger as a sentence; in parts of what there was, or of the largest energy of the run where the start counts as next to nothing. */
function balance(ledger: string[], amount: (name: string) => number, of: { whole: number; fair: boolean }, work: number, unit: string, farthest: number): string {
  const most = Math.max(0, ...ledger.map((k) => Math.abs(amount(k)))), { whole, fair } = of, told = fair && whole > 0; // of a start near 0 parts would be many times the whole
  if (!(most > 0)) return "Nothing moves, and nothing is stored: there is no energy to account for.";
  const part = (name: string) => (told ? percent(amount(name) / whole) : quantity(amount(name), unit, 3));
  const words = [["kinetic", "in motion"], ["stored", "stored"], ["dissipated", "lost"]].filter(([name]) => ledger.includes(name) && Math.abs(amount(name)) >= slight * most && (name !== "dissipated" || amount(name) > 0))
    .sort(([a], [b]) => Number(amount(a) < 0) - Number(amount(b) < 0)) // what is less comes last
    .map(([name, word]) => (amount(name) < 0 ? `${told ? percent(-amount(name) / whole) : quantity(-amount(name), unit, 3)} less is ${word} than where the scene puts the bodies` : `${part(name)} is ${word}`));
  const all = words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}` : words[0] ?? "nothing is left";
  const left = ledger.includes("residual") ? farthest : NaN; // of all samples, not only the last
  const error = Number.isNaN(left) ? "" : left === 0 ? " The balance closes exactly." : left < rounding * Math.max(most, whole) ? " The balance closes to rounding." : ` The balance closes to within ${quantity(left, unit, 2)} in all samples; what is left is the error of the integration.`;
  const gain = ledger.includes("dissipated") ? -amount("dissipated") : 0; // a loss below 0
  const gained = gain > 1e-3 * most ? ` Losses are below zero: ${quantity(gain, unit, 3)} came in, by errors of the steps or by contacts whose stiffness changes.` : "";
  const loads = work !== 0 ? `; loads have done work of ${quantity(work, unit, 3)}` : "";
  return (fair ? `Of ${isOfLoads(whole, work) ? "the work of loads" : `the energy at the start${work !== 0 ? " and the work of loads" : ""}`}, ${all} at the end.` : `At the end ${all}${loads}.`) + error + gained;
}

/** Was there no energy at the start, so that all of it is the work of loads? */
function isOfLoads(whole: number, work: number): boolean {
  return work > 0 && Math.abs(whole - work) < slight * work;
}

/** Velocities of bodies are all zero, and nothing was lost or done in between. */
function stays(run: Run): boolean {
  const never = (name: string) => { const item = run.item(`observables/ledger/${name}`); return !!item && run.rows > 1 && item.largest === 0; };
  return !!run.item("particles/bodies/velocity") && never("kinetic") && never("dissipated") && never("work");
}

/** The largest speed in the samples of the file; 0 if it has none. */
function largestSpeed(run: Run): number {
  const linked = run.item("particles/mechanism/velocity"), moving: number[] = (linked?.whole && run.shape?.moving) || [];
  const each = linked ? linked.width / moving.length : 0, axes = each === 3 ? 2 : 3;
  if (moving.length > 0) return moving.reduce((most, _, i) => {
    const parts = Array.from({ length: axes }, (_, k) => linked!.line(each * i + k).y);
    return Array.from(parts[0]).reduce((m, _, row) => Math.max(m, Math.hypot(...parts.map((y) => y[row]))), most);
  }, 0);
  return Math.max(0, ...run.items.filter((i) => i.path.endsWith("/velocity") && (i.solid || /^particles\/(beads|bodies|balls)\//.test(i.path))).map((i) => i.largest));
}

/** How fast the forces of contacts would make the lightest bead of a row if nothing held it: what speeds at rest are small beside. 0: not known. */
function pushedSpeed(run: Run): number {
  const force = run.item("observables/contacts/force"), mass = run.shape?.kind === "beads" && run.shape.mass ? Array.from(run.shapeArray("mass")) : [];
  const most = force && mass.length > 0 ? Math.max(0, ...spread(force.columns(), 50).map((c) => largestOf(force.line(c).y))) : 0;
  return most > 0 ? (most / Math.min(...mass)) * run.end : 0;
}

function rangeOf(y: ArrayLike<number>): number {
  let low = Infinity, high = -Infinity;
  for (let i = 0; i < y.length; i++) { low = Math.min(low, y[i]); high = Math.max(high, y[i]); }
  return high - low;
}

/** A few cells in which something changes, the largest changes first; where nothing does, evenly. */
function livelyCells(item: Item, columns: number[]): number[] {
  const looked = spread(columns, 400).map((column) => ({ column, range: rangeOf(item.line(column).y) })).filter((c) => c.range > 0).sort((a, b) => b.range - a.range);
  return looked.length > 0 ? spread(looked.map((c) => c.column), 5).sort((a, b) => a - b) : spread(columns, 5);
}

/** Columns of the body that moves most, of the middle ones if several do; of all if they are few. */
function busiest(item: Item, columns: number[]): number[] {
  const bodies = [...new Set(columns.map((c) => Math.floor(c / item.depth)))], of = (body: number) => columns.filter((c) => Math.floor(c / item.depth) === body);
  if (bodies.length <= 3) return columns;
  const looked = spread([bodies[bodies.length >> 1], ...bodies], 200), range = (body: number) => Math.max(...of(body).map((c) => rangeOf(item.line(c).y)));
  const ranges = looked.map(range), most = Math.max(...ranges);
  return of(ranges[0] > 0.3 * most ? looked[0] : looked[Math.max(0, ranges.indexOf(most))]);
}

function largestOf(values: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) most = Math.max(most, Math.abs(values[i]));
  return most;
}

/** Of tensors of many cells one part, the largest, of a few of them: parts of different kinds say nothing side by side. */
function onePart(item: Item, columns: number[]): number[] {
  const looked = spread(columns.filter((c) => c % item.depth === 0), 40), size = (part: number) => looked.reduce((sum, c) => sum + largestOf(item.line(c + part).y), 0);
  const sizes = Array.from({ length: item.depth }, (_, part) => size(part)), part = sizes.indexOf(Math.max(...sizes));
  return spread(columns.filter((c) => c % item.depth === part), 5);
}

/** Columns of bodies that are not fixed; of all where there are no others. */
function moving(item: Item, columns: number[]): number[] {
  const walls = item.path.startsWith("particles/bodies/") ? ((item.run.shape?.walls ?? []) as { body: number; free: boolean }[]) : [], fixed = new Set(walls.filter((w) => !w.free).map((w) => w.body));
  const left = columns.filter((c) => !fixed.has(Math.floor(c / Math.max(1, item.depth))));
  return left.length > 0 ? left : columns;
}

/** What is seen at first: of tensors the parts that are not 0 all the time. */
function firstChoice(item: Item, columns: number[]): number[] {
  const bodies = item.path.startsWith("particles/bodies/"), tensor = item.extent === "region" || (bodies && item.depth === 6);
  if (item.depth === 6 && !tensor && columns.length > 6) return onePart(item, columns);
  if (item.path.startsWith("particles/cells/") && item.depth <= 1 && columns.length > 5) return livelyCells(item, columns);
  const joints = item.path.startsWith("particles/joints/") && columns.length <= 12; // of few joints all
  const chosen = item.extent === "region" || joints ? columns : item.depth > 1 && (item.depth < 6 || bodies) ? busiest(item, columns) : spread(columns, 5);
  const told = tensor ? chosen.filter((c) => some(item.line(c).y)) : chosen;
  return told.length > 0 ? told : chosen;
}

/** Columns of an item that belong into one plot. */
interface Part { title: string; unit: string; columns: number[] }

/** Of bodies in space that are one mechanism places and velocities are one plot, spins another, and quaternions none, as rotations of other bodies. */
function partsOf(item: Item): Part[] | [undefined] {
  const names = item.coordinates;
  if (!names || names.length <= 3) return [undefined];
  const of = (word: RegExp) => item.columns().filter((c) => word.test(names[c % names.length]));
  const parts = [{ title: titleOf(item), unit: item.unit, columns: of(/^[xyz]$/) }, { title: "Spin", unit: item.run.timeUnit ? "rad/s" : "", columns: of(/^spin/) }];
  return parts.filter((p) => p.columns.length > 0);
}

/** Contact forces of rigid contacts are 0 wherever none lasts: impulses tell of impacts. */
function idle(item: Item): boolean {
  return item.path === "observables/contacts/force" && /^(nonsmooth|lzb)$/.test(item.run.text.theory ?? "") && item.whole && item.columns().every((c) => !some(item.line(c).y));
}

/** Plots of chosen columns of one item. */
export class Histories {
  readonly plot: Plot;
  private readonly chosen: number[];
  private readonly list = el("span", { class: "chosen" });

  constructor(readonly item: Item, clock: Clock, part: Part = { title: titleOf(item), unit: item.shownUnit, columns: item.columns() }) {
    const { columns, title } = part;
    this.chosen = firstChoice(item, moving(item, columns));
    this.plot = new Plot(title, this.curves(), { xLabel: "time", xUnit: item.run.timeUnit, yLabel: title.replace(/^./, (c) => c.toLowerCase()), yUnit: part.unit, clock, hint: item.path === "observables/contacts/force" ? meanForces(item.run) : "" });
    this.plot.note(item.note);
    if (columns.length > 1) {
      const named = () => columns.map((c): [string, string] => [String(c), item.label(c)]);
      const pick = columns.length <= 3000 ? longChoice("add", "…", named, (value) => this.add(Number(value))) : typed(columns.length, (n) => this.add(n));
      this.plot.body.before(el("div", { class: "picker" }, pick, this.list));
      this.listChosen();
    }
  }

  private curves(): Curve[] {
    return this.chosen.map((c) => ({ label: this.item.label(c), ...this.item.line(c) }));
  }

  private listChosen(): void {
    this.list.replaceChildren(...this.chosen.map((c) => button(`${this.item.label(c)} ×`, `Take ${this.item.label(c)} away`, () => {
      if (this.chosen.length > 1) this.chosen.splice(this.chosen.indexOf(c), 1);
      this.listChosen();
      this.plot.setCurves(this.curves());
    })));
  }

  add(column: number): void {
    if (!this.item.columns().includes(column) || this.chosen.includes(column)) return;
    this.chosen.push(column);
    this.chosen.sort((a, b) => a - b);
    this.listChosen();
    this.plot.setCurves(this.curves());
  }
}

function typed(most: number, add: (n: number) => void): HTMLElement {
  const input = el("input", { type: "number", min: 1, max: most, placeholder: `1 … ${most}`, change: () => { if (input.value) add(Number(input.value) - 1); input.value = ""; } });
  return el("label", { class: "choice" }, "add", input);
}

/** First, last, and evenly between. */
function spread(list: number[], most: number): number[] {
  if (list.length <= most) return [...list];
  return [...new Set(Array.from({ length: most }, (_, i) => list[Math.round((i * (list.length - 1)) / (most - 1))]))];
}

function histories(view: RunView): HTMLElement | null {
  const { run, clock } = view;
  const wanted = run.items.filter((item) => !item.path.startsWith("observables/ledger/") && item.width > 0 && !/\/(rotation|strain)$/.test(item.path) && !(item.solid && item.path.endsWith("/spin")) && !(item.path === "particles/bodies/position" && run.item("particles/bodies/displacement")));
  if (wanted.length === 0) return null;
  const still = wanted.filter(idle), sensors = wanted.filter((item) => item.extent === "sensor");
  view.histories = wanted.filter((item) => !still.includes(item) && !sensors.includes(item)).flatMap((item) => partsOf(item).map((part) => new Histories(item, clock, part)));
  return section("Histories", el("div", { class: "grid" }, ...view.histories.map((h) => h.plot.card), ...sensorPlots(sensors, clock)),
    still.length > 0 ? el("p", {}, `Contact forces are 0 in every sample and not plotted: no contact lasts, and impacts ${run.text.theory === "lzb" ? `have forces only in a time of their own${run.text.impacts && run.text.impacts.kept > 0 ? ", under Inside the impacts" : ""}` : "have impulses, which their table and the events tell"}.`) : null);
}

/** Force sensors side by side, those of one unit in one plot: what is read off is often the time between two of them. */
function sensorPlots(items: Item[], clock: Clock): HTMLElement[] {
  const name = (item: Item) => item.path.split("/").pop()!.replace(/_raw$/, " before its filter");
  return [...new Set(items.map((item) => item.unit))].map((unit) => {
    const chosen = items.filter((item) => item.unit === unit).sort((a, b) => name(a).localeCompare(name(b), "en", { numeric: true })), { run } = chosen[0];
    const plot = new Plot(chosen.length === 1 ? `Force at sensor ${name(chosen[0])}` : "Forces at sensors", chosen.map((item) => ({ label: name(item), ...item.line(0) })),
      { xLabel: "time", xUnit: run.timeUnit, yLabel: "force", yUnit: unit, clock, hint: "" });
    for (const note of new Set(chosen.map((item) => item.note))) plot.note(note);
    return plot.card;
  });
}

function maps(view: RunView): HTMLElement | null {
  const { run, clock } = view, found: HTMLElement[] = [];
  for (const item of run.items) {
    const row = /^(particles\/beads\/velocity|observables\/contacts\/(force|stored|dissipated))$/.test(item.path);
    if (!row || item.width < 3 || !item.gridded || run.rows < 2 || idle(item)) continue;
    const history = view.histories.find((h) => h.item === item);
    found.push(new HeatMap(`${titleOf(item)} over time and ${item.extent === "contact" ? "contacts" : "bodies"}`, item, () => item.grid()!, clock, { what: titleOf(item), rowName: item.extent === "contact" ? "contact" : "bead", pick: (column) => history?.add(column), hint: "" }).card);
  }
  const kinetic = kineticMap(run, clock);
  if (kinetic) found.splice(1, 0, kinetic.card);
  return found.length > 0 ? section("Space and time", el("div", { class: "grid" }, ...found)) : null;
}

/** Kinetic energy of each bead, from masses and velocities. */
function kineticMap(run: Run, clock: Clock): HeatMap | null {
  const item = run.item("particles/beads/velocity"), grid = item?.grid();
  if (!item || !grid || !run.shape?.mass || grid.reduced || item.width < 3 || run.rows < 2) return null;
  const energies = () => {
    const mass = run.shapeArray("mass"), values = new Float32Array(grid.down * grid.across);
    for (let r = 0; r < grid.down; r++) for (let c = 0; c < grid.across; c++) {
      const v = grid.values[r * grid.across + c];
      values[r * grid.across + c] = 0.5 * mass[c] * v * v;
    }
    return { ...grid, values };
  };
  const energy = item.as("kinetic energy", run.text.units === "none" ? "1" : "J");
  return new HeatMap("Kinetic energy over time and bodies", energy, energies, clock, { what: "Kinetic energy", rowName: "bead" });
}

/** Peaks of a contact: of its samples, the largest put right by the book of impacts; where samples are too coarse, the book's. */
function peaksOf(run: Run, contact: number, line: { x: ArrayLike<number>; y: ArrayLike<number> }, level: number): Peak[] {
  const true_ = largest(run, contact), all = (run.text.finer ?? 0) > 0 ? booked(run, contact, level) : null;
  if (all) return all;
  const sampled = peaks(line.x, line.y, level).filter((p) => Number.isFinite(p.force));
  const best = sampled.reduce((a: Peak | null, b) => (a === null || b.force > a.force ? b : a), null);
  return true_ && best ? sampled.map((p) => (p === best ? { ...p, ...true_ } : p)) : sampled;
}

function pulses(run: Run, clock: Clock): HTMLElement | null {
  const item = run.item("observables/contacts/force");
  if (!item || item.width < 2 || run.text.theory === "nonsmooth" || run.text.theory === "lzb") return null;
  const contacts = item.columns().length > 400 ? spread(item.columns(), 200) : item.columns();
  let top = 0;
  const trains = contacts.map((c) => {
    const line = item.line(c);
    for (let i = 0; i < line.y.length; i++) if (line.y[i] > top && line.y[i] < Infinity) top = line.y[i];
    top = Math.max(top, largest(run, c)?.force ?? 0);
    return { contact: c, line };
  });
  if (!(top > 0)) return null;
  const found = trains.map(({ contact, line }) => ({ contact, line, peaks: peaksOf(run, contact, line, 0.02 * top).slice(0, 200) }));
  const middle = found.filter((f) => f.peaks.length > 0), chosen = spread(middle.map((_, i) => i), 3).map((i) => middle[i]);
  const curves: Curve[] = [], rows: string[][] = [];
  chosen.forEach((f, i) => {
    const peak = f.peaks.reduce((a: Peak, b: Peak) => (b.force > a.force ? b : a)), fit = peak.row < 0 ? null : fitPulse(f.line.x, f.line.y, peak);
    curves.push({ label: item.label(f.contact), x: f.line.x, y: f.line.y, colour: i });
    if (fit) curves.push({ label: "cos⁶ fit", x: fit.x, y: fit.y, dash: true, colour: i });
    rows.push([item.label(f.contact), quantity(peak.force, item.unit), quantity(peak.time, run.timeUnit), fit ? quantity(fit.tau, run.timeUnit, 4) : "–", fit ? `${number(100 * fit.error, 3)} %` : "–"]);
  });
  if (curves.length === 0) return null;
  const shape = new Plot("Force pulses and the cos⁶ fit", curves, { xLabel: "time", xUnit: run.timeUnit, yLabel: "force", yUnit: item.unit, clock,
    hint: "Dashed: F cos⁶((t − T) / τ), the solitary wave of Hertz contacts; F and T are those of the largest peak of each contact, τ fits its front by least squares, as carom pulse does." });
  const strongest = { x: [] as number[], y: [] as number[] }, all = { x: [] as number[], y: [] as number[] };
  for (const f of found) {
    const best = f.peaks.reduce((a: Peak | null, b) => (a === null || b.force > a.force ? b : a), null);
    for (const p of f.peaks) (p === best ? strongest : all).x.push(p.time), (p === best ? strongest : all).y.push(f.contact + 1);
  }
  const train = new Plot("Wave trains: when each contact has its peaks", [
    { label: "largest peak of the contact", x: Float64Array.from(strongest.x), y: Float64Array.from(strongest.y), points: true },
    { label: "further peaks", x: Float64Array.from(all.x), y: Float64Array.from(all.y), points: true, colour: 6 }].filter((c) => c.x.length > 0),
    { xLabel: "time", xUnit: run.timeUnit, yLabel: "contact, from the left", yUnit: "", whole: true, hint: (run.text.finer ?? 0) > 0 ? "Samples are too far apart to tell waves of one episode from each other: each episode of a contact, from closing to opening, has one dot, its largest force." : `A peak stands at least 2 % of the largest force above what lies between it and the next. ${speed(run, found, 0.02 * top)}`.trim() });
  train.scatter = true;
  return section("Pulses", el("div", { class: "grid" }, shape.card, middle.length > 3 ? train.card : null),
    table(["largest pulse", "peak", "time of the peak", "width τ", "rms error / peak"], rows, [false, true, true, true, true]));
}

/** Speed of the first wave, from the first peaks of contacts in the middle half. Contacts whose first peak was missed, so that a later one
 * stands for it, lie beside the line through most of them and are left out; where they are many nothing is said. */
function speed(run: Run, found: { contact: number; line: Line }[], level: number): string {
  const first = found.map((f) => ({ contact: f.contact, time: firstTop(f.line.x, f.line.y, level) })).filter((f): f is { contact: number; time: number } => f.time !== null);
  if (first.length < 6 || !run.shape?.place || (run.text.finer ?? 0) > 0) return ""; // samples too far apart show other peaks first
  const place = run.shapeArray("place"), part = first.slice(Math.floor(first.length / 4), Math.ceil((3 * first.length) / 4));
  const all = part.map((f) => ({ x: place[Math.max(0, run.pair(f.contact)?.[0] ?? 0)], t: f.time }));
  const median = (values: number[]) => values.sort((p, q) => p - q)[Math.floor(values.length / 2)];
  const half = Math.floor(all.length / 2), pace = median(all.slice(half).map((p, i) => (p.t - all[i].t) / (p.x - all[i].x))); // of times over places
  const start = median(all.map((p) => p.t - pace * p.x)), near = 0.05 * Math.abs(pace * (all[all.length - 1].x - all[0].x));
  const points = all.filter((p) => Math.abs(p.t - start - pace * p.x) <= near), n = points.length;
  if (n < 3 || n < 0.7 * all.length) return "";
  const mx = points.reduce((s, p) => s + p.x, 0) / n, mt = points.reduce((s, p) => s + p.t, 0) / n;
  const slope = points.reduce((s, p) => s + (p.x - mx) * (p.t - mt), 0) / points.reduce((s, p) => s + (p.t - mt) ** 2, 0);
  if (!Number.isFinite(slope)) return "";
  return run.shape.radii || run.text.units !== "none" ? `First peaks of the middle half travel at ${quantity(slope, run.text.units === "none" ? "" : "m/s", 4)} (least squares).` : `First peaks of the middle half travel ${number(slope, 4)} beads per unit of time (least squares).`;
}

/** Forces inside impacts, in each impact's own time (theory lzb). */
function impacts(run: Run): HTMLElement | null {
  const text = run.text.impacts;
  if (!text || !(text.kept > 0)) return null;
  const number_ = array(text.impact), contact = array(text.contact), time = array(text.time), force = array(text.force);
  const begins: number[] = []; // where each impact begins among the samples
  for (let i = 0; i < number_.length; i++) if (i === 0 || number_[i] !== number_[i - 1]) begins.push(i);
  const curves = (which: number): Curve[] => {
    const lines = new Map<number, { x: number[]; y: number[] }>();
    for (let i = begins[which]; i < (begins[which + 1] ?? number_.length); i++) {
      const line = lines.get(contact[i]) ?? { x: [], y: [] };
      line.x.push(time[i]);
      line.y.push(force[i]);
      lines.set(contact[i], line);
    }
    const chosen = spread([...lines.keys()].sort((a, b) => a - b), 8);
    return chosen.map((c) => ({ label: `contact ${run.contactName(c)}`, x: Float64Array.from(lines.get(c)!.x), y: Float64Array.from(lines.get(c)!.y) }));
  };
  const plot = new Plot("Forces inside an impact", curves(0), { xLabel: "time since the impact began", xUnit: run.timeUnit, yLabel: "force", yUnit: run.text.units === "none" ? "" : "N", hint: "In the impact's own time: in the run it takes none." });
  if (text.kept < text.total) plot.note(`the first ${text.kept} of ${text.total} samples`);
  const pick = begins.length > 1 ? el("div", { class: "picker" }, choice("impact", begins.slice(0, 500).map((at, i): [string, string] => [String(i), `${number_[at] + 1}`]), "0", (v) => plot.setCurves(curves(Number(v))))) : null;
  return section("Inside the impacts", pick, plot.card);
}

function energy(run: Run, clock: Clock): HTMLElement | null {
  const lines = (folder: string, names?: string[]): Curve[] => run.items.filter((item) => item.path.startsWith(folder) && !item.path.slice(folder.length).includes("/") && (!names || names.includes(item.name)))
    .map((item) => ({ label: item.name, ...item.line(0) }));
  const unit = run.item("observables/ledger/kinetic")?.unit ?? "", note = run.item("observables/ledger/kinetic")?.note ?? "";
  const main = lines("observables/ledger/", ["kinetic", "stored", "dissipated", "work"]), split = lines("observables/ledger/mechanism/").filter((c) => largestOf(c.y) > rounding * largestEnergy(run)), residual = lines("observables/ledger/", ["residual"]);
  if (main.length === 0) return null;
  const options = { xLabel: "time", xUnit: run.timeUnit, yLabel: "energy", yUnit: unit, clock };
  const made = [new Plot("Energy", main, options)];
  if (split.length > 0) made.push(new Plot("Dissipated, by mechanism", split, options));
  if (residual.length > 0) made.push(new Plot("Residual of the ledger", residual, { ...options, yLabel: "residual", hint: "kinetic + stored + dissipated − work − start: what the integration has lost or made." }));
  for (const plot of made) plot.note(note);
  return section("Energy", el("div", { class: "grid" }, ...made.map((p) => p.card)));
}

function some(values: ArrayLike<number>): boolean {
  for (let i = 0; i < values.length; i++) if (values[i] !== 0) return true;
  return false;
}

/** Where events stand in their plot. Of a few pairs of bodies each has a line of its own, with their names; of many they stand by the body that is free. */
function eventPlaces(run: Run, e: Events): { place: (i: number) => number; label: string; rows?: string[] } {
  if (!run.text.listed) return { place: (i) => e.contact[i] + 1, label: run.shape?.kind === "beads" ? "contact, from the left" : "contact" };
  const names = [...new Set(Array.from({ length: e.kept }, (_, i) => run.eventContact(e, i)))], few = names.length <= 12;
  const fixed = new Set(((run.shape?.walls ?? []) as { body: number; free: boolean }[]).filter((w) => !w.free).map((w) => w.body + 1));
  const free = (i: number) => (fixed.has(e.contact[2 * i]) ? e.contact[2 * i + 1] : e.contact[2 * i]);
  return few ? { place: (i) => names.indexOf(run.eventContact(e, i)) + 1, label: "bodies", rows: names } : { place: free, label: "one body of the contact" };
}

function events(run: Run): HTMLElement | null {
  const e = run.events();
  if (e.total === 0) return null;
  const kinds = ["opens", "closes", "impact", "sticks", "slips", "force passes 0"], scale = scaleFor(run.timeUnit, run.end);
  const rowsOf: number[][] = kinds.map(() => []);
  for (let i = 0; i < e.kept; i++) rowsOf[e.kind[i]]?.push(i);
  const { place, rows: names, label: what } = eventPlaces(run, e);
  const curves: Curve[] = kinds.map((label, kind) => {
    const at = rowsOf[kind];
    return { label, x: Float64Array.from(at, (i) => e.time[i]), y: Float64Array.from(at, place), points: true, colour: kind };
  }).filter((c) => c.x.length > 0);
  const plot = new Plot("Events", curves, { xLabel: "time", xUnit: run.timeUnit, yLabel: what, yUnit: "", whole: true, rows: names, span: [run.start, run.end], hint: "" });
  plot.scatter = true;
  if (e.kept < e.total) plot.note(`the first ${e.kept} of ${e.total} events`);
  const shown = Math.min(e.kept, 200), unit = run.text.units === "none" ? "" : "m/s", slow = rounding * Math.max(largestOf(e.before), largestOf(e.after));
  const rate = (value: number) => quantity(Math.abs(value) < slow ? 0 : value, unit);
  const rows = () => Array.from({ length: shown }, (_, i) => [`${number(e.time[i] * scale.factor, 8)} ${scale.unit}`, run.eventContact(e, i), kinds[e.kind[i]] ?? "?", rate(e.before[i]), rate(e.after[i]), e.kind[i] === 2 ? quantity(e.impulse[i], run.text.units === "none" ? "" : "N s") : ""]);
  const before = rowsOf.slice(3).some((at) => at.length > 0) ? "gap or slip rate before" : "gap rate before";
  const made = () => table(["time", "contact", "what", before, "after", "impulse"], rows(), [true, false, false, true, true, true]);
  const details = el("details", { toggle: () => { if (details.children.length === 1) details.append(made()); } }, el("summary", {}, shown < e.total ? `The first ${shown} of ${count(e.total)} events as a table` : shown === 1 ? "The event as a table" : `${shown === 2 ? "Both" : `All ${shown}`} events as a table`));
  return section("Events", plot.card, details);
}
