// The worker: holds the module, answers one question after the other, each with an instance of its own. The page ends it when
// it is to stop, whatever it is doing.
import { Library } from "./library";
import { numbers } from "./yaml";

export interface Question { id: number; what: "check" | "run"; name: string; text: string; csv: boolean }
export interface Answer { id: number; kind: "answer"; status: number; sentence: string; data?: Uint8Array; csv?: Uint8Array; steps: number; seconds: number }
export type Message = Answer | { kind: "progress"; id: number; phase: string; done: number } | { kind: "numbers"; id: number; list: ReturnType<typeof numbers> };

let module: Promise<WebAssembly.Module>, files: Record<string, Uint8Array> = {};

async function answer(q: Question): Promise<Answer> {
  const say = (phase: string, done: number) => postMessage({ kind: "progress", id: q.id, phase, done } satisfies Message);
  const library = await Library.open(await module, files, say), began = performance.now(), text = new TextEncoder().encode(q.text);
  const end = (status: number, sentence: string): Answer => ({ id: q.id, kind: "answer", status, sentence, steps: 0, seconds: (performance.now() - began) / 1000 });
  try {
    if (q.what === "check") { const { status, sentence } = library.check(q.name, text); return end(status, sentence); }
    const ran = library.run(q.name, text, q.csv ? "samples.csv" : undefined), ending = end(ran.status, ran.sentence);
    if (ran.status !== 0) return ending;
    const page = library.report();
    return { ...ending, status: page.status, sentence: page.sentence, data: page.data.slice(), csv: q.csv ? library.file("samples.csv")?.slice() : undefined, steps: library.steps };
  } catch (problem) { // a trap: memory or stack at their ends
    return end(7, `this scene asks for more than a page may take (${problem instanceof Error ? problem.message : String(problem)}); the program has no such bound`);
  }
}

self.onmessage = async (event: MessageEvent) => {
  if ("wasm" in event.data) {
    module = WebAssembly.compile(event.data.wasm);
    files = event.data.files;
    return;
  }
  const question = event.data as Question;
  postMessage({ kind: "numbers", id: question.id, list: numbers(question.text) } satisfies Message);
  const answered = await answer(question);
  postMessage(answered, { transfer: [answered.data, answered.csv].filter((b): b is Uint8Array<ArrayBuffer> => b !== undefined).map((b) => b.buffer) });
};
