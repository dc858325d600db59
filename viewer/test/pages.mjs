// Pages of runs: numbers, moving picture, zoom, saving. Task: pages (file, title, values), brief (numbers and play only),
// pictures (numbers, and that each has a moving picture).
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { browser, check, end, open, task } from "./open.mjs";

for (const { file, title, values } of task.pages) {
  const name = file.split("/").pop(), page = await open(`file://${file}`);
  check((await page.textContent("#heading")) === (title || name.replace(".html", ".h5")), name, "title");
  await numbers(page, name, values);
  check((await page.evaluate(() => document.querySelectorAll(".note").length)) === 0, name, "has notes of trouble");

  if (task.pictures) {
    await page.waitForFunction(() => document.querySelector("figure.movie canvas")?.width > 10).catch(() => check(false, name, "has no moving picture"));
    const seen = new Set();
    for (const part of [0, 0.13, 0.37, 0.71]) seen.add(await lookAt(page, part));
    check(seen.size > 2, name, "the picture moves");
  } else if (await page.evaluate(() => window.carom.movie !== null && window.carom.view.run.rows > 2)) {
    await page.locator("figure.movie").scrollIntoViewIfNeeded();
    await page.waitForFunction(() => document.querySelector("figure.movie canvas")?.width > 10);
    const look = () => picture(page);
    const before = await look(), row = await page.evaluate(() => window.carom.view.clock.row);
    await page.locator("figure.movie").focus();
    await page.keyboard.press("Space");
    await page.waitForFunction((from) => Math.abs(window.carom.view.clock.row - from) > window.carom.view.run.rows / 40, row);
    await page.keyboard.press("Space");
    const paused = await page.evaluate(() => window.carom.view.clock.row);
    const after = await look();
    await page.waitForTimeout(120);
    check((await page.evaluate(() => window.carom.view.clock.row)) === paused, name, "pausing holds the picture");
    await page.evaluate(() => { const slider = document.querySelector(".player input[type=range]"); slider.value = slider.max; slider.dispatchEvent(new Event("input")); });
    await page.waitForFunction(() => window.carom.view.clock.row >= window.carom.view.run.rows - window.carom.movie.player.tall);
    await page.waitForTimeout(60);
    // some scenes stand still for a while, so later moments count too
    check(after !== before || (task.brief && ((await look()) !== before || (await lookAt(page, 0.37)) !== before)), name, "playing changes the picture");
  } else check(/sensor/.test(values.map((v) => v[0]).join()) || values.length < 40, name, "has no moving picture");

  if (!task.brief) {
    await zoomPlot(page, name);
    await save(page, name);
    await light(page, name);
  }
  await page.close();
}
await browser.close();
end();

/** Those of the run file: to the bit or, where the page says that an item was too large, rounded once or left out. */
async function numbers(page, name, values) {
  const got = await page.evaluate((list) => list.map(([path, row, column]) => {
    const { run } = window.carom.view, item = run.item(path), said = [...document.querySelectorAll(".reduced")].some((node) => node.textContent.includes(item.note));
    return { value: item.value(row, column), exact: item.exact, whole: item.whole, here: item.columns().includes(column), said };
  }), values);
  values.forEach(([path, row, column, value], i) => {
    const { exact, whole, here, said } = got[i], wanted = exact ? value : whole || here ? Math.fround(value) : NaN;
    check(Object.is(got[i].value, wanted) || got[i].value === wanted, name, path, row, column, got[i].value, value);
    check(exact || said || /\/(position|rotation|strain)$|cells\/spin$/.test(path), name, path, "is reduced, and nobody says so");
  });
}

async function picture(page) {
  return createHash("sha256").update(await page.locator("figure.movie canvas").first().screenshot()).digest("hex");
}

async function lookAt(page, part) {
  await page.evaluate((k) => { const { clock } = window.carom.view; clock.set(Math.floor(k * clock.run.rows)); }, part);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  return picture(page);
}

async function zoomPlot(page, name) {
  const over = page.locator(".u-over").first();
  await page.evaluate(() => window.carom.figures.forEach((figure) => figure.show())); // plots further down are drawn when they come near
  await over.scrollIntoViewIfNeeded();
  const plot = "window.carom.figures.find((f) => f.card.querySelector('.u-over'))";
  const box = await over.boundingBox(), all = await page.evaluate(`${plot}.range()`);
  await page.mouse.move(box.x + box.width * 0.3, box.y + box.height * 0.5);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + box.height * 0.52, { steps: 4 });
  await page.mouse.up();
  const part = await page.evaluate(`${plot}.range()`), share = (part[1] - part[0]) / (all[1] - all[0]);
  check(Math.abs(share - 0.3) < 0.03, name, "zooms to three tenths", share);
  check(Math.abs((part[0] - all[0]) / (all[1] - all[0]) - 0.3) < 0.03, name, "zooms to where it was dragged", part, all);
  await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2);
  await page.waitForFunction(([p, w]) => { const r = eval(p).range(); return Math.abs(r[1] - r[0] - w) < 1e-9 * w; }, [plot, all[1] - all[0]]).catch(() => check(false, name, "does not zoom out"));
  // hovering moves the time of all figures
  await page.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.5);
  await page.waitForTimeout(80);
  const time = await page.evaluate(() => window.carom.view.clock.time);
  check(Math.abs((time - all[0]) / (all[1] - all[0]) - 0.5) < 0.05, name, "hovering moves the time", time, all);
  // the logarithmic axis by its key
  await page.evaluate(`${plot}.card.focus()`);
  await page.keyboard.press("l");
  check((await page.evaluate(`${plot}.card.querySelector('[data-axis=logY]').getAttribute('aria-pressed')`)) === "true", name, "key l");
  await page.keyboard.press("l");
}

async function save(page, name) {
  const count = await page.evaluate(() => window.carom.figures.length);
  check(count > 2, name, "has", count, "figures");
  for (let i = 0; i < count; i++) {
    const { csv, width } = await page.evaluate(async (k) => {
      const figure = window.carom.figures[k];
      return { csv: figure.csv().slice(0, 400), width: (await figure.picture()).width };
    }, i);
    check(csv.split("\n").length > 2 && width > 100, name, "figure", i, "can be taken along", width, csv.slice(0, 60));
  }
  const figure = page.locator("figure").first();
  for (const [label, begins] of [["CSV", /^[\w, ]/], ["PNG", /^\x89PNG/], ["SVG", /^<svg/]]) {
    const [download] = await Promise.all([page.waitForEvent("download"), figure.getByText(label, { exact: true }).click()]);
    check(begins.test(readFileSync(await download.path(), "latin1").slice(0, 8)), name, label, "is saved");
  }
}

async function light(page, name) {
  const colour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const before = await colour();
  await page.keyboard.press("d");
  check((await colour()) !== before, name, "key d turns the lights off");
}
