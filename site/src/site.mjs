// What every page of the site does by itself: search, light and dark, the contents on a phone. The index comes as a
// script, since a page that lies on a disk may not fetch.
import MiniSearch from "minisearch";
import { searchOptions } from "./search-options.mjs";

const root = document.documentElement;
const keep = {
  get theme() { try { return localStorage.getItem("carom-theme"); } catch { return null; } },
  set theme(value) { try { localStorage.setItem("carom-theme", value); } catch { /* a browser that keeps nothing */ } },
};
if (keep.theme) root.dataset.theme = keep.theme;

let index = null;
function ready() {
  index ??= new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = `${root.dataset.root}/assets/search.js`;
    script.onload = () => done(MiniSearch.loadJSON(window.caromSearch, searchOptions));
    script.onerror = () => failed(new Error("the index is missing"));
    document.head.append(script);
  });
  return index;
}

function show(list, hits) {
  list.replaceChildren(...hits.slice(0, 12).map((hit) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = `${root.dataset.root}/${hit.page}${hit.anchor ? `#${hit.anchor}` : ""}`;
    link.textContent = hit.title;
    const where = document.createElement("small");
    where.textContent = hit.page.replace(/^docs\/|\.html$/g, "");
    link.append(where);
    item.append(link);
    return item;
  }));
  if (!hits.length) list.textContent = "Nothing found.";
}

document.addEventListener("DOMContentLoaded", () => {
  const field = document.getElementById("find"), list = document.getElementById("found");
  field.addEventListener("focus", () => ready());
  field.addEventListener("input", async () => {
    const words = field.value.trim();
    list.hidden = !words;
    if (words) show(list, (await ready()).search(words));
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { field.value = ""; list.hidden = true; }
    if (event.key === "Enter") list.querySelector("a")?.click();
  });
  document.addEventListener("click", (event) => { if (!event.target.closest(".find")) list.hidden = true; });

  document.getElementById("dark").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    keep.theme = root.dataset.theme;
  });
  const menu = document.getElementById("menu");
  menu.addEventListener("click", () => {
    menu.setAttribute("aria-expanded", String(document.body.classList.toggle("open")));
  });
  document.querySelector('.side [aria-current="page"]')?.scrollIntoView({ block: "nearest" });
});
