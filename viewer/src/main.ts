// Opens the page: one tab for each file, light and dark, keys, and a small interface for tests (window.carom).
import { button, el, restyle } from "./dom";
import { type Entry, type PageText, readPage, replaceSource, Run, type RunText } from "./data";
import { figures } from "./figure";
import { follow } from "./live";
import { showData, showText, verdictsOf } from "./results";
import { type RunView, showRun } from "./run";

interface Tab { entry: Entry; node: HTMLElement | null; view: RunView | null; button: HTMLButtonElement }

const tabs: Tab[] = [];
let current = -1;

function nameOf(entry: Entry): string {
  if (entry.type === "text") return verdictsOf(entry.text) || entry.file;
  if (entry.type !== "data") return (entry.type === "run" ? entry.title : "") || entry.file;
  const scene = /^title: *(.+?) *$/m.exec(entry.texts["parameters/scene"] ?? "")?.[1].replace(/^(["'])(.*)\1$/, "$2"); // sweeps keep the scene alone
  return entry.texts["parameters/title"] || (scene ? `${scene}: ${entry.texts["parameters/study"] || (entry.texts["parameters/over"] ? "sweep" : "study")}` : entry.file);
}

function show(i: number): void {
  const tab = tabs[i];
  if (!tab || i === current) return;
  tabs[current]?.view?.movie?.player.pause();
  current = i;
  document.title = `${nameOf(tab.entry)} – carom`;
  for (const [k, other] of tabs.entries()) other.button.setAttribute("aria-selected", String(k === i));
  if (!tab.node) {
    try {
      if (tab.entry.type === "run") {
        tab.view = showRun(new Run(tab.entry as RunText));
        tab.node = tab.view.node;
      } else if (tab.entry.type === "text") tab.node = showText(tab.entry);
      else if (tab.entry.type === "data") tab.node = showData(tab.entry);
      else tab.node = el("article", {}, el("p", { class: "note" }, `This file could not be read: ${tab.entry.reason}`));
    } catch (problem) {
      tab.node = el("article", {}, el("p", { class: "note" }, `This file could not be shown: ${problem instanceof Error ? problem.message : String(problem)}`));
    }
  }
  document.getElementById("heading")!.textContent = nameOf(tab.entry);
  document.getElementById("file")!.textContent = tab.entry.file;
  document.getElementById("content")!.replaceChildren(tab.node);
}

/** On paper: light, as wide as a sheet, every figure drawn for that width. */
function printing(): void {
  const root = document.documentElement;
  let before: string | undefined;
  window.addEventListener("beforeprint", () => {
    before = root.dataset.light;
    root.dataset.light = "light";
    root.classList.add("printing");
    for (const figure of figures) figure.show();
    relight();
  });
  window.addEventListener("afterprint", () => {
    if (before === undefined) delete root.dataset.light;
    else root.dataset.light = before;
    root.classList.remove("printing");
    relight();
  });
}

/** A newer page of the same run: the tab is made anew, the moment and the place on the page stay. */
function renew(newer: Document): void {
  const tab = tabs[0], row = tab.view?.clock.row ?? 0, atEnd = tab.view ? row >= tab.view.run.rows - 1 : false, scroll = window.scrollY;
  replaceSource(newer);
  tab.entry = readPage().entries[0];
  tab.node = tab.view = null;
  for (const figure of figures) figure.release();
  figures.length = 0;
  const height = document.body.style.minHeight = `${document.body.scrollHeight}px`;
  current = -1;
  show(0);
  const clock = tabs[0].view?.clock;
  if (clock) clock.set(atEnd ? clock.run.rows - 1 : row);
  window.scrollTo(0, scroll);
  setTimeout(() => { if (document.body.style.minHeight === height) document.body.style.minHeight = ""; }, 1000);
}

function lights(): HTMLButtonElement {
  const root = document.documentElement;
  return button("◐", "Light or dark (key d)", () => {
    const dark = getComputedStyle(root).getPropertyValue("--dark").trim() === "1";
    root.dataset.light = dark ? "light" : "dark";
    relight();
  });
}

function relight(): void {
  restyle();
  for (const figure of figures) figure.redraw();
}

function open(): void {
  const page: PageText = readPage(), theme = lights();
  const list = el("nav", { role: "tablist", "aria-label": "files" });
  page.entries.forEach((entry, i) => {
    const node = button(nameOf(entry), entry.file, () => show(i));
    node.setAttribute("role", "tab");
    tabs.push({ entry, node: null, view: null, button: node });
    list.append(node);
  });
  const help = el("details", { class: "help" }, el("summary", {}, "Keys"), el("p", {},
    "Click a figure or reach it by Tab, then: ← → one sample back or on; + − nearer or farther; 0 all; l and x logarithmic axes; s picture; g drawing (SVG); c table; space plays the moving picture. d anywhere: light or dark. Hovering moves the time in all figures."));
  document.getElementById("page")!.replaceChildren(
    el("header", { class: "top" }, el("div", {}, el("h1", { id: "heading" }), el("p", { id: "file" })), el("div", { class: "tools" }, help, theme)),
    page.entries.length > 1 ? list : "", el("div", { id: "content" }),
    el("footer", {}, `Written by ${page.program}. ${document.querySelector("script[src]") ? "Its program is page.js beside it; it" : "This page is complete: it"} loads nothing from elsewhere.`));
  document.addEventListener("keydown", (event) => {
    const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    if (event.key === "d" && !typing && !event.ctrlKey && !event.metaKey) theme.click();
  });
  let width = 0, timer = 0;
  new ResizeObserver(() => {
    if (document.body.clientWidth === width) return;
    width = document.body.clientWidth;
    clearTimeout(timer);
    timer = window.setTimeout(() => figures.forEach((figure) => figure.redraw()), 120);
  }).observe(document.body);
  printing();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", relight);
  show(0);
  if (page.growing) document.getElementById("content")!.before(follow(renew, () => tabs[0].view?.movie?.player.busy ?? false, () => tabs[0].view?.run.timeUnit ?? ""));
  if (page.title) document.title = page.title;
}

try {
  open();
} catch (problem) {
  document.getElementById("page")!.replaceChildren(el("p", { class: "note" }, `This page could not be opened: ${problem instanceof Error ? problem.message : String(problem)}`));
}

// for tests, for the playground, which shows one run after the other, and for those who look into the page with a console
Object.assign(window, {
  carom: {
    ready: true, figures, show, renew,
    get entries() { return tabs.map((tab) => tab.entry); },
    get view() { return tabs[current]?.view ?? null; },
    get movie() { return tabs[current]?.view?.movie ?? null; },
    value: (path: string, row: number, column: number) => tabs[current]?.view?.run.item(path)?.value(row, column),
    time: (row: number) => tabs[current]?.view?.run.timeOf(row),
  },
});
