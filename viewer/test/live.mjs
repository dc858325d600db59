// The page of a run that is under way. Task: address.
import { browser, check, end, task } from "./open.mjs";

async function look() {
  const page = await browser.newPage({ viewport: { width: 1200, height: 860 } });
  page.on("console", (message) => { if (message.type() === "error" && !/Failed to load resource|ERR_CONNECTION/.test(message.text())) check(false, "console:", message.text()); });
  page.on("pageerror", (error) => check(false, "error:", error.message));
  page.on("request", (request) => check(request.url().startsWith(task.address) || /favicon|^(blob|data):/.test(request.url()), "asks for", request.url()));
  page.setDefaultTimeout(90000); // a busy machine is slow, not wrong
  for (let i = 0; i < 450 && (await page.goto(task.address)).status() === 503; i++) await page.waitForTimeout(200);
  await page.waitForFunction(() => window.carom?.ready);
  return page;
}

const rows = (page) => page.evaluate(() => window.carom.view.run.rows);
const first = await look(), before = await rows(first);
await first.close(); // and the run goes on
const page = await look();
await page.waitForFunction((n) => window.carom.view.run.rows > n, before + 3);
await page.waitForFunction(() => /running/.test(document.querySelector(".live")?.textContent ?? "")); // in the end: a slow answer may have been told just now
await page.getByText("pause", { exact: true }).click();
await page.waitForFunction(() => /paused/.test(document.querySelector(".live").textContent));
const held = (await page.textContent(".live span")).split("t = ")[1];
await page.waitForTimeout(1500);
check((await page.textContent(".live span")).split("t = ")[1] === held, "pausing holds the run");
await page.getByText("resume", { exact: true }).click();
await page.waitForFunction((t) => /running/.test(document.querySelector(".live").textContent) && !document.querySelector(".live").textContent.includes(t), held);
await page.getByText("stop", { exact: true }).click();
await page.waitForFunction(() => /ended|is complete/.test(document.querySelector(".live").textContent)); // "ended" only until the last page is there
check((await page.evaluate(() => document.querySelectorAll("#content figure").length)) > 3, "the page has its figures");
await page.close();
await browser.close();
end();
