// Pages at three widths, light and dark: measured boxes. Task: pages, and what some of them say, by name; tabs, a page of two files.
import { browser, check, end, open, task } from "./open.mjs";

/** What overlaps, sticks out or is broken letter by letter, in words. */
function trouble() {
  const found = [], seen = (node) => { const box = node.getBoundingClientRect(); return box.width > 0 && box.height > 0 ? box : null; };
  if (document.documentElement.scrollWidth > innerWidth + 1) found.push(`the page is ${document.documentElement.scrollWidth} wide`);
  const apart = (nodes, what) => {
    const boxes = nodes.map((node) => [seen(node), node]).filter(([box]) => box);
    for (let i = 0; i < boxes.length; i++) for (let j = i + 1; j < boxes.length; j++) {
      const [a] = boxes[i], [b] = boxes[j], x = Math.min(a.right, b.right) - Math.max(a.left, b.left), y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (x > 1 && y > 1) found.push(`${what}: ${boxes[i][1].textContent.slice(0, 30)} and ${boxes[j][1].textContent.slice(0, 30)} overlap by ${x.toFixed(0)} x ${y.toFixed(0)}`);
    }
  };
  apart([...document.querySelectorAll("article > section, article > .facts")], "sections");
  for (const grid of document.querySelectorAll(".grid")) apart([...grid.children], "cards");
  for (const bar of document.querySelectorAll(".tools, .player, .picker, .facts dl, figure > header")) apart([...bar.children], "controls");
  for (const card of document.querySelectorAll("figure")) apart([...card.children], "parts of a figure");
  for (const cell of document.querySelectorAll("td, th")) {
    const range = document.createRange(), words = cell.textContent.trim();
    range.selectNodeContents(cell);
    const box = seen(cell) && range.getBoundingClientRect();
    if (box && words.length > 3 && box.height > 26 * Math.max(2, words.split(/\s+/).length) + 10) found.push(`"${words.slice(0, 30)}" is ${box.height.toFixed(0)} high and ${box.width.toFixed(0)} wide`);
  }
  for (const scroll of document.querySelectorAll(".scroll")) {
    const columns = scroll.querySelectorAll("thead th").length;
    if (seen(scroll) && columns <= 9 && scroll.scrollWidth > scroll.clientWidth + 1) found.push(`a table of ${columns} columns is cut: ${scroll.scrollWidth} wide, seen are ${scroll.clientWidth}: ${scroll.textContent.slice(0, 40)}`);
  }
  for (const node of document.querySelectorAll("h1, h2, h3, p, dd, dt, figcaption, button, .readout, .pace")) {
    const box = seen(node);
    if (box && (box.right > innerWidth + 1 || box.left < -1) && !node.closest(".scroll")) found.push(`${node.tagName} "${node.textContent.slice(0, 30)}" sticks out`);
  }
  return found;
}

/** A page is opened once, on a phone in the dark, and then turned and widened: what fits only where it was drawn shows too. */
for (const file of task.pages) {
  const page = await open(`file://${file}`, { viewport: { width: 400, height: 900 }, colorScheme: "dark" });
  const [room, high] = await page.evaluate(() => {
    document.querySelectorAll("details").forEach((node) => { node.open ||= node.querySelector("table") !== null; }); // tables in them, too
    const before = document.body.scrollHeight;
    window.carom.figures.forEach((figure) => figure.show());
    return [before, document.body.scrollHeight];
  });
  check(high < 1.2 * room + 300, file, "has room for figures that are not drawn yet:", room, "of", high);
  for (const width of [400, 700, 800, 1400]) for (const colorScheme of ["dark", "light"]) await look(page, file, width, colorScheme);
  await look(page, file, 400, "light"); // and made narrower again
  const words = task.says[file.split("/").pop().split(".")[0]];
  if (words) check((await page.evaluate(() => document.body.innerText)).includes(words), file, "says", words);
  await page.close();
}

/** The window is made narrower while another file is shown: figures that were drawn wide must fit when they come back. */
const tabs = await open(`file://${task.tabs}`, { viewport: { width: 1400, height: 900 } });
await tabs.evaluate(() => window.carom.figures.forEach((figure) => figure.show()));
await tabs.evaluate(() => window.carom.show(1));
await tabs.setViewportSize({ width: 400, height: 900 });
await tabs.waitForTimeout(300);
await tabs.evaluate(() => window.carom.show(0));
await tabs.waitForFunction(() => window.carom.figures.some((figure) => figure.card.isConnected && figure.shown));
const sizes = await tabs.evaluate(() => window.carom.figures.filter((figure) => figure.card.isConnected && figure.shown).map((figure) => [figure.body.clientWidth, figure.body.querySelector("canvas")?.getBoundingClientRect().width ?? 0]));
check(sizes.length > 0 && sizes.every(([room, wide]) => wide > 0.5 * room && wide <= room + 1), "figures of the other file fit", sizes);
for (const what of await tabs.evaluate(trouble)) check(false, "tabs", what);
await tabs.close();
await browser.close();
end();

async function look(page, file, width, colorScheme) {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: 900 });
  await page.waitForTimeout(150);
  await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth + 1, null, { timeout: 5000 }).catch(() => {}); // long tables take a while
  for (const what of await page.evaluate(trouble)) check(false, file.split("/").pop(), width, colorScheme, what);
  check(true);
  if (width === 1400 && colorScheme === "light" && (await page.evaluate(() => window.carom.figures.length > 0))) {
    const drawings = await page.evaluate(() => Promise.all(window.carom.figures.map((figure) => figure.svg())));
    check(drawings.every((text) => /^<svg [^]*<\/svg>\s*$/.test(text) && !/NaN|undefined/.test(text.replace(/base64,[^"]*/g, ""))), file, "drawings"); // letters of a picture mean nothing
    check(await page.evaluate((list) => list.every((text) => new DOMParser().parseFromString(text, "image/svg+xml").querySelector("parsererror") === null), drawings), file, "drawings are XML");
  }
}
