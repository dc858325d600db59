// The playground in a real browser. It opens without an error, runs a scene and shows its page; a number that changes and a slider
// run it again; a wrong scene is told at its line; a scene that never ends can be stopped, while the page answers; a link carries
// the scene, a hostile one no harm; CSV and page can be had; scenes that ask for too much do not hold the page; a phone sees no side scroll. Usage: node open.mjs TASK.json
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";

const task = JSON.parse(readFileSync(process.argv[2], "utf8"));
const browser = await chromium.launch({ executablePath: task.browser, args: ["--no-sandbox", "--disable-gpu"] });
let failures = 0;
const check = (good, ...what) => { if (!good) { failures++; console.error("does not hold:", ...what); } };
const state = (page) => page.evaluate(() => window.playground);
const until = (page, test, argument) => page.waitForFunction(test, argument, { timeout: 60000 });

const context = await browser.newContext({ acceptDownloads: true }), page = await context.newPage(), problems = [];
page.on("console", (message) => { if (message.type() === "error") problems.push(message.text()); });
page.on("pageerror", (error) => problems.push(error.message));
const began = Date.now();
await page.goto(task.page);
await until(page, () => window.playground?.runs >= 1);
console.log(`opened, and ran its first scene, in ${Date.now() - began} ms`);
check((await state(page)).status === 0, "the first scene", (await state(page)).sentence);
const view = page.frameLocator("#view");
await view.locator("canvas").first().waitFor({ timeout: 60000 });
check((await view.locator("h1").first().textContent())?.length > 0, "the view has a heading");

const write = async (text) => {
  const { runs } = await state(page);
  await page.fill("#editor", text);
  await until(page, (before) => window.playground.runs > before, runs);
  return state(page);
};
const scene = await page.inputValue("#editor");
const wrong = await write(scene.replace("run:", "rum:"));
check(wrong.status === 3 && /rum/.test(wrong.sentence), "a wrong key is told:", wrong.sentence);
const line = scene.split("\n").findIndex((text) => text.startsWith("run:")) + 1;
check(Number(await page.textContent("#gutter .wrong")) === line, "and marked in line", line);
check((await write(scene)).status === 0, "the scene runs again");

const before = await state(page), slider = page.locator("#sliders input").first();
await slider.focus();
await page.keyboard.press("ArrowRight");
await until(page, (runs) => window.playground.runs > runs, before.runs);
check((await page.inputValue("#editor")) !== scene, "a slider writes into the scene");

await page.evaluate(() => {
  const area = document.getElementById("editor");
  area.value = area.value.replace(/until: *[^,}\n]+/, "until: 1e9");
  area.dispatchEvent(new Event("input"));
});
await page.waitForFunction(() => /%/.test(document.getElementById("phase").textContent));
await page.waitForTimeout(1000);
const lag = await page.evaluate(() => new Promise((done) => { const t = performance.now(); setTimeout(() => done(performance.now() - t), 0); }));
check(lag < 500, "the page answers while a long run is at work:", lag);
await page.click("#stop");
check(await page.isDisabled("#stop"), "stopped");
check((await write(scene)).status === 0, "and runs again after that");

const [csv] = await Promise.all([page.waitForEvent("download"), page.click("#save-csv")]);
check(readFileSync(await csv.path(), "utf8").startsWith("time,step"), "a table");
const [saved] = await Promise.all([page.waitForEvent("download"), page.click("#save-page")]);
check(readFileSync(await saved.path(), "utf8").includes('id="data"'), "a page with data");
await page.click("#link");
await page.waitForFunction(() => location.hash.startsWith("#scene="));
const other = await context.newPage();
await other.goto(page.url());
await until(other, () => window.playground?.runs >= 1);
check((await other.inputValue("#editor")) === scene, "a link carries the scene");

// a link that stands for more than a scene can be, and one that is torn
const bomb = gzipSync(Buffer.alloc(2e8)).toString("base64url");
for (const hash of [bomb, bomb.slice(0, 100)]) {
  const hostile = await context.newPage();
  await hostile.goto(`${task.page}#scene=${hash}`);
  await until(hostile, () => window.playground?.runs >= 1);
  await hostile.close();
}
const named = await context.newPage();
await named.goto(`${task.page}#open=scenes/two-beads.yaml`);
await until(named, () => window.playground?.runs >= 1);
check((await named.inputValue("#scenes")) === "scenes/two-beads.yaml", "a shipped scene is opened by its name");
// scenes that ask for too much: told, or ended by the page, which answers meanwhile
for (const text of ["bodies: [{chain: {count: 900000000, mass: 1}}]\nrun: {until: 1}\n", `a: &a [1]\n${"b: [*a, *a]\n".repeat(3)}`, "[".repeat(1e5),
                    "bodies: [{chain: {count: 3, mass: 1}}]\nrecord: {every: 1e-9}\nrun: {until: 1}\nunits: none\n"]) {
  await named.fill("#editor", text);
  await named.waitForTimeout(1500);
  const asked = Date.now();
  await named.evaluate(() => document.title);
  check(Date.now() - asked < 1000, "the page answers after", text.slice(0, 60), Date.now() - asked);
}
await named.close();

const phone = await (await browser.newContext({ viewport: { width: 400, height: 740 }, isMobile: true, hasTouch: true })).newPage();
await phone.goto(task.page);
await until(phone, () => window.playground?.runs >= 1);
check(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "no side scroll on a phone");
check(problems.length === 0, "the console is quiet:", problems.join("; "));
await browser.close();
process.exit(failures > 0 ? 1 : 0);
