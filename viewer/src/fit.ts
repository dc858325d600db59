// A fit (carom fit -o): the keys that were found with their uncertainties, and for each column data, start and fitted model.
import { el, table } from "./dom";
import { array, type DataEntry, type Numbers } from "./data";
import { number, quantity } from "./format";
import { Plot } from "./plot";

export function isFit(entry: DataEntry): boolean {
  return entry.texts["parameters/study"]?.trim() === "fit";
}

/** What the sum of squares says, as the command does. */
function verdict(of: (name: string) => number): string[] {
  const chi2 = of("chi2"), start = of("start_chi2"), freedom = of("freedom"), probability = of("probability"), given = of("given");
  const degrees = `${number(freedom, 5)} degree${freedom === 1 ? "" : "s"} of freedom`;
  const odd = probability < 0.001 ? "; so the model does not fit, or sigmas are too small" : probability > 0.999 ? "; so sigmas are too large" : "";
  return [of("converged") === 0 ? "NOT CONVERGED: the last steps were not small. " : "",
    start > 0 ? `The sum of squares is ${number(chi2 / start, 3)} of that at the start. ` : "",
    !(freedom > 0) ? "There are as many keys as numbers: the fit goes through the data, which cannot contradict it."
    : given === 0 ? `Without all sigmas there is no chi-square: uncertainties are those the residuals show (${degrees}).`
    : `Chi-square is ${number(chi2, 5)} with ${degrees}: if model and sigmas are right, chance makes it larger in ${number(100 * probability, 3)} % of cases${odd}.`];
}

/** v[4], u_12_x -> Velocity of body 4, Displacement of body 12 along x: columns are named after probes. */
function measured(column: string): string {
  const what: Record<string, string> = { u: "Displacement", v: "Velocity", spin: "Spin", contact_force: "Force", gap: "Gap" }, hit = /^(u|v|spin|contact_force|gap)(?:\[(\d+)\]|_(\d+)(?:_([xyz]))?)$/.exec(column);
  if (hit) return `${what[hit[1]]} of ${/^(contact_force|gap)$/.test(hit[1]) ? "contact" : "body"} ${hit[2] ?? hit[3]}${hit[4] ? ` along ${hit[4]}` : ""}`;
  return column.replace(/^sensor_(u|v)_(.+)_([xyz])$/, (_, of, name, along) => `${what[of]} at ${name} along ${along}`).replace(/^sensor_/, "Sensor ");
}

export function showFit(entry: DataEntry): HTMLElement {
  const get = (path: string): Numbers | null => { const found = entry.arrays.find((a) => a.path === path); return found?.array ? array(found.array) : null; };
  const unit = (path: string) => entry.arrays.find((a) => a.path === path)?.unit ?? "";
  const keys = (entry.texts["fit/key"] ?? "").split("\n").filter(Boolean), units = (entry.texts["fit/unit"] ?? "").split("\n"), columns = (entry.texts["data/columns"] ?? "").split("\n").filter(Boolean);
  const value = get("fit/value"), sigma = get("fit/sigma"), start = get("fit/start"), low = get("fit/low"), high = get("fit/high"), correlation = get("fit/correlation");
  const at = (list: Numbers | null, i: number, digits = 6) => (list && Number.isFinite(list[i]) ? number(list[i], digits) : "–");
  const node = el("article", {});
  node.append(el("section", {}, el("h2", {}, "Keys"), table(["key", "found", "±", "start", "bounds"], keys.map((key, i) => [units[i] && units[i] !== "1" ? `${key} (${units[i]})` : key, at(value, i, 8), at(sigma, i, 3), at(start, i), `${at(low, i)} … ${at(high, i)}`]), [false, true, true, true, true]),
    el("p", {}, ...verdict((name) => get(`statistics/${name}`)?.[0] ?? NaN)), ...(entry.texts["fit/assumed"] ?? "").split("\n").slice(1).filter(Boolean).map((line) => el("p", {}, `${line}.`)),
    correlation && keys.length > 1 ? table(["correlation", ...keys], keys.map((key, i) => [key, ...keys.map((_, j) => at(correlation, i * keys.length + j, 3))]), [false, ...keys.map(() => true)]) : null));
  const rms = get("statistics/rms"), cards: HTMLElement[] = [];
  columns.forEach((column, k) => {
    const x = get(`data/${column}/time`), y = get(`data/${column}/value`), model = get(`data/${column}/model`), before = get(`data/${column}/start`), error = get(`data/${column}/sigma`);
    if (!x || !y || !model) return;
    const words = measured(column), own = unit(`data/${column}/value`), time = unit(`data/${column}/time`);
    cards.push(new Plot(words, [{ label: "measured", x, y, points: true, bare: true, colour: 0 }, ...(before ? [{ label: "start", x, y: before, dash: true, colour: 7 }] : []), { label: "fitted", x, y: model, colour: 1 }],
      { xLabel: "time", xUnit: time, yLabel: words.replace(/ (of|at) .*/, "").toLowerCase(), yUnit: own, hint: rms && Number.isFinite(rms[k]) ? `Root mean square of the difference: ${quantity(rms[k], own, 4)}.` : "" }).card);
    const scaled = Float64Array.from(y, (v, i) => (model[i] - v) / (error && error[i] > 0 ? error[i] : 1));
    cards.push(new Plot(`${words}: fitted − measured`, [{ label: error ? "difference / sigma" : "difference", x, y: scaled, points: true, bare: true }], { xLabel: "time", xUnit: time, yLabel: error ? "difference / sigma" : "difference", yUnit: error ? "" : own }).card);
  });
  if (cards.length > 0) node.append(el("section", {}, el("h2", {}, "Data and model"), el("div", { class: "grid" }, ...cards)));
  return node;
}
