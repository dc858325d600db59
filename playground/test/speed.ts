// How fast the module steps beside the program: processor seconds of the same scene in both, one thread each, the smaller of three
// runs. Usage: node speed.mjs MODULE PROGRAM ROOT SCENE...
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Library } from "../page/library";

const [modulePath, program, root, ...scenes] = process.argv.slice(2);
const module = await WebAssembly.compile(readFileSync(modulePath));

async function inModule(scene: string): Promise<number> {
  const library = await Library.open(module), before = process.cpuUsage();
  const ending = library.run(scene, readFileSync(join(root, scene))), used = process.cpuUsage(before);
  if (ending.status !== 0) throw new Error(ending.sentence);
  return (used.user + used.system) / 1e6;
}

function native(scene: string): number {
  const done = spawnSync("bash", ["-c", `TIMEFORMAT=%U+%S; time ${program} run --quiet --threads 1 ${join(root, scene)} -o /tmp/speed.$$.h5; rm -f /tmp/speed.$$.h5`], { encoding: "utf8" });
  const [user, system] = done.stderr.trim().split("+").map(Number);
  return user + system;
}

for (const scene of scenes) {
  let here = Infinity, there = Infinity;
  for (let i = 0; i < 3; i++) {
    here = Math.min(here, await inModule(scene));
    there = Math.min(there, native(scene));
  }
  console.log(`${scene}: module ${here.toFixed(2)} s, program ${there.toFixed(2)} s, ${Math.round((100 * there) / here)} %`);
}
