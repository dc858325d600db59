// Pages of bodies in plane and space. Task: plane, space, few (pages of runs with few probes), boxes (of
// runs of boxes alone), joints (of bodies that are held), struck (a solid and a ball), front (of a chain whose last contacts
// hardly close), many (some ten thousand spheres), linked and thrown (a box as one mechanism, in plane and
// space), late (of a run whose first sample comes
// late).
import { readFileSync } from "node:fs";
import { at, changes, choose, opened, settled } from "./movie.mjs";
import { browser, check, end, open, task } from "./open.mjs";

for (const name of ["plane", "space"]) {
  const page = await opened(task[name]);
  await changes(page, `${name}: time`, () => at(page, 0.9));
  const fields = await page.locator("figure.movie label", { hasText: "colour" }).locator("option").allTextContents();
  check(["speed", "velocity x", "force: sum of its contacts", "number of contacts", "stress: pressure", "stress xy"].every((word) => fields.includes(word)) && fields.some((word) => word.startsWith("spin")), name, "fields", fields);
  await changes(page, `${name}: colour`, () => choose(page, "colour", { label: "radius" }));
  await changes(page, `${name}: force chains`, () => page.getByText("force chains", { exact: true }).click());
  await page.locator("figure.movie").focus();
  await changes(page, `${name}: key +`, () => page.keyboard.press("+"));
  const box = await page.locator("figure.movie canvas").first().boundingBox();
  await changes(page, `${name}: dragging`, async () => {
    await page.mouse.move(box.x + 300, box.y + 150);
    await page.mouse.down();
    await page.mouse.move(box.x + 380, box.y + 180, { steps: 3 });
    await page.mouse.up();
  });
  if (name === "space") await changes(page, "a cut", () => choose(page, "cut", "y"));
  await page.evaluate(() => window.carom.figures.forEach((figure) => figure.show()));
  const text = await page.textContent("#content"), bars = await page.evaluate(() => window.carom.figures.find((f) => f.title === "Contact forces at this moment").table().rows);
  check(/Number of contacts/.test(text) && /Largest contact force/.test(text) && /come and go/.test(text), name, "has its plots");
  const names = await page.evaluate(() => { const { run } = window.carom.view, item = run.item("particles/bodies/velocity"), d = item.depth; return [item.label(0), item.label(14 * d), run.pairName([3, 15], 0)].join(); });
  check(names === "body 1 (grains) x,bin x,3–bin", name, "bodies have the names of the scene", names);
  const now = await page.evaluate(() => window.carom.view.clock.row / window.carom.view.run.text.touches.tall);
  const counts = await page.evaluate(() => window.carom.figures.find((f) => f.title === "Number of contacts").csv().trim().split("\n").slice(1).map((line) => Number(line.split(",")[1])));
  if (name === "plane") {
    const pointing = await page.evaluate(() => [...window.carom.figures.find((f) => f.title === "Directions of contacts at this moment").table().rows]);
    check(pointing.length === 18 && pointing.reduce((sum, row) => sum + row[1], 0) === counts[now], "every contact points somewhere", pointing);
  }
  const figure = page.locator('figure[aria-label^="Coarse-grained"]'), shot = async () => { await settled(page); return (await figure.locator("canvas").screenshot()).toString("base64"); }, first = await shot();
  const layers = await figure.locator("label", { hasText: "show" }).locator("option").allTextContents();
  check(["pressure", "stress xx", "filled fraction", "density", "speed"].every((word) => layers.includes(word)), name, "layers", layers);
  await figure.locator("label", { hasText: "show" }).locator("select").selectOption({ label: "density" });
  check((await shot()) !== first, name, "another field is another map");
  const mass = await page.evaluate(() => {
    const { axes } = window.carom.view.run.text.fields, { rows } = window.carom.figures.find((f) => f.title === "Coarse-grained fields at this moment").table();
    return [...rows].reduce((sum, row) => sum + row[2], 0) * axes[0].cell * axes[1].cell;
  });
  check(name === "space" ? mass > 1 : Math.abs(mass - 14) < 0.01, name, "the map of the plane has the mass of all discs", mass);
  const told = await page.evaluate(() => ["Coordination", "Fabric"].map((title) => window.carom.figures.find((f) => f.title === title).csv().trim().split("\n").slice(1).map((line) => line.split(",")[1]).filter((cell) => cell !== "").map(Number)));
  const recorded = await page.evaluate(() => { const { rows } = window.carom.view.run; return Array.from({ length: rows }, (_, i) => [window.carom.value("observables/region/coordination", i, 0), window.carom.value("observables/region/fabric", i, 0)]); });
  const gaps = await page.evaluate(() => window.carom.figures.find((f) => f.title === "Fabric").csv().trim().split("\n").slice(1).filter((line) => line.split(",")[1] === "").length);
  check(gaps === counts.filter((n) => n === 0).length && gaps > 0, name, "the fabric of no contacts is a gap", gaps);
  check(told[0].every((v, i) => v === recorded[i][0]) && told[1].join() === recorded.filter(([touching]) => touching > 0).map(([, fabric]) => fabric).join(), name, "coordination and fabric are those that were recorded");
  const pulling = Number(/(\d+) of them pulling/.exec(text)?.[1] ?? 0);
  check(counts[now] > 2 && bars.reduce((sum, bar) => sum + bar[2], 0) + pulling === counts[now], name, "the histogram has all contacts", bars, counts[now]);
  await page.close();
}

for (const file of task.boxes) {
  const page = await opened(file), facts = await page.innerText(".facts");
  check(/The balance closes to rounding/.test(facts) && /unaccounted for \(residual\)\s+rounding/.test(facts), file, "what is rounding is called so", facts);
  const [room, taken] = await page.evaluate(() => {
    const { movie, view: { run } } = window.carom, x = Array.from({ length: run.rows }, (_, i) => window.carom.value("particles/bodies/position", i, run.shape.dimension));
    return [movie.bodies.bounds().map((corner) => corner[0]), [Math.min(...x) - 0.5, Math.max(...x) + 0.5]];
  });
  check(taken[1] > 10 && room[0] <= taken[0] + 1e-6 && room[1] >= taken[1] - 1e-6, file, "the picture holds the boxes all the time", room, taken);
  await at(page, 0.5);
  await changes(page, `${file}: colours of boxes`, () => choose(page, "colour", { label: "velocity x" }));
  await changes(page, `${file}: force chains of boxes`, () => page.getByText("force chains", { exact: true }).click());
  const fastest = Number((await page.textContent("figure.movie .colourbar b:last-child")).trim()), titles = await page.evaluate(() => window.carom.figures.map((figure) => figure.title));
  check(fastest > 3.9 && fastest < 4.1, file, "colours go as far as boxes are fast", fastest);
  const said = await page.evaluate(() => ({ head: [...document.querySelectorAll("section th")].map((th) => th.textContent), events: window.carom.figures.find((f) => f.title === "Events").options, chosen: window.carom.view.histories[0].plot.curves.map((curve) => curve.label) }));
  const start = await page.evaluate(async () => { window.carom.view.clock.set(0); await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))); const by = (title) => window.carom.figures.find((f) => f.title === title); by("Contact forces at this moment").show(); return { number: by("Number of contacts").csv().split("\n")[1], says: by("Contact forces at this moment").card.textContent }; });
  check(Number(start.number.split(",")[1]) > 0 && /known from the first step on/.test(start.says), file, "boxes that rest on each other are not said to be apart at the start", start);
  check(!said.head.includes("overlap") && !said.head.includes("peak force"), file, "columns that say nothing are left out", said.head);
  check(said.events.yLabel === "bodies" && said.events.rows?.includes("2–3"), file, "events stand by the pairs of bodies", said.events);
  check(said.chosen.length > 0 && said.chosen.every((label) => !label.startsWith("body 1 ")), file, "a wall has no history at first", said.chosen);
  check(titles.includes("Largest contact force, mean of a step"), file, "forces that are impulses over steps are called so", titles);
  const filled = await page.evaluate(() => { const map = window.carom.figures.find((f) => f.title.startsWith("Coarse-grained")), i = map.layers.findIndex((layer) => layer.label === "density"); map.layer = map.layers[i]; return [...map.table().rows].reduce((sum, row) => sum + row[2], 0) * map.axes[0].cell * map.axes[1].cell; });
  check(file.endsWith("2.html") ? Math.abs(filled - 2) < 0.01 : filled > 0, file, "boxes have fields", filled);
  check(titles.includes("Coordination") && !/Spokes|sphere/.test(await page.textContent("figure.movie")), file, "boxes have a coordination, and nothing is said of discs and spheres", titles);
  await page.close();
}

for (const file of task.joints) {
  const page = await opened(file);
  const { kinds, apart, moved } = await page.evaluate(() => {
    const { movie: { bodies }, view: { run } } = window.carom, places = new Float32Array(3 * bodies.n), last = run.rows - 1;
    bodies.places(last, places);
    const held = bodies.joints.map((joint) => bodies.held(last, joint, places)), way = ([a, b]) => Math.hypot(...a.map((x, k) => x - b[k]));
    return { kinds: bodies.joints.map((joint) => joint.kind), apart: held.map(({ points }) => way(points)), moved: held.map(({ points }, i) => way([points[1], [i, 0, 0]])) };
  });
  check(kinds.join() === `hinge,${file.endsWith("2.html") ? "hinge" : "ball"},slider,weld,distance`, file, kinds);
  check(apart.every((x, i) => (i === 2 ? x < 0.21 : Math.abs(x - (i === 4 ? 0.4 : 0)) < 0.01)), file, "joints are where they hold", apart);
  check(moved[0] < 0.01 && moved.slice(1).every((x) => x > 0.5), file, "and go with their bodies", moved);
  const without = async () => { await page.evaluate(() => { window.carom.movie.bodies.joints.length = 0; window.carom.movie.joints?.mesh?.clear(); window.carom.movie.frame(); }); };
  await at(page, 0.5);
  await changes(page, `${file}: leaving joints out`, without);
  await page.close();
}

const struck = await opened(task.struck);
const ball = await struck.evaluate(() => {
  const { movie: { balls }, view: { run } } = window.carom, u = (row) => window.carom.value("particles/balls/displacement", row, 2);
  const touch = run.rowAt(run.events().time[0]), last = run.rows - 1, place = (row, k) => balls.place(row, 0, k)[2];
  return { plain: [0, touch, last].map((row) => place(row, 1) - 2.1 - u(row)), touch: place(touch, 100) - place(touch, 1), last: (place(last, 10) - place(touch, 1)) / (u(last) - u(touch)),
    fastest: Math.max(...Array.from({ length: run.rows }, (_, row) => Math.abs(window.carom.value("particles/balls/velocity", row, 2)))) };
});
check(ball.plain.every((x) => Math.abs(x) < 1e-12) && Math.abs(ball.touch) < 1e-12 && Math.abs(ball.last - 10) < 1e-9, "a ball is where it was recorded, magnified from where it touches", ball);
const facts = await struck.innerText(".facts dl");
check(/\b1 ball\b/.test(facts) && Math.abs(/largest sampled speed\s+([\d.]+)/.exec(facts)?.[1] - ball.fastest) < 1e-3, "balls count among bodies and speeds", facts, ball.fastest);
check((await struck.evaluate(() => window.carom.movie.nodes?.count)) === 50, "cells of a plate share their corners where no rotations were recorded"); // 5 x 5 above and below
await changes(struck, "a ball that falls", () => at(struck, 0.9));
await struck.locator("figure.movie .player select").selectOption("4");
const [video] = await Promise.all([struck.waitForEvent("download"), struck.locator("figure.movie").getByText("video", { exact: true }).click()]);
check(readFileSync(await video.path()).subarray(0, 4).toString("hex") === "1a45dfa3", "a solid is saved as a video");
await struck.close();

const front = await open(`file://${task.front}`);
const [impacts, closed, peaks] = await front.evaluate(() => {
  const section = [...document.querySelectorAll("section")].find((node) => node.querySelector("h2")?.textContent === "Strongest impacts");
  return [[...section.querySelectorAll("tbody tr")].map((row) => row.cells[4].textContent), window.carom.view.run.text.episodes.total, section.querySelector("p").textContent];
});
check(impacts.length > 3 && impacts.length < Math.min(closed, 12) && impacts.every((force) => !/10⁻(1\d|[2-9]\d|\d{3})/.test(force)), "forces that are rounding are left out", impacts, closed);
check(peaks.startsWith(`The ${impacts.length} strongest of ${closed} impacts, `), "the table says how many it has", peaks);
await front.close();

for (const file of task.few) {
  const page = await opened(file);
  check(!/could not be/.test(await page.textContent("#content")), file, "few probes are no trouble");
  const frames = await page.evaluate(() => window.carom.view.run.text.fields?.frames ?? 0);
  check(frames === 0 || frames > 20, file, "maps of fields move, be contacts recorded or not", frames);
  await page.close();
}

const blind = await browser.newContext();
await blind.addInitScript(() => {
  const get = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return /webgl/.test(kind) ? null : get.call(this, kind, ...rest); };
});
const plain = await blind.newPage();
await plain.goto(`file://${task.space}`);
await plain.locator("figure.movie").scrollIntoViewIfNeeded();
await plain.waitForFunction(() => /draws no WebGL/.test(document.querySelector("figure.movie").textContent)).catch(() => check(false, "without WebGL a sentence says so"));
check((await plain.locator("figure").count()) > 4, "the plots are there without WebGL");
await blind.close();

const many = await opened(task.many, { viewport: { width: 420, height: 420 } }); // few pixels: the script is measured, not the processor that draws
await many.evaluate(() => window.carom.movie.frame());
const { spent, draws, spheres } = await many.evaluate(() => {
  const times = [], drawn = [];
  for (const name of ["drawElements", "drawArrays", "drawElementsInstanced", "drawArraysInstanced"]) {
    const made = WebGL2RenderingContext.prototype[name];
    WebGL2RenderingContext.prototype[name] = function (...given) { drawn.push(given[given.length - 1]); return made.apply(this, given); };
  }
  for (let i = 0; i < 5; i++) { const from = performance.now(); window.carom.movie.frame(); times.push(performance.now() - from); }
  return { spent: times.sort((a, b) => a - b)[2], draws: drawn.length / 5, spheres: drawn[0] };
});
console.log(`${spheres} spheres: ${spent.toFixed(1)} ms of script a picture`);
check(draws === 1 && spheres === 12501, "all spheres are one draw", draws, spheres);
check(spent < 60, spheres, "spheres take", spent, "ms a picture"); // 1e5 of them take 2 to 5 once the browser has compiled it
await many.close();
const linked = await opened(task.linked);
await changes(linked, "a box as one mechanism: time", () => at(linked, 0.9));
const coordinates = await linked.evaluate(() => { const item = window.carom.view.run.item("particles/mechanism/displacement"); return [item.shownUnit, ...item.columns().map((c) => item.label(c))].join(); });
check(coordinates === "m, rad,die x,die y,die angle", "coordinates of a box have its name", coordinates);
const places = await linked.evaluate(() => { const { run } = window.carom.view; return Array.from({ length: run.text.contacts }, (_, j) => run.contactName(j)).join(); });
check(/^1 \((floor and die|die and floor), corner 1\),2 \(/.test(places), "contacts tell of whom they are", places);
const caption = await linked.innerText("figure.movie");
check(/speed \(m\/s\)/.test(caption) && !/radius|not recorded/.test(caption), "a box has a speed and no radius", caption);
await linked.close();

const thrown = await opened(task.thrown);
const said = await thrown.evaluate(() => ["displacement", "velocity"].map((name) => { const item = window.carom.view.run.item(`particles/mechanism/${name}`); return item.columns().map((c) => item.label(c)).join(); }).join("; "));
check(said === "die x,die y,die z,die turn w,die turn x,die turn y,die turn z; die x,die y,die z,die spin x,die spin y,die spin z", "coordinates of a box in space have names", said);
const plotted = await thrown.evaluate(() => window.carom.view.histories.map((h) => `${h.plot.title} ${h.plot.options.yUnit}`).join());
check(/^Displacement m,Velocity m\/s,Spin rad\/s/.test(plotted) && !/Contact force/.test(plotted), "turns are no lengths, and forces that are 0 are not plotted", plotted);
check(/\(die and bin, wall -z, corner \d\)/.test(await thrown.innerText("main")), "impacts name the wall");
check(/speed \(m\/s\)/.test(await thrown.innerText("figure.movie")), "a box in space has colours with a bar");
await thrown.close();

const late = await opened(task.late), told = await late.innerText(".facts"), share = (name) => Number(told.match(new RegExp(`${name}\\)\\s+\\S+\\s+([0-9.]+) %`))?.[1]);
const parts = await late.evaluate(() => ["kinetic", "dissipated"].map((name) => window.carom.view.run.item(`observables/ledger/${name}`).line(0).y.at(-1) / 0.5)); // it starts with 1/2 1 1^2
check(Math.abs(share("kinetic") - 100 * parts[0]) < 0.1 && Math.abs(share("dissipated") - 100 * parts[1]) < 0.1, "parts are of the start, not of the first sample", told, parts);
check(/largest sampled speed from 4 on/.test(told), "which speeds are looked at", told);
await late.close();
await browser.close();
end();
