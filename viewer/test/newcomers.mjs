// What people met in their first hour. Task: chain (waves in contacts that stay closed), beads (of several materials), sweep (values of
// both signs), blows (a map of forces with fewer pixels than samples), compare (a die that turns), files (the same of run files), thrown (its path), hammer (balls on rods beside a solid), sensors.
import { at, changes, opened } from "./movie.mjs";
import { browser, check, end, open, task } from "./open.mjs";

const chain = await open(`file://${task.chain}`);
const dots = await chain.evaluate(() => {
  const { run } = window.carom.view, book = run.text.episodes, lines = window.carom.figures.find((f) => f.title.startsWith("Wave trains")).curves, count = {};
  for (const { y } of lines) for (const c of y) count[c] = (count[c] ?? 0) + 1;
  return { count, kept: book.kept, total: book.total, contacts: run.text.contacts };
});
check(dots.kept === dots.total && Object.keys(dots.count).length === dots.contacts, "every contact has its peaks", dots);
check(Object.values(dots.count).reduce((sum, n) => sum + n, 0) > 1.2 * dots.total, "a wave in a contact that is still closed has a dot of its own", dots);
await chain.close();

const beads = await opened(task.beads), rims = await beads.evaluate(() => Object.fromEntries(window.carom.view.run.shape.materials.map((name, i) => [name, window.carom.movie.rims[i]])));
const rgb = (colour) => [1, 3, 5].map((k) => parseInt(colour.slice(k, k + 2), 16)), vivid = (colour) => Math.max(...rgb(colour)) - Math.min(...rgb(colour));
check(new Set(Object.values(rims)).size === 4, "materials differ", rims);
check(vivid(rims.brass) > 100 && rgb(rims.brass)[0] > rgb(rims.brass)[1] && rgb(rims.brass)[1] > rgb(rims.brass)[2], "brass is golden", rims);
check(vivid(rims.nylon) < 50 && Math.min(...rgb(rims.nylon)) > 150 && rgb(rims.copper)[0] > 1.5 * rgb(rims.copper)[1], "nylon is nearly white, copper red", rims);
check(/Rims:\s*steel\s*brass\s*nylon\s*copper/.test(await beads.innerText("figure.movie")), "the legend has them all");
const said = await beads.evaluate(() => Array.from(document.querySelectorAll("tr")).map((row) => Array.from(row.cells).map((cell) => cell.textContent)).filter((row) => row.length === 5 && /^contact \d/.test(row[0])));
check(said.length === 3 && said.every(([place, , , width]) => Math.abs(parseFloat(width) * 1e-6 / task.widths[place] - 1) < 5e-4), "widths are those of carom pulse, to the four digits of the page", said, task.widths);
await beads.close();

const sweep = await open(`file://${task.sweep}`);
const colours = await sweep.evaluate(() => {
  window.carom.figures.forEach((figure) => figure.show());
  const map = window.carom.figures.find((f) => f.constructor.name !== "Plot" && f.values && f.axes && f.title.startsWith("Velocity of body 1")), canvas = map.picture(), context = canvas.getContext("2d");
  const { values, axes } = map, sharp = canvas.width / map.body.clientWidth, wide = map.body.clientWidth, [nx, ny] = axes.map((a) => a.values.length);
  const at = (k) => Array.from(context.getImageData(sharp * (64 + ((wide - 160) * (Math.floor(k / ny) + 0.5)) / nx), sharp * (286 - (276 * ((k % ny) + 0.5)) / ny), 1, 1).data);
  const list = Array.from(values);
  return { low: at(list.indexOf(Math.min(...list))), high: at(list.indexOf(Math.max(...list))), values: list };
});
check(Math.min(...colours.values) < 0 && Math.max(...colours.values) > 0 && colours.low[2] > colours.low[0] + 40 && colours.high[0] > colours.high[2] + 40, "values of both signs are blue and red", colours);
const words = await sweep.evaluate(() => window.carom.figures.flatMap((f) => (f.options ? [f.options.xLabel, f.options.yLabel, ...f.curves.map((c) => c.label)] : f.axes.map((a) => a.name))));
check(words.length > 0 && words.every((word) => !/[_.]\D|\D[_.]/.test(word)) && words.includes("velocity") && words.includes("mass") && words.includes("velocity = 0.5"), "axes and curves of a sweep are named in words", words);
await sweep.close();

/** Every blow of a map is seen, however many samples a pixel stands for: the largest force has its colour at all widths. */
const blows = await open(`file://${task.blows}`);
for (const width of [1200, 1163, 1117, 1081, 1039, 997]) {
  await blows.setViewportSize({ width, height: 860 });
  await blows.waitForTimeout(150);
  const seen = await blows.evaluate(() => {
    const map = window.carom.figures.find((f) => f.body.classList.contains("map") && /force/i.test(f.title));
    map.show();
    const canvas = map.picture(), sharp = canvas.width / map.body.clientWidth, wide = Math.round(sharp * (map.body.clientWidth - 64 - 92)), context = canvas.getContext("2d");
    const pixels = context.getImageData(Math.round(64 * sharp), 0, wide, canvas.height).data;
    let brightest = 0;
    for (let i = 0; i < pixels.length; i += 4) brightest += pixels[i] === 253 && pixels[i + 1] === 231 && pixels[i + 2] === 37 ? 1 : 0;
    return { title: map.title, wide, samples: window.carom.view.run.rows, brightest };
  });
  check(seen.samples > 2 * seen.wide && seen.brightest > 0, width, "the map shows the largest force", seen);
}
await blows.close();

const compare = await open(`file://${task.compare}`);
await compare.evaluate(() => window.carom.figures[0].show());
const die = await compare.evaluate(() => { const { of, pieces, notes } = window.carom.figures[0], n = of.time.length; return { corners: pieces.get(1)?.[0].length, turns: [n - 1, 2 * n - 1].map((row) => of.turn[row * of.bodies + 1]), note: notes.textContent, text: document.body.innerText }; });
check(die.corners === 4 && die.turns.every((angle) => Math.abs(angle) > 0.3) && !/dashed/.test(die.note), "a die turns in a comparison", die);
check(/die x/.test(await compare.evaluate(() => document.body.textContent)), "and has its name");
const shot = async (row) => { await compare.evaluate((r) => window.carom.figures[0].at(r), row); return (await compare.locator("figure.movie canvas").screenshot()).toString("base64"); };
check((await shot(0)) !== (await shot(60)), "its picture moves");
await compare.close();

const files = await open(`file://${task.files}`);
await files.evaluate(() => window.carom.figures[0].show());
const floor = await files.evaluate(() => {
  const figure = window.carom.figures[0], { of, pieces, notes } = figure, canvas = figure.picture(), n = of.time.length;
  const dark = (y) => { const row = canvas.getContext("2d").getImageData(0, y, canvas.width, 1).data; let count = 0; for (let i = 0; i < row.length; i += 4) count += row[i] + row[i + 1] + row[i + 2] < 300 ? 1 : 0; return count / canvas.width; };
  return { corners: pieces.get(1)?.[0].length, turns: [n - 1, 2 * n - 1].map((row) => of.turn[row * of.bodies + 1]), note: notes.textContent, line: Math.max(...Array.from({ length: canvas.height }, (_, y) => dark(y))) };
});
check(floor.corners === 4 && floor.turns.every((angle) => Math.abs(angle) > 0.3) && !/dashed/.test(floor.note), "the same of run files", floor);
check(floor.line > 0.8, "a floor lies under it", floor);
await files.close();

const thrown = await opened(task.thrown), drawn = async (page) => page.evaluate(async () => {
  const text = await window.carom.movie.svg(), parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  return { pictures: parsed.querySelectorAll("image, parsererror").length, paths: parsed.querySelectorAll("path").length, words: parsed.documentElement.textContent };
});
const dieDrawn = await drawn(thrown);
check(dieDrawn.pictures === 0 && dieDrawn.paths >= 3, "a moving picture is saved as lines", dieDrawn);
await changes(thrown, "leaving paths out", () => thrown.click("button:text-is('paths')"));
await thrown.close();

const lands = await opened(task.lands);
const fast = await lands.evaluate(() => { const { movie, view: { run } } = window.carom; return { label: movie.look.label, high: movie.look.high, largest: run.item("particles/bodies/velocity").largest, rows: run.rows, whole: run.item("particles/bodies/velocity").whole }; });
check(fast.label === "speed" && fast.whole && fast.rows > 600 && Math.abs(fast.high / fast.largest - 1) < 1e-5, "colours go up to the largest speed that the head tells", fast);
await lands.close();

const hammer = await opened(task.hammer);
const held = await hammer.evaluate(() => { const { movie, view: { run } } = window.carom; return { kinds: movie.balls.joints.map((joint) => joint.kind).join(), label: run.item("particles/balls/displacement").label(0), contact: run.contactName(0), told: movie.told.textContent, high: movie.high[1] }; });
check(held.kinds === "distance,distance,slider" && held.high > 0.47, "rods and rails are in the picture", held);
check(held.label === "hammer x" && /hammer/.test(held.contact), "balls have the names of the scene", held);
check(/^displacements: cells × \d+, balls × \d+$/.test(held.told), "the picture tells both magnifications", held);
await at(hammer, 0.5);
await changes(hammer, "leaving rods out", () => hammer.evaluate(() => { window.carom.movie.balls.marks.mesh.clear(); window.carom.movie.frame(); }));
await hammer.close();

const sensors = await open(`file://${task.sensors}`);
const plot = await sensors.evaluate(() => window.carom.figures.filter((f) => /sensor/.test(f.title)).map((f) => `${f.title}: ${f.curves.map((c) => c.label).join()}`).join());
check(plot === "Forces at sensors: s8,s16,wall,wall before its filter", "sensors stand side by side, with their names", plot);
await sensors.close();

const cradle = await open(`file://${task.cradle}`);
const written = await cradle.evaluate(() => {
  const words = [], write = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...at) { words.push(text); write.call(this, text, ...at); };
  window.carom.movie.frame();
  CanvasRenderingContext2D.prototype.fillText = write;
  return words;
});
const scale = written.slice(written.indexOf("force (N)") + 1).filter((word) => /\d/.test(word)).slice(0, 3).join();
check(scale === "−400,0,400", "forces of both signs have a scale", written);
await cradle.close();
await browser.close();
end();
