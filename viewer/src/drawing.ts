// What paints on a canvas, drawn as SVG instead: as much of a 2-D context as moving pictures use. What it lacks throws, and is a picture of points then.
const two = (x: number) => String(Math.round(100 * x) / 100);
const clean = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const MOST = 3e6; // characters: more make files that programs open slowly, and no eye tells the pieces apart

interface Pen { fillStyle: string; strokeStyle: string; lineWidth: number; lineCap: string; font: string; textAlign: string; dash: number[]; groups: number }

export class Drawing {
  fillStyle = "#000";
  strokeStyle = "#000";
  lineWidth = 1;
  lineCap = "butt";
  font = "10px sans-serif";
  textAlign = "left";
  private readonly out: string[] = [];
  private readonly kept: Pen[] = [];
  private dash: number[] = [];
  private path = "";
  private clips = 0;
  private groups = 0;
  private size = 0;

  constructor(readonly canvas: HTMLCanvasElement) {}

  /** The drawing of what paints; null: it cannot be drawn, or of too many pieces. */
  static of(canvas: HTMLCanvasElement, width: number, height: number, title: string, paint: (context: CanvasRenderingContext2D) => void): string | null {
    const drawing = new Drawing(canvas);
    try { paint(drawing as unknown as CanvasRenderingContext2D); } catch { return null; }
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><title>${clean(title)}</title>${drawing.out.join("\n")}</svg>\n`;
  }

  private put(piece: string): void {
    if ((this.size += piece.length) > MOST) throw new Error("too many pieces");
    this.out.push(piece);
  }

  beginPath(): void { this.path = ""; }
  closePath(): void { this.path += "Z"; }
  moveTo(x: number, y: number): void { this.path += `M${two(x)} ${two(y)}`; }
  lineTo(x: number, y: number): void { this.path += `${this.path === "" ? "M" : "L"}${two(x)} ${two(y)}`; }
  rect(x: number, y: number, w: number, h: number): void { this.path += `M${two(x)} ${two(y)}h${two(w)}v${two(h)}h${two(-w)}Z`; }

  arc(x: number, y: number, r: number, from: number, to: number, back = false): void {
    const turn = back ? -1 : 1, whole = Math.abs(to - from) >= 2 * Math.PI - 1e-9, end = whole ? from + turn * Math.PI : to;
    const at = (angle: number) => `${two(x + r * Math.cos(angle))} ${two(y + r * Math.sin(angle))}`, size = `A${two(r)} ${two(r)} 0`;
    const span = (((turn * (end - from)) % (2 * Math.PI)) + 2 * Math.PI) % (2 * Math.PI), sweep = back ? 0 : 1;
    this.path += `${this.path === "" ? "M" : "L"}${at(from)}${size} ${span > Math.PI + 1e-9 ? 1 : 0} ${sweep} ${at(end)}`;
    if (whole) this.path += `${size} 0 ${sweep} ${at(from)}`;
  }

  fill(): void { this.put(`<path d="${this.path}" fill="${this.fillStyle}"/>`); }
  stroke(): void { this.put(`<path d="${this.path}" fill="none"${this.line()}/>`); }
  fillRect(x: number, y: number, w: number, h: number): void { this.put(`<path d="M${two(x)} ${two(y)}h${two(w)}v${two(h)}h${two(-w)}Z" fill="${this.fillStyle}"/>`); }
  strokeRect(x: number, y: number, w: number, h: number): void { this.put(`<path d="M${two(x)} ${two(y)}h${two(w)}v${two(h)}h${two(-w)}Z" fill="none"${this.line()}/>`); }
  setLineDash(dash: number[]): void { this.dash = dash; }

  fillText(text: string, x: number, y: number): void {
    const anchor = this.textAlign === "center" ? "middle" : this.textAlign === "right" || this.textAlign === "end" ? "end" : "start";
    this.put(`<text x="${two(x)}" y="${two(y)}" fill="${this.fillStyle}" text-anchor="${anchor}" style="font:${clean(this.font).replaceAll('"', "'")}">${clean(text)}</text>`);
  }

  save(): void { const { fillStyle, strokeStyle, lineWidth, lineCap, font, textAlign, dash, groups } = this; this.kept.push({ fillStyle, strokeStyle, lineWidth, lineCap, font, textAlign, dash, groups }); }

  restore(): void {
    const pen = this.kept.pop();
    if (!pen) return;
    for (; this.groups > pen.groups; this.groups--) this.put("</g>");
    Object.assign(this, pen);
  }

  clip(): void {
    this.put(`<clipPath id="clip${++this.clips}"><path d="${this.path}"/></clipPath><g clip-path="url(#clip${this.clips})">`);
    this.groups++;
  }

  /** Walls are hatched, see colours.ts. */
  createPattern(): string {
    this.put(`<pattern id="hatch" width="8" height="8" patternUnits="userSpaceOnUse"><path d="M-2 10L10 -2M-2 2L2 -2M6 10L10 6" stroke="#888" stroke-width="1.3"/></pattern>`);
    return "url(#hatch)";
  }

  private line(): string {
    return ` stroke="${this.strokeStyle}" stroke-width="${two(this.lineWidth)}"${this.lineCap !== "butt" ? ` stroke-linecap="${this.lineCap}"` : ""}${this.dash.length > 0 ? ` stroke-dasharray="${this.dash.map(two).join(" ")}"` : ""}`;
  }
}
