// Pages of several solids. Task: three (two solids and a sphere), cells (how many each has), torn (a bar that breaks), broken (links
// that are broken in each sample), area (of the crack, in each sample).
import { at, changes, choose, opened } from "./movie.mjs";
import { browser, check, end, task } from "./open.mjs";

const page = await opened(task.three);
const facts = await page.innerText(".facts dl");
check(facts.includes(`upper: ${task.cells.upper} cells, lower: ${task.cells.lower} cells, 1 ball`), "solids by name and number of cells", facts);
const solids = await page.evaluate(() => window.carom.movie.solids.map((s) => ({ name: s.name, seen: s.seen, inside: s.text.inside, touch: s.touch })));
check(solids.map((s) => s.name).join() === "upper,lower" && solids.every((s) => s.inside && s.seen === task.cells[s.name]), "both are drawn, with what is inside", solids);
check(solids[0].touch[2] < -1e-3 && solids[1].touch.every((x) => Math.abs(x) < 1e-4), "displacements count from the first touch", solids);
await changes(page, "time", () => at(page, 0.9));
const fields = await page.locator("figure.movie label", { hasText: "colour" }).locator("option").allTextContents();
check(["stress: von Mises", "stress: largest principal", "stress: smallest principal", "velocity: magnitude"].every((word) => fields.includes(word)) && new Set(fields).size === fields.length, "fields", fields);
await changes(page, "colour", () => choose(page, "colour", { label: "velocity: magnitude" }));
await changes(page, "a cut", () => choose(page, "cut", "y"));
check(!/shell/.test(await page.innerText("figure.movie .knife")), "what is inside is seen at the cut");
await changes(page, "where it is cut", () => page.locator("figure.movie .knife input").fill("0.3"));
await changes(page, "no cut", () => choose(page, "cut", ""));
const names = await page.evaluate(() => {
  window.carom.figures.forEach((figure) => figure.show());
  const { run } = window.carom.view;
  return { titles: window.carom.figures.map((f) => f.title), labels: run.items.filter((i) => i.width > 0).map((i) => i.label(0)), contacts: [...Array(run.text.contacts).keys()].map((j) => run.contactName(j)) };
});
check(["Displacement of upper", "Displacement of lower", "Stress of upper", "Displacement of balls", "Displacement at sensors", "Forces at clamps and drives"].every((title) => names.titles.includes(title)), "titles", names.titles);
check(["upper cell 1 x", "lower cell 1 x", "edge x", "clamp 1 of lower x", "ball 1 x"].every((label) => names.labels.includes(label)) && !names.labels.some((label) => /bead/.test(label)), "curves by name", names.labels);
check(names.contacts.join() === "upper–ball 1,lower–ball 1,upper–lower", "contacts by name", names.contacts);
await page.close();

const torn = await opened(task.torn);
await at(torn, 1);
const seen = await torn.evaluate(() => { const [solid] = window.carom.movie.solids, since = [...solid.cracks()].map((face) => face.since); return Array.from({ length: window.carom.view.run.rows }, (_, row) => since.filter((k) => k <= row).length); });
check(seen.join() === task.broken.join(), "as many cracks as broken links, in every sample", seen, task.broken);
await changes(torn, "cracks", () => torn.locator("figure.movie").getByText("cracks", { exact: true }).click());
const area = await torn.evaluate(() => window.carom.figures.find((f) => f.title === "Area of cracks").csv().trim().split("\n").slice(1).map((line) => Number(line.split(",")[1])));
check(area.length === task.area.length && area.every((value, i) => value === task.area[i]) && area.at(-1) > 0, "the area of the crack is plotted", area.at(-1), task.area.at(-1));
await torn.close();

for (const width of [400, 800, 1400]) {
  const screen = await opened(task.three, { viewport: { width, height: 800 } });
  const wide = await screen.evaluate(() => { window.carom.figures.forEach((figure) => figure.show()); return document.documentElement.scrollWidth; });
  check(wide <= width, width, "pixels are enough", wide);
  const [bar, canvas] = await Promise.all([".colourbar", "canvas"].map((what) => screen.locator(`figure.movie ${what}`).first().boundingBox()));
  check(bar.y >= canvas.y + canvas.height - 1, width, "colours stand below the picture", bar, canvas);
  await screen.close();
}
await browser.close();
end();
