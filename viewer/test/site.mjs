// The manual as a site. Task: site (the folder), pages (its files that are looked at).
import { browser, check, end, task } from "./open.mjs";

async function open(address, viewport) {
  const page = await browser.newPage({ viewport });
  page.on("console", (message) => check(message.type() !== "error", page.url(), message.text()));
  page.on("pageerror", (error) => check(false, page.url(), error.message));
  page.on("request", (request) => check(request.url().startsWith(`file://${task.site}/`), "asks for", request.url()));
  await page.goto(address);
  return page;
}

const wide = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

const phone = await open(`file://${task.site}/index.html`, { width: 400, height: 800 });
for (const file of task.pages) {
  await phone.goto(`file://${file}`);
  check((await wide(phone)) <= 0, file, "is wider than a phone", await wide(phone));
}
await phone.locator("#menu").click();
await phone.locator(".side a", { hasText: "First steps" }).click();
check((await phone.textContent("h1")).includes("First steps"), "contents on a phone");

const page = await open(`file://${task.site}/docs/laws.html`, { width: 1300, height: 900 });
const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const before = await ground();
await page.locator("#dark").click();
check((await ground()) !== before, "dark is another colour");
await page.reload();
check((await ground()) !== before, "dark stays");
for (const [words, place] of [["kuwabara", "laws"], ["moreau-jean", "rigid"], ["precompresion", ""]]) {
  await page.locator("#find").fill(words);
  await page.waitForFunction(() => document.querySelectorAll("#found a").length > 0);
  const found = await page.locator("#found a").allTextContents();
  check(found.some((text) => text.includes(place)), words, "is found", found);
}
await page.locator("#find").press("Enter");
await page.waitForFunction(() => !location.href.includes("laws.html"));
check((await page.locator("h1").count()) > 0, "a hit leads to a page");

await page.goto(`file://${task.site}/index.html`);
await page.locator("nav.top a", { hasText: "Papers" }).click();
check(/\d+ PASS, 0 FAIL/.test(await page.textContent("main table")), "verdicts");
await page.locator("main td a").nth(1).click();
await page.waitForFunction(() => /98 pass, 0 fail/.test(document.body.innerText));
if (task.playground) {
  const play = await browser.newPage();
  await play.goto(`file://${task.site}/scenes/two-beads.yaml.html`);
  await play.getByText("Try it in the browser").click();
  await play.waitForFunction(() => window.playground?.runs >= 1);
  check((await play.inputValue("#scenes")) === "scenes/two-beads.yaml", "a scene of the site is tried in the playground");
}
await browser.close();
end();
