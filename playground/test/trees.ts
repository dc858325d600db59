// Prints the trees that the page's parser leads to, each behind a line with the file's name. Usage: node trees.mjs MODULE FILE...
import { readFileSync } from "node:fs";
import { Library } from "../page/library";

const [modulePath, ...files] = process.argv.slice(2);
const module = await WebAssembly.compile(readFileSync(modulePath));
for (const file of files) {
  const library = await Library.open(module);
  process.stdout.write(`== ${file}\n${library.tree(readFileSync(file))}`);
}
