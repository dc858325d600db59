// Numbers for people: prefixes of units, a fixed number of digits, ticks of axes.

/** m^2 -> m², for eyes; files and tables keep what they have. */
const raised = (unit: string): string => unit.replace(/\^(\d)(?![\d.])/g, (_, d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(d)]);

/** How values of a unit are shown: shown = value * factor, in `unit`. */
export interface Scale { factor: number; unit: string }

const prefixes: [number, string][] = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"], [1e-12, "p"]];

export function scaleFor(unit: string, largest: number): Scale {
  const plain = unit === "1" || unit === "";
  if (plain) return { factor: 1, unit: "" };
  const first = /^[A-Za-z]+/.exec(unit)?.[0] ?? "";
  const takes = ["m", "s", "N", "J", "Pa", "W", "Hz"].includes(first) && unit[first.length] !== "^" && !unit.includes(",");
  if (!takes || !(largest > 0) || !Number.isFinite(largest)) return { factor: 1, unit: raised(unit) };
  for (const [size, prefix] of prefixes) {
    const big = first === "m" || first === "s" ? size <= 1 : true; // no kilometres and kiloseconds
    if (big && largest >= size * 0.9999) return { factor: 1 / size, unit: prefix + raised(unit) };
  }
  return { factor: 1, unit: raised(unit) };
}

export function number(value: number, digits = 5): string {
  if (Number.isNaN(value)) return "not a number";
  if (!Number.isFinite(value)) return value > 0 ? "infinite" : "−infinite";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) return power(value.toExponential(Math.max(0, digits - 1)).replace(/\.?0+e/, "e"));
  return String(Number(value.toPrecision(digits))).replace("-", "−");
}

/** 1.2e-7 -> 1.2 × 10⁻⁷, which lines do not break */
function power(text: string): string {
  const [mantissa, exponent] = text.split("e");
  return `${mantissa.replace("-", "−")}\u00a0${tenTo(exponent)}`;
}

function tenTo(exponent: string): string {
  return `×\u00a010${exponent.replace("+", "").replace("-", "⁻").replace(/\d/g, (d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(d)])}`;
}

/** As scaleFor, for an axis: what stays very small or large goes with a power of ten in the unit, for ticks of such numbers are long or missing. */
export function axisScale(unit: string, largest: number): Scale {
  const scale = scaleFor(unit, largest), shown = largest * scale.factor;
  if (!(shown > 0) || (shown >= 1e-3 && shown < 1e5)) return scale;
  const exponent = Math.floor(Math.log10(shown));
  return { factor: scale.factor * 10 ** -exponent, unit: `${tenTo(String(exponent))}${scale.unit ? ` ${scale.unit}` : ""}` };
}

export function quantity(value: number, unit: string, digits = 5): string {
  const scale = scaleFor(unit, Math.abs(value));
  return number(value * scale.factor, digits) + (scale.unit ? ` ${scale.unit}` : "");
}

export function count(value: number | string): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** Round values between low and high, about `most` of them. */
export function ticks(low: number, high: number, most: number): number[] {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return [low];
  const raw = span / Math.max(1, most), size = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((k) => k * size).find((k) => k >= raw) ?? raw;
  const found: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * span && found.length < 50; i++) found.push(i * step);
  return found;
}

export function tickText(value: number, span: number): string {
  if (value === 0) return "0";
  const size = Math.abs(value), step = Math.floor(Math.log10(span / 5)), finest = (from: number, digits: number) => Math.max(from, Math.min(12, digits)); // neighbours have to differ
  if (size >= 1e5 || size < 1e-4) return power(value.toExponential(finest(2, 1 + Math.floor(Math.log10(size)) - step)).replace(/\.?0+e/, "e"));
  const digits = finest(0, 1 - step);
  return value.toFixed(digits).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "").replace("-", "−");
}
