// How long pages take to open, and how many pictures a second they show while playing, in chromium without a graphics
// card. Usage: node pages.mjs TASK.json; see bench/pages.py.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const task = JSON.parse(readFileSync(process.argv[2], "utf8"));
const { chromium } = createRequire(`${task.packages}/`)("playwright-core");
const browser = await chromium.launch({ executablePath: task.browser, args: ["--no-sandbox"] });
await (await browser.newPage()).goto("about:blank"); // the browser itself has started
for (const { file, what, limit } of task.pages) {
  const page = await browser.newPage({ viewport: { width: 1200, height: 860 } });
  // from the request to the first picture after all that stands on the screen has been drawn
  await page.goto(`file://${file}`);
  const opened = await page.evaluate(() => new Promise((done) => {
    const wait = () => window.carom?.ready ? requestAnimationFrame(() => setTimeout(() => done(performance.now()))) : setTimeout(wait, 5);
    wait();
  }));
  let rate = NaN;
  if (what === "rate") {
    await page.locator("figure.movie").scrollIntoViewIfNeeded();
    await page.waitForTimeout(500);
    rate = await page.evaluate(() => new Promise((done) => {
      const { player } = window.carom.movie, began = performance.now();
      player.play();
      setTimeout(() => done((player.drawn / (performance.now() - began)) * 1000), 3000);
    }));
  }
  const value = what === "rate" ? rate : opened / 1000, good = what === "rate" ? value >= limit : value <= limit;
  console.log(`${file.split("/").pop().padEnd(16)} ${what === "rate" ? "pictures a second" : "seconds to open"} ${value.toFixed(2).padStart(8)}   ${what === "rate" ? "at least" : "at most"} ${limit}   ${good ? "kept" : "NOT KEPT"}`);
  if (!good) process.exitCode = 1;
  await page.close();
}
await browser.close();
