// Writes the site: every page of the manual, every file it links to, search, formulas, and what else was made for it
// (gallery, playground). The tree is the repository's, so that links keep their meaning: docs/space.md becomes
// docs/space.html, a scene scenes/heap.yaml the page scenes/heap.yaml.html. Nothing is fetched from anywhere; the folder
// may be opened as it lies on a disk. Usage: node build.mjs SOURCE FOLDER
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import katex from "@vscode/markdown-it-katex";
import hljs from "highlight.js";
import markdownIt from "markdown-it";
import anchor from "markdown-it-anchor";
import MiniSearch from "minisearch";
import { searchOptions } from "./src/search-options.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const [source, folder] = process.argv.slice(2).map((path) => resolve(path));
const has = (name) => existsSync(join(folder, name, "index.html"));

/** The anchors that GitHub and the tests of the manual make of headings. */
const slug = (text) => text.trim().toLowerCase().replace(/[^\p{L}\p{N}_\- ]/gu, "").replaceAll(" ", "-");

const escape = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const colour = (text, language) =>
  hljs.getLanguage(language) ? hljs.highlight(text, { language }).value : escape(text);

const md = markdownIt({ html: true, highlight: colour })
  .use(anchor, { slugify: slug, permalink: anchor.permalink.headerLink({ safariReaderFix: true }) })
  .use(katex.default ?? katex, { throwOnError: true, enableFencedBlocks: true });

/** What is still to be written: paths inside the repository. */
const wanted = new Set();

/** The page that shows a path of the repository. */
function pageOf(path) {
  if (path === "README.md") return "index.html";
  if (path.endsWith(".md")) return path.replace(/\.md$/, ".html");
  if (statSync(join(source, path)).isDirectory()) return join(path, "index.html");
  return /\.(svg|png|jpg)$/.test(path) ? path : `${path}.html`;
}

/** A link of a page, as it is in the site; what it leads to is written too. */
function relink(link, from) {
  if (/^[a-z]+:/.test(link) || link.startsWith("#")) return link;
  const [target, hash] = link.split("#");
  const path = relative(source, resolve(source, dirname(from), target));
  if (path.startsWith("..") || !existsSync(join(source, path))) throw new Error(`${from}: ${link} leads nowhere`);
  wanted.add(path);
  return relative(dirname(pageOf(from)), pageOf(path)) + (hash ? `#${hash}` : "");
}

md.core.ruler.push("relink", (state) => {
  for (const token of state.tokens)
    for (const child of token.children ?? [])
      for (const name of ["href", "src"])
        if (child.attrGet(name)) child.attrSet(name, relink(child.attrGet(name), state.env.from));
});
md.renderer.rules.table_open = () => '<div class="wide"><table>';
md.renderer.rules.table_close = () => "</table></div>";

/** The groups of the manual, as docs/index.md has them: headings and the first link of every row below. */
function contents() {
  const groups = [];
  for (const line of readFileSync(join(source, "docs/index.md"), "utf8").split("\n")) {
    if (line.startsWith("## ")) break;
    if (line.startsWith("### ")) groups.push({ name: line.slice(4), pages: [] });
    const row = line.match(/^\| \[([^\]]+)\]\(([^)]+)\)/);
    if (row && groups.length) groups.at(-1).pages.push({ name: row[1], path: join("docs", row[2]) });
  }
  return groups;
}
const groups = contents();

function menu(path) {
  const link = (to, name) => {
    const here = to === path || (to === "docs/reference/" && path.startsWith(to)) ? ' aria-current="page"' : "";
    return `<li><a href="${relative(dirname(pageOf(path)), pageOf(to.replace(/\/$/, "")))}"${here}>${escape(name)}</a></li>`;
  };
  return groups.map((group) => `<h2>${group.name}</h2><ul>${group.pages.map((p) => link(p.path, p.name)).join("")}</ul>`).join("");
}

function frame(path, title, body) {
  const up = relative(dirname(pageOf(path)), ".") || ".";
  const top = [["index.html", "Start"], ["docs/index.html", "Manual"], ["docs/why.html", "Why carom"]]
    .concat(has("gallery") ? [["gallery/index.html", "Gallery"], ["verdicts.html", "Papers"]] : [])
    .concat(has("playground") ? [["playground/index.html", "Playground"]] : []);
  return `<!doctype html>
<html lang="en" data-root="${up}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}${title === "carom" ? "" : " · carom"}</title>
<link rel="stylesheet" href="${up}/assets/katex/katex.min.css"><link rel="stylesheet" href="${up}/assets/site.css">
<script src="${up}/assets/site.js"></script></head>
<body><header><button id="menu" aria-label="Contents" aria-expanded="false">☰</button>
<a class="name" href="${up}/index.html">carom</a>
<nav class="top">${top.map(([to, name]) => `<a href="${up}/${to}">${name}</a>`).join("")}</nav>
<div class="find"><input id="find" type="search" placeholder="Search the manual" aria-label="Search the manual" autocomplete="off">
<ol id="found" hidden></ol></div>
<button id="dark" aria-label="Light or dark">◐</button></header>
<nav class="side" aria-label="Manual">${menu(path)}</nav>
<main>${body}</main></body></html>
`;
}

function write(path, text) {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Sections of a page for the search: text below each heading. */
const sections = [];
function remember(path, tokens) {
  let section = null;
  for (let i = 0; i < tokens.length; i++) {
    if (tokens[i].type === "heading_open") {
      const title = tokens[i + 1].children.map((t) => t.content).join("");
      section = { id: sections.length, page: pageOf(path), anchor: tokens[i].attrGet("id"), title, text: "" };
      sections.push(section);
      i++;
    } else if (section && (tokens[i].type === "inline" || tokens[i].type === "fence")) {
      section.text += `${(tokens[i].children ?? [tokens[i]]).map((t) => t.content).join(" ")} `;
    }
  }
}

function page(path) {
  const env = { from: path };
  const text = readFileSync(join(source, path), "utf8");
  const tokens = md.parse(text, env);
  remember(path, tokens);
  const title = text.match(/^# (.*)$/m)?.[1] ?? basename(path, ".md");
  write(pageOf(path), frame(path, title, md.renderer.render(tokens, md.options, env)));
}

const languages = { yaml: "yaml", c: "c", h: "c", py: "python", ipynb: "json", json: "json", sh: "bash" };

function file(path) {
  const text = readFileSync(join(source, path), "utf8");
  const stem = path.match(/^scenes\/(.*)\.yaml$/)?.[1].replaceAll("/", "-");
  const up = relative(dirname(pageOf(path)), ".");
  const seen = stem && existsSync(join(folder, "gallery", `${stem}.html`))
    ? `<p><a href="${up}/gallery/${stem}.html">Its page, with the moving picture</a></p>` : "";
  const tried = stem && has("playground") ? `<p><a href="${up}/playground/index.html#open=${path}">Try it in the browser</a></p>` : "";
  const code = colour(text, languages[path.split(".").at(-1)] ?? "");
  write(pageOf(path), frame(path, path, `<h1>${escape(path)}</h1>${seen}${tried}<pre><code class="hljs">${code}</code></pre>`));
}

function list(path) {
  const names = readdirSync(join(source, path)).filter((name) => !name.startsWith(".")).sort();
  const readme = names.find((name) => name === "README.md");
  const items = names.filter((name) => name !== "README.md").map((name) => {
    wanted.add(join(path, name));
    return `<li><a href="${relative(path, pageOf(join(path, name)))}">${escape(name)}</a></li>`;
  });
  const env = { from: join(path, "README.md") };
  const words = readme ? md.render(readFileSync(join(source, path, readme), "utf8"), env) : `<h1>${escape(path)}</h1>`;
  write(pageOf(path), frame(path, path, `${words}<ul>${items.join("")}</ul>`));
}

/** What the gallery has measured of the papers, each with its page of rows and what the repository says of it. */
function verdicts() {
  const cards = readFileSync(join(folder, "gallery/index.html"), "utf8")
    .matchAll(/<a class="card" href="(verify-([\w-]+)\.html)"><h3>([^<]*)<\/h3>\s*<p>([^<;]*)/g);
  const rows = [...cards].map(([, page, key, title, counts]) => {
    wanted.add(`papers/${key}/README.md`);
    return `<tr><td><a href="papers/${key}/README.html">${title}</a></td><td><a href="gallery/${page}">${counts}</a></td></tr>`;
  });
  const words = "The numbers that papers print, measured again by <code>carom verify</code> when this site was made: every row with the " +
    "published number, the measured one and how far apart they may be. NOT-REPRODUCED: carom finds another number, and the row says why.";
  write("verdicts.html", frame("verdicts.md", "Papers", `<h1>Papers, measured again</h1><p>${words}</p>
<div class="wide"><table><thead><tr><th>paper</th><th>verdicts</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>`));
}

for (const name of ["docs", "scenes", "examples", "papers", "assets", "index.html", "verdicts.html"]) rmSync(join(folder, name), { recursive: true, force: true });
wanted.add("README.md");
for (const group of groups) for (const { path } of group.pages) wanted.add(path.replace(/\/$/, ""));
if (has("gallery")) verdicts();
for (const path of wanted) {
  if (statSync(join(source, path)).isDirectory()) list(path);
  else if (path.endsWith(".md")) page(path);
  else if (/\.(svg|png|jpg)$/.test(path)) { mkdirSync(dirname(join(folder, path)), { recursive: true }); cpSync(join(source, path), join(folder, path)); }
  else file(path);
}

const search = new MiniSearch(searchOptions);
search.addAll(sections);
write("assets/search.js", `window.caromSearch = ${JSON.stringify(JSON.stringify(search)).replaceAll("</", "<\\/")};\n`);
buildSync({ entryPoints: [join(here, "src/site.mjs")], bundle: true, minify: true, format: "iife", legalComments: "eof",
            outfile: join(folder, "assets/site.js"), target: ["chrome100", "firefox102", "safari15.4"] });
buildSync({ entryPoints: [join(here, "src/site.css")], minify: true, outfile: join(folder, "assets/site.css") });
const fonts = dirname(createRequire(import.meta.url).resolve("katex/dist/katex.min.css"));
for (const name of ["katex.min.css", "fonts"])
  cpSync(join(fonts, name), join(folder, "assets/katex", name), { recursive: true, filter: (from) => !/\.(ttf|woff)$/.test(from) });
console.log(`${wanted.size} pages and files, ${sections.length} sections to search, in ${relative(process.cwd(), folder)}`);
