// A plot as SVG: frame, ticks, names, and every curve as a path with two digits after the point, which is what can be seen.
import type uPlot from "uplot";
import { lineColour } from "./colours";
import { styled } from "./dom";
import type { Curve } from "./plot";

const clean = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

export function svgOf(title: string, plot: uPlot, data: uPlot.AlignedData, curves: Curve[], labels: [string, string]): string {
  const ratio = devicePixelRatio || 1, box = { left: plot.bbox.left / ratio, top: plot.bbox.top / ratio + 30, width: plot.bbox.width / ratio, height: plot.bbox.height / ratio };
  const width = plot.width, height = plot.height + 30 + 18 * curves.length, ink = styled("--ink"), out: string[] = [];
  const px = (v: number) => plot.valToPos(v, "x") + box.left, py = (v: number) => plot.valToPos(v, "y") + box.top;
  const text = (x: number, y: number, words: string, more = "") => out.push(`<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" fill="${ink}" ${more}>${clean(words)}</text>`);
  out.push(`<rect width="100%" height="100%" fill="${styled("--card")}"/>`);
  text(12, 20, title, 'font-weight="600" font-size="14"');
  for (const [name, along] of [["x", true], ["y", false]] as [string, boolean][]) {
    const { min, max } = plot.scales[name], axis = plot.axes[along ? 0 : 1] as unknown as { _splits?: number[]; _values?: (string | null)[] };
    for (const [k, v] of (axis._splits ?? []).entries()) {
      const words = axis._values?.[k] ?? "";
      if (v === null || !(v >= min! && v <= max!) || words === "") continue;
      const [x1, y1, x2, y2] = along ? [px(v), box.top, px(v), box.top + box.height] : [box.left, py(v), box.left + box.width, py(v)];
      out.push(`<path d="M${x1.toFixed(1)} ${y1.toFixed(1)}L${x2.toFixed(1)} ${y2.toFixed(1)}" stroke="${styled("--grid")}"/>`);
      if (along) text(x1, box.top + box.height + 16, words, 'text-anchor="middle"');
      else text(box.left - 6, y1 + 4, words, 'text-anchor="end"');
    }
  }
  const unit = (i: number) => String((plot.axes[i] as { label?: string }).label ?? labels[i]);
  text(box.left + box.width / 2, box.top + box.height + 36, unit(0), 'text-anchor="middle"');
  text(0, 0, unit(1), `text-anchor="middle" transform="translate(14 ${(box.top + box.height / 2).toFixed(1)}) rotate(-90)"`);
  curves.forEach((curve, i) => {
    const colour = lineColour(curve.colour ?? i), y = data[i + 1] ?? [], x = data[0];
    let path = "", pen = false;
    const { min, max } = plot.scales.x;
    for (let k = 0; k < x.length; k++) {
      const v = y[k];
      if (v === undefined || x[k]! < min! || x[k]! > max!) continue;
      if (v === null || !Number.isFinite(v)) { if (!curves.every((c) => c.x !== curves[0].x || c === curves[0])) pen = false; continue; }
      const at = `${px(x[k]!).toFixed(2)} ${py(v).toFixed(2)}`;
      path += (pen && !curve.bare ? "L" : "M") + at;
      pen = true;
      if (curve.points) out.push(`<circle cx="${px(x[k]!).toFixed(2)}" cy="${py(v).toFixed(2)}" r="3" fill="none" stroke="${colour}"/>`);
    }
    if (!curve.bare) out.push(`<path d="${path}" fill="none" stroke="${colour}" stroke-width="1.6"${curve.dash ? ' stroke-dasharray="6 5"' : ""} clip-path="url(#frame)"/>`);
    const line = plot.height + 30 + 18 * i;
    out.push(`<path d="M${box.left} ${line}h22" stroke="${colour}" stroke-width="3"/>`);
    text(box.left + 30, line + 4, curve.label);
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12"><defs><clipPath id="frame"><rect x="${box.left}" y="${box.top}" width="${box.width}" height="${box.height}"/></clipPath></defs>${out.join("\n")}</svg>\n`;
}
