// What the tests in a browser share: chromium by playwright-core, and a page that notes all that goes wrong in it.
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";

export const task = JSON.parse(readFileSync(process.argv[2], "utf8"));
let checks = 0, failures = 0;

export function check(good, ...what) {
  checks++;
  if (good) return;
  failures++;
  console.log("does not hold:", ...what);
}

export function end() {
  console.log(`${checks} checks, ${failures} failures`);
  process.exitCode = failures > 0 || checks === 0 ? 1 : 0;
}

export const browser = await chromium.launch({
  executablePath: task.browser,
  args: ["--no-sandbox"],
});

/** Opens a page and waits until it is ready; errors, warnings of its policy and requests elsewhere are failures. */
export async function open(address, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1200, height: 860 }, acceptDownloads: true, ...options });
  const name = address.split("/").pop();
  page.setDefaultTimeout(90000); // a busy machine is slow, not wrong
  page.on("console", (message) => {
    const text = message.text();
    if (message.type() === "error") check(false, name, "console:", text);
  });
  page.on("pageerror", (error) => check(false, name, "error:", error.message));
  page.on("dialog", (dialog) => { check(false, name, "a dialog:", dialog.message()); void dialog.dismiss(); });
  page.on("request", (request) => check(request.url() === address || /^(blob|data):/.test(request.url()), name, "asks for", request.url()));
  await page.goto(address);
  await page.waitForFunction(() => window.carom?.ready);
  return page;
}
