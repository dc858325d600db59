// Makes the playground: one HTML file with the module, the viewer and the shipped scenes inside, packed, so that it works from
// any server and from a folder. Usage: node build.mjs MODULE SOURCE OUTPUT
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const [modulePath, source, output] = process.argv.slice(2);
const options = { bundle: true, minify: true, write: false, absWorkingDir: here, charset: "utf8", legalComments: "eof", format: "iife",
                  platform: "browser", logLevel: "warning", target: ["chrome100", "firefox113", "safari16.4"] };
const bundle = async (entry) => (await build({ ...options, entryPoints: [`page/${entry}`] })).outputFiles[0].text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
const [script, worker, style] = await Promise.all(["main.ts", "worker.ts", "style.css"].map(bundle));
const packed = (bytes) => gzipSync(bytes, { level: 9 }).toString("base64");

const viewer = readFileSync(join(source, "viewer", "dist", "page.html"), "utf8"), shipped = {};
for (const folder of ["scenes", ...readdirSync(join(source, "scenes"), { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => `scenes/${entry.name}`)])
  for (const name of readdirSync(join(source, folder)).sort())
    if (/\.(yaml|csv|msh|inp|vtk|vtu|stl|obj)$/.test(name)) shipped[`${folder}/${name}`] = readFileSync(join(source, folder, name), "utf8");

// a frame made of a text has the policy of its parent, too: the viewer's script is named in both
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const policy = ["default-src 'none'", `script-src ${hash(script)} ${/script-src ('sha256-[^']+')/.exec(viewer)[1]} 'wasm-unsafe-eval'`, "worker-src blob:",
                "style-src 'unsafe-inline'", "img-src data: blob:", "media-src blob:", "base-uri 'none'", "form-action 'none'"].join("; ");

const data = (id, text) => `<script type="text/plain" id="${id}">${text}</script>`;
const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>carom playground</title>
<style>${style.trim()}</style></head><body>
<header><h1>carom</h1><select id="scenes" aria-label="scene"></select><button id="run">Run</button><button id="stop" disabled>Stop</button>
<progress id="meter" max="1" value="0" aria-label="progress"></progress><button id="link">Link</button><button id="save-scene">Scene</button>
<button id="save-csv">CSV</button><button id="save-page">Page</button><span id="phase" role="status"></span></header>
<section id="left"><div id="text"><div id="gutter" aria-hidden="true"></div><textarea id="editor" spellcheck="false" autocapitalize="off" autocomplete="off" wrap="off" aria-label="scene"></textarea></div>
<p id="sentence" role="alert" hidden></p><div id="sliders" aria-label="numbers of the scene"></div>
<footer>Everything runs in this page, with the bits of the program. Run files, resuming, sweeps, fits and files of your own need the program.</footer></section>
<iframe id="view" title="the run"></iframe>
${data("module", packed(readFileSync(modulePath)))}
${data("viewer", packed(viewer))}
${data("shipped", packed(JSON.stringify(shipped)))}
${data("worker", worker)}
<script>${script}</script></body></html>
`;
mkdirSync(output, { recursive: true });
writeFileSync(join(output, "index.html"), page);
console.log(`${join(output, "index.html")}: ${(page.length / 1e6).toFixed(2)} MB`);
