// Elements without HTML text: everything a run file says goes in as text, so nothing in it can be run.
type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | ((event: any) => void) | undefined>;

export function el<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(name, value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child) node.append(child);
  return node;
}

export function button(label: string, hint: string, click: () => void): HTMLButtonElement {
  return el("button", { type: "button", title: hint, "aria-label": hint, click }, label);
}

export function choice(label: string, options: [string, string][], value: string, change: (value: string) => void): HTMLLabelElement {
  const select = el("select", { change: () => change(select.value) });
  for (const [key, text] of options) select.append(el("option", { value: key, selected: key === value }, text));
  select.value = value;
  return el("label", { class: "choice" }, label, select);
}

/** A choice whose first option stands for none of the others; those are made when somebody is about to choose, as thousands of
    them make a page slow. */
export function longChoice(label: string, none: string, options: () => [string, string][], change: (value: string) => void): HTMLLabelElement {
  const made = choice(label, [["", none]], "", (value) => {
    if (value !== "") change(value);
    select.value = "";
  }), select = made.querySelector("select")!;
  const fill = () => { if (select.length === 1) select.append(...options().map(([key, text]) => el("option", { value: key }, text))); };
  for (const event of ["pointerenter", "pointerdown", "focus", "keydown"]) select.addEventListener(event, fill);
  return made;
}

export function toggle(label: string, hint: string, on: boolean, change: (on: boolean) => void): HTMLButtonElement {
  const node = el("button", { type: "button", title: hint, "aria-pressed": String(on), class: "toggle" }, label);
  node.addEventListener("click", () => {
    const now = node.getAttribute("aria-pressed") !== "true";
    node.setAttribute("aria-pressed", String(now));
    change(now);
  });
  return node;
}

/** A table; numbers are right-aligned. One of many columns becomes a list on a phone, where each cell says what it is. */
export function table(head: string[], rows: (string | Node)[][], numeric: boolean[] = []): HTMLElement {
  const many = head.length > 3, broad = head.length > 9; // of so many columns the table is moved about instead
  const body = rows.map((row) => el("tr", {}, ...row.map((cell, i) => el("td", { class: numeric[i] ? "number" : undefined, "data-head": many ? head[i] : undefined }, cell))));
  const made = el("div", { class: "scroll" }, el("table", { class: many ? "many" : undefined },
    el("thead", {}, el("tr", {}, ...head.map((text, i) => el("th", { scope: "col", class: numeric[i] ? "number" : undefined }, text)))),
    el("tbody", {}, ...body)));
  if (many) for (const node of [made, document.documentElement]) new ResizeObserver(() => stack(made, broad)).observe(node); // beside what else is wide a table need not get narrower with the window
  return made;
}

/** Rows that do not fit side by side, or are seen on a phone, become cards. */
function stack(scroll: HTMLElement, broad: boolean): void {
  const classes = scroll.firstElementChild!.classList;
  classes.remove("stacked");
  classes.toggle("stacked", innerWidth <= 560 || (!broad && scroll.scrollWidth > scroll.clientWidth + 1));
}

export function save(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  const link = el("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

const styles = new Map<string, string>();

/** The value of a style variable, such as the colour of axes; remembered, since pictures ask for it often. */
export function styled(name: string): string {
  let value = styles.get(name);
  if (value === undefined) styles.set(name, (value = getComputedStyle(document.documentElement).getPropertyValue(name).trim()));
  return value;
}

/** After a change of light and dark. */
export function restyle(): void {
  styles.clear();
}

export function quoted(cell: string): string {
  return /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** What was set for a run, a line each: what was kept of other files is told by its size. */
export function overrides(set: string | undefined): HTMLElement | null {
  const lines = (set ?? "").trim().split("\n").filter(Boolean).map((line) => (line.length > 160 ? `${line.slice(0, line.indexOf("=") + 1)}… (${Math.ceil(line.length / 1000)} kB)` : line));
  return lines.length > 0 ? el("p", {}, "Overrides: ", el("code", {}, lines.join(", "))) : null;
}
