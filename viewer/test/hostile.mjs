// A page of hostile and broken files: every tab opens, nothing runs, texts are shown as texts.
import { browser, check, end, open, task } from "./open.mjs";

const page = await open(`file://${task.page}`);
check((await page.title()) === task.markup, "the title is a text");
check((await page.textContent("#heading")) === task.markup, "the heading is a text");
check((await page.locator("pre.scene").first().textContent()).includes(task.markup), "the scene is a text");

for (let i = 0; i < task.files.length; i++) {
  await page.evaluate((k) => { window.carom.show(k); for (const figure of window.carom.figures) figure.show(); }, i);
  await page.waitForTimeout(60);
  const found = await page.evaluate(() => ({ hacked: window.hacked, bold: document.getElementById("bold") !== null, images: document.images.length,
    scripts: [...document.scripts].filter((s) => !s.type).length, file: document.getElementById("file").textContent, text: document.getElementById("content").textContent,
    figures: document.querySelectorAll("#content figure").length }));
  check(found.hacked === undefined && !found.bold && found.images === 0 && found.scripts === 1, task.files[i], "nothing of it runs", found);
  check(found.file === task.files[i], task.files[i], "is named", found.file);
  check(!/could not be (shown|drawn)/.test(found.text), task.files[i], "is shown", found.text.slice(0, 300));
  const expect = { "numbers.h5": /not finite/, "none.h5": /no samples/, "damaged.h5": /could not be read/, "verdicts.txt": /3 pass, 1 fail, 1[^]*Plane gl-reg closed[^]*T2: steps 1e-4[^]*Figure 2: cn order/, "sweep.h5": /10 values[^]*The same in all runs: velocity of the last body at the end 0\./, "compare.h5": /body12[^]*Differences of the motions/, "solid.h5": /no moving picture here[^]*sensortip xtip yhalf xhalf y/, "boxes.h5": /on one clock(?![^]*dashed circles)/, "crank.h5": /^(?![^]*one clock)[^]*coordinateangle of the crank/, "fit.h5": /start\.1\.velocity \(m\/s\)[^]*time_shift \(s\)[^]*Chi-square is \d[^]*degrees of freedom: if model and sigmas are right/ }[task.files[i]];
  if (expect) check(expect.test(found.text), task.files[i], "says what is wrong", found.text.slice(0, 400));
  const figures = { "table.csv": 1, "hostile.csv": 1, "sweep.h5": 4, "one.h5": 3, "compare.h5": 5, "solid.h5": 4, "fit.h5": 4, "discs.h5": 8, "spheres.h5": 8 }[task.files[i]];
  if (figures) check(found.figures >= figures, task.files[i], "has figures:", found.figures);
  const play = await page.evaluate(() => { window.carom.movie?.player.play(); return window.carom.movie !== null; });
  if (/numbers|discs|spheres/.test(task.files[i])) for (const part of [0.3, 0.5, 1]) { // over what is not a number
    await page.evaluate((k) => { const { clock } = window.carom.view; clock.set(k * (clock.run.rows - 1)); }, part);
    await page.waitForTimeout(60);
  }
  if (/numbers|discs|spheres/.test(task.files[i])) check(play, "numbers that are none do not cost the picture");
}
await page.close();

for (const [name, says] of [[task.cut, /damaged/], [task.nodata, /could not be opened/]]) {
  const broken = await open(`file://${name}`);
  check(says.test(await broken.textContent("#page")), name, "says that it is damaged");
  await broken.close();
}
await browser.close();
end();
