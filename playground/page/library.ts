// The library behind a few calls. An instance is made for every question, so that its memory goes with it.
import { Files } from "./files";
import { events } from "./yaml";

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  room(bytes: number): number;
  sentence(): number;
  check(name: number, text: number, length: number): number;
  run(name: number, text: number, length: number, csv: number): number;
  steps(): number;
  report(output: number, room: number): number;
  tree(text: number, length: number): number;
  objects(): number;
  object(i: number, about: number): number;
}

/** How a question ended: 0 is well, else the program's exit code and its sentence. */
export interface Ending { status: number; sentence: string }

/** A set of numbers that a run recorded; `to` tells sets apart that have several paths. */
export interface Recorded { path: string; type: number; to: number; bytes: Uint8Array }

export class Library {
  private readonly files = new Files();
  private exports!: Exports;

  private constructor(private readonly progress: (phase: string, done: number) => void) {}

  static async open(module: WebAssembly.Module, files: Record<string, Uint8Array> = {}, progress: (phase: string, done: number) => void = () => {}): Promise<Library> {
    const library = new Library(progress);
    for (const [name, bytes] of Object.entries(files)) library.files.put(name, bytes);
    const page = {
      events: (text: number, length: number, words: number) => library.events(text, length, words),
      progress: (phase: number, done: number) => library.progress(library.text(phase), done),
    };
    const instance = await WebAssembly.instantiate(module, { page, wasi_snapshot_preview1: library.files.imports() });
    library.exports = instance.exports as unknown as Exports;
    library.files.memory = library.exports.memory;
    library.exports._initialize();
    return library;
  }

  private bytes(): Uint8Array { return new Uint8Array(this.exports.memory.buffer); }

  private text(at: number): string {
    const bytes = this.bytes();
    return new TextDecoder().decode(bytes.subarray(at, bytes.indexOf(0, at)));
  }

  /** Bytes in the library's memory, with a zero behind them; 0: out of memory. */
  private place(content: Uint8Array): number {
    const at = this.exports.room(content.length + 1);
    if (at !== 0) {
      this.bytes().set(content, at);
      this.bytes()[at + content.length] = 0;
    }
    return at;
  }

  private words(text: string): number { return this.place(new TextEncoder().encode(text)); }

  private events(text: number, length: number, words: number): number {
    const list = events(new TextDecoder().decode(this.bytes().subarray(text, text + length)));
    const at = this.exports.room(4 * list.length);
    if (at !== 0) this.bytes().set(new Uint8Array(list.buffer, list.byteOffset, 4 * list.length), at);
    new DataView(this.exports.memory.buffer).setUint32(words, list.length, true);
    return at;
  }

  private ending(status: number): Ending {
    return { status, sentence: status === 0 ? "" : this.text(this.exports.sentence()) };
  }

  check(name: string, scene: Uint8Array): Ending {
    return this.ending(this.exports.check(this.words(name), this.place(scene), scene.length));
  }

  /** Runs a scene; csv: the name of a file for its samples. */
  run(name: string, scene: Uint8Array, csv?: string): Ending {
    return this.ending(this.exports.run(this.words(name), this.place(scene), scene.length, csv === undefined ? 0 : this.words(csv)));
  }

  get steps(): number { return this.exports.steps(); }

  /** What a page of the run would carry, as HTML; room: bytes for arrays, 0: as carom report. */
  report(room = 0): Ending & { data: Uint8Array } {
    const ending = this.ending(this.exports.report(this.words("data.html"), room));
    return { ...ending, data: this.files.get("data.html") ?? new Uint8Array(0) };
  }

  file(name: string): Uint8Array | undefined { return this.files.get(name); }

  /** What a text reads as, a line for every node; or the sentence. */
  tree(text: Uint8Array): string { return this.text(this.exports.tree(this.place(text), text.length)); }

  recorded(): Recorded[] {
    const about = this.exports.room(16), list: Recorded[] = [];
    for (let i = 0; i < this.exports.objects(); i++) {
      const path = this.text(this.exports.object(i, about)), view = new DataView(this.exports.memory.buffer);
      const [type, at, length, to] = [0, 4, 8, 12].map((k) => view.getInt32(about + k, true));
      if (type >= 0) list.push({ path, type, to, bytes: this.bytes().subarray(at, at + length) });
    }
    return list;
  }
}
