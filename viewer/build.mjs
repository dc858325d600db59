// Bundles the viewer into dist/page.html: styles and script inside, a place for the data, and a policy that lets no
// other script run and nothing be fetched. Says which sources it was made from, so that a test can tell whether it is
// current without Node.js. Usage: node build.mjs [OUTPUT]
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const output = process.argv[2] ?? join(here, "dist", "page.html");

const sources = ["build.mjs", "package-lock.json", "tsconfig.json"].concat(
  readdirSync(join(here, "src")).sort().map((name) => `src/${name}`));
const hash = createHash("sha256");
for (const name of sources) {
  hash.update(`${name}\0`);
  hash.update(readFileSync(join(here, name)));
  hash.update("\0");
}

const options = { bundle: true, minify: true, write: false, absWorkingDir: here, charset: "utf8", legalComments: "eof",
                  logLevel: "warning", target: ["chrome100", "firefox102", "safari15.4"] };
const script = await build({ ...options, entryPoints: ["src/main.ts"], format: "iife" });
const style = await build({ ...options, entryPoints: ["src/style.css"] });

// a closing tag inside a text of the script would end the element
const code = script.outputFiles[0].text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
const policy = [
  "default-src 'none'",
  `script-src 'sha256-${createHash("sha256").update(code).digest("base64")}'`,
  "style-src 'unsafe-inline'",
  "img-src data: blob:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const page = `<!doctype html>
<html lang="en" data-carom="page"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="carom-viewer" content="${hash.digest("hex")}">
<title>carom</title>
<style>${style.outputFiles[0].text.trim()}</style></head>
<body><main id="page"><p id="waiting">Reading the page's numbers. If this stays, the browser runs no scripts.</p></main>
<!--carom:data-->
<script>${code}</script></body></html>
`;
mkdirSync(dirname(output), { recursive: true });
writeFileSync(output, page);
