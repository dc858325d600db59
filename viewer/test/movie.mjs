// What the tests of moving pictures share.
import { createHash } from "node:crypto";
import { check, open } from "./open.mjs";

export const settled = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

export async function picture(page) {
  await settled(page);
  return createHash("sha256").update(await page.locator("figure.movie canvas").first().screenshot()).digest("hex");
}

/** Opens a page at its moving picture, with a quarter of the points: the processor draws them. */
export async function opened(file, options) {
  const page = await open(`file://${file}`, { deviceScaleFactor: 0.5, ...options });
  await page.locator("figure.movie").scrollIntoViewIfNeeded();
  await page.waitForFunction(() => document.querySelector("figure.movie canvas")?.width > 10);
  return page;
}

/** Does what is done to the page change its picture? */
export async function changes(page, what, act) {
  const before = await picture(page);
  await act();
  check((await picture(page)) !== before, what, "changes the picture");
}

export const at = (page, part) => page.evaluate((k) => { const { clock } = window.carom.view; clock.set(Math.floor(k * (clock.run.rows - 1))); }, part);
export const choose = (page, label, value) => page.locator("figure.movie label", { hasText: label }).locator("select").first().selectOption(value);
