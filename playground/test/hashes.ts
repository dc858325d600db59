// Runs scenes in the module and prints the hash of all recorded numbers of each, as tests/determinism/scenes.py does of
// run files. Usage: node hashes.mjs MODULE ROOT SCENE...
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Library, type Recorded } from "../page/library";

const GROUPS = ["particles", "observables", "events", "impacts"], RECORD = 5;

/** As HDF5 walks through groups. */
function order(a: string, b: string): number {
  const x = a.split("/"), y = b.split("/");
  for (let i = 0; i < Math.min(x.length, y.length); i++) if (x[i] !== y[i]) return x[i] < y[i] ? -1 : 1;
  return x.length - y.length;
}

function hash(recorded: Recorded[]): string {
  const first = new Map<number, Recorded>(); // of several paths the first counts
  for (const set of recorded.sort((a, b) => order(a.path, b.path))) if (!first.has(set.to)) first.set(set.to, set);
  const sha = createHash("sha256");
  for (const set of [...first.values()].sort((a, b) => (a.path < b.path ? -1 : 1)))
    if (set.type !== RECORD && GROUPS.includes(set.path.split("/")[0])) sha.update(set.path).update(set.bytes);
  return sha.digest("hex").slice(0, 16);
}

const [modulePath, root, ...scenes] = process.argv.slice(2);
const module = await WebAssembly.compile(readFileSync(modulePath));
const files: Record<string, Uint8Array> = {}; // that scenes name
for (const folder of new Set([...scenes.map(dirname), "scenes/meshes"]))
  for (const name of readdirSync(join(root, folder))) if (/\.(csv|msh)$/.test(name)) files[`${folder}/${name}`] = readFileSync(join(root, folder, name));
for (const scene of scenes) {
  const library = await Library.open(module, files), began = performance.now();
  const ending = library.run(scene, readFileSync(join(root, scene)));
  const seconds = (performance.now() - began) / 1000;
  console.log(scene, ending.status === 0 ? hash(library.recorded()) : `ends with ${ending.status}: ${ending.sentence}`);
  if (process.env.TIMES) console.error(scene, seconds.toFixed(3), library.steps);
}
