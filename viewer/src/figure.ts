// A figure: a card with a heading, its own controls, and ways to take it along as a picture or as a table.
import { button, el, quoted, save } from "./dom";

export const figures: Figure[] = [];

export abstract class Figure {
  readonly card: HTMLElement;
  readonly body: HTMLElement;
  readonly tools: HTMLElement;
  readonly notes: HTMLElement;
  protected shown = false;

  constructor(readonly title: string, readonly hint = "") {
    this.tools = el("div", { class: "tools", role: "toolbar", "aria-label": `${title}: controls` });
    this.body = el("div", { class: "body" });
    this.notes = el("figcaption", {}, hint);
    this.card = el("figure", { tabindex: 0, "aria-label": title },
      el("header", {}, el("h3", {}, title), this.tools), this.body, this.notes);
    this.tools.append(button("PNG", "Save as a picture (key s)", () => void this.savePicture()),
      button("SVG", "Save as a drawing that scales (key g)", () => void this.saveDrawing()), button("CSV", "Save the numbers as a table (key c)", () => this.saveTable()));
    this.card.addEventListener("keydown", (event) => {
      if (event.target !== this.card || event.ctrlKey || event.metaKey || event.altKey) return;
      if (this.key(event.key)) event.preventDefault();
    });
    figures.push(this);
    this.appear();
  }

  /** Figures are drawn when they come near the screen, or before printing: a page of many opens fast. */
  private appear(): void {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) {
        observer.disconnect();
        this.show();
      }
    }, { rootMargin: "300px" });
    observer.observe(this.card);
  }

  show(): void {
    if (this.shown || !this.card.isConnected || this.body.clientWidth === 0) return;
    this.shown = true;
    this.body.style.overflowX = "";
    try {
      this.draw();
    } catch (problem) {
      this.fail(problem);
    }
    this.body.style.minHeight = "";
  }

  /** Room on the page for what is not drawn yet: else all below would move while one scrolls. */
  protected reserve(height: number): void {
    this.body.style.minHeight = `${height}px`;
  }

  fail(problem: unknown): void {
    this.body.replaceChildren(el("p", { class: "note" }, `This figure could not be drawn: ${problem instanceof Error ? problem.message : String(problem)}`));
  }

  /** Gives back what the browser has few of, once the figure is no longer shown. */
  release(): void {}

  note(text: string): void {
    if (text) this.notes.append(el("span", { class: "reduced" }, text));
  }

  /** Draws anew, after a change of size or of light and dark. */
  redraw(): void {
    if (!this.shown) return;
    if (!this.card.isConnected) { // in a tab that is not shown it has no width: it is drawn when it comes back
      this.shown = false;
      this.body.style.overflowX = "clip"; // what was drawn for another width must not widen the page until then
      return this.appear();
    }
    try {
      this.draw();
    } catch (problem) {
      this.fail(problem);
    }
  }

  protected abstract draw(): void;
  /** Columns of the table: names, and rows one by one. */
  abstract table(): { head: string[]; rows: Iterable<(number | string)[]> };
  /** The picture, larger than on the screen where that is possible. */
  abstract picture(): HTMLCanvasElement | Promise<HTMLCanvasElement>;

  key(name: string): boolean {
    if (name === "s") void this.savePicture();
    else if (name === "c") this.saveTable();
    else if (name === "g") void this.saveDrawing();
    else return false;
    return true;
  }

  /** As SVG: lines where the figure consists of them, else the picture inside a frame, which says so. */
  async svg(): Promise<string> {
    const canvas = await this.picture();
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${canvas.width}" height="${canvas.height}" viewBox="0 0 ${canvas.width} ${canvas.height}"><desc>A picture of points: this figure is not made of lines, or of too many.</desc><image width="${canvas.width}" height="${canvas.height}" href="${canvas.toDataURL("image/png")}"/></svg>`;
  }

  async saveDrawing(): Promise<void> {
    save(`${this.fileName()}.svg`, new Blob([await this.svg()], { type: "image/svg+xml" }));
  }

  protected fileName(): string {
    return (document.title + " " + this.title).toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 80) || "carom";
  }

  csv(): string {
    const { head, rows } = this.table();
    const lines = [head.map(quoted).join(",")];
    for (const row of rows) lines.push(row.map((cell) => (typeof cell === "number" ? (Number.isFinite(cell) ? String(cell) : "") : quoted(cell))).join(","));
    return lines.join("\n") + "\n";
  }

  saveTable(): void {
    save(`${this.fileName()}.csv`, new Blob([this.csv()], { type: "text/csv" }));
  }

  async savePicture(): Promise<void> {
    const canvas = await this.picture();
    canvas.toBlob((blob) => blob && save(`${this.fileName()}.png`, blob), "image/png");
  }
}

/** A canvas as sharp as the screen, in units of CSS pixels. */
export function sharp(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D {
  const ratio = Math.min(3, window.devicePixelRatio || 1);
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext("2d")!;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}
