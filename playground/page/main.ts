// The page: scenes to choose from, an editor that shows the program's sentence at its line, sliders for the numbers of the
// scene, and the page of carom report as the view. Everything that computes does so in a worker.
import { type Answer, type Message, type Question } from "./worker";
import { type NumberAt } from "./yaml";

const at = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const editor = at<HTMLTextAreaElement>("editor"), gutter = at("gutter"), sentence = at("sentence"), choice = at<HTMLSelectElement>("scenes");
const meter = at<HTMLProgressElement>("meter"), phase = at("phase"), stop = at<HTMLButtonElement>("stop"), sliders = at("sliders"), frame = at<HTMLIFrameElement>("view");

async function unpack(id: string): Promise<Uint8Array<ArrayBuffer>> {
  const binary = atob(at(id).textContent!.trim()), bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  at(id).remove();
  return through(bytes, new DecompressionStream("gzip"));
}

/** Packs or unpacks; `most`: what becomes longer is given up, since a short link may stand for gigabytes. */
async function through(bytes: Uint8Array<ArrayBuffer>, stream: GenericTransformStream, most = Infinity): Promise<Uint8Array<ArrayBuffer>> {
  let length = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({ transform(part, to) {
    if ((length += part.length) > most) throw new Error("too long");
    to.enqueue(part);
  } });
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream as TransformStream).pipeThrough(counted)).arrayBuffer());
}

// --- runs ---------------------------------------------------------------------------------------------------------------------

interface Task { question: Question; began: number; done: (answer: Answer) => void }
let wasm: Uint8Array, shipped: Record<string, string>, viewer: string, files: Record<string, Uint8Array> = {};
let worker: Worker | null = null, current: Task | null = null, waiting: Task | null = null, serial = 0;
const code = URL.createObjectURL(new Blob([at("worker").textContent!], { type: "text/javascript" }));

function hire(): Worker {
  const fresh = new Worker(code);
  fresh.postMessage({ wasm, files });
  fresh.onmessage = (event: MessageEvent<Message>) => hear(event.data);
  return fresh;
}

function hear(message: Message): void {
  if (message.id !== current?.question.id) return;
  if (message.kind === "progress") {
    meter.value = message.done;
    phase.textContent = `${message.phase} ${Math.round(100 * message.done)} %`;
  } else if (message.kind === "numbers") showSliders(message.list);
  else {
    const task = current;
    current = null;
    busy(false);
    if (waiting) begin(waiting);
    task.done(message);
  }
}

function busy(is: boolean): void {
  document.body.classList.toggle("busy", is);
  stop.disabled = !is;
  if (!is) phase.textContent = "";
}

function begin(task: Task): void {
  waiting = null;
  current = task;
  task.began = performance.now();
  worker ??= hire();
  meter.value = 0;
  busy(true);
  worker.postMessage(task.question);
}

/** Ends what is going on; the next question finds a new worker. */
function halt(): void {
  worker?.terminate();
  worker = null;
  current = waiting = null;
  busy(false);
}

const PATIENCE = 400; // milliseconds that a run may take while another one waits

/** Asks; of several that come while one is at work only the last is asked, and that one is not waited for long. */
function ask(what: Question["what"], csv = false): Promise<Answer> {
  return new Promise((done) => {
    const task: Task = { question: { id: ++serial, what, name: name(), text: editor.value, csv }, began: 0, done };
    if (!current) return begin(task);
    waiting = task;
    const running = current;
    setTimeout(() => {
      if (current === running && waiting) {
        const next = waiting;
        halt();
        begin(next);
      }
    }, Math.max(0, PATIENCE - (performance.now() - running.began)));
  });
}

const name = () => choice.value || "scene.yaml";

async function run(): Promise<void> {
  const answer = await ask("run");
  told(answer);
  if (answer.data) {
    last = answer.data;
    show(answer.data);
    phase.textContent = `${answer.steps.toLocaleString("en")} steps in ${answer.seconds.toPrecision(2)} s`;
  }
}

/** The program's sentence, and the line it speaks of. */
function told(answer: Answer): void {
  const place = /^[^:\n]*:(\d+):(\d+): /.exec(answer.sentence);
  sentence.textContent = answer.sentence;
  sentence.hidden = answer.status === 0;
  mark(place ? Number(place[1]) : 0);
  Object.assign(window, { playground: { ready: true, status: answer.status, sentence: answer.sentence, steps: answer.steps, seconds: answer.seconds, runs: ++runs } });
}
let runs = 0, last: Uint8Array | null = null;

// --- the view -----------------------------------------------------------------------------------------------------------------

function whole(data: Uint8Array): string {
  return viewer.replace("<!--carom:data-->", () => new TextDecoder().decode(data));
}

function show(data: Uint8Array): void {
  const shown = (frame.contentWindow as any)?.carom;
  if (shown?.renew) shown.renew(new DOMParser().parseFromString(`<!doctype html><body>${new TextDecoder().decode(data)}`, "text/html"));
  else frame.srcdoc = whole(data);
}

// --- the editor ---------------------------------------------------------------------------------------------------------------

let marked = 0;
function mark(line: number): void {
  marked = line;
  const count = editor.value.split("\n").length;
  gutter.replaceChildren(...Array.from({ length: count }, (_, i) => {
    const number = document.createElement("span");
    number.textContent = String(i + 1);
    if (i + 1 === line) number.className = "wrong";
    return number;
  }));
  gutter.scrollTop = editor.scrollTop;
}

let timer = 0;
function changed(wait: number): void {
  clearTimeout(timer);
  timer = window.setTimeout(() => void run(), wait);
}

function load(scene: string, text: string): void {
  choice.value = scene;
  editor.value = text;
  mark(0);
  changed(0);
}

// --- sliders ------------------------------------------------------------------------------------------------------------------

const MOST = 60;
let held: HTMLInputElement | null = null, known: NumberAt[] = [];

function rangeOf(n: NumberAt): [number, number, number] {
  if (n.whole && n.value >= 1) return [n.path.endsWith("count") ? 1 : 0, Math.max(10, 2 * n.value), 1];
  if (n.value === 0) return [-1, 1, 0.01];
  const reach = 2 * Math.abs(n.value);
  return n.value > 0 ? [0, reach, reach / 200] : [-reach, 0, reach / 200];
}

/** Writes a number into the text; what stands behind it moves. */
function write(i: number, value: number): void {
  const n = known[i], text = String(Number(value.toPrecision(6))), longer = text.length - (n.to - n.from);
  editor.value = editor.value.slice(0, n.from) + text + editor.value.slice(n.to);
  for (const other of known) if (other.from > n.from) { other.from += longer; other.to += longer; }
  n.to += longer;
  n.value = value;
  mark(marked);
}

function showSliders(list: NumberAt[]): void {
  if (held) return; // not under a hand that drags
  known = list;
  sliders.replaceChildren(...list.slice(0, MOST).map((n, i) => {
    const row = document.createElement("label"), range = document.createElement("input"), value = document.createElement("output");
    const [low, high, step] = rangeOf(n);
    Object.assign(range, { type: "range", min: String(low), max: String(high), step: String(step), value: String(n.value) });
    value.textContent = editor.value.slice(n.from, n.to);
    range.addEventListener("pointerdown", () => { held = range; });
    const release = () => { held = null; };
    range.addEventListener("pointerup", release);
    range.addEventListener("pointercancel", release);
    range.addEventListener("input", () => {
      write(i, Number(range.value));
      value.textContent = editor.value.slice(known[i].from, known[i].to);
      changed(0);
    });
    row.append(Object.assign(document.createElement("span"), { textContent: n.path, title: `line ${n.line}` }), range, value);
    return row;
  }));
  if (list.length > MOST) sliders.append(`and ${list.length - MOST} more numbers`);
}

// --- links and downloads --------------------------------------------------------------------------------------------------------

async function link(): Promise<string> {
  const packed = await through(new TextEncoder().encode(editor.value), new CompressionStream("gzip"));
  let binary = "";
  for (const byte of packed) binary += String.fromCharCode(byte);
  return `${location.href.split("#")[0]}#scene=${btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

async function linked(): Promise<string | null> {
  const match = /^#scene=([\w-]+)$/.exec(location.hash);
  if (!match) return null;
  try {
    const binary = atob(match[1].replaceAll("-", "+").replaceAll("_", "/")), bytes = Uint8Array.from(binary, (c) => c.charCodeAt(0));
    return new TextDecoder().decode(await through(bytes, new DecompressionStream("gzip"), 4e6));
  } catch {
    sentence.hidden = false;
    sentence.textContent = "The link carries no scene that could be read: was all of it copied?";
    return null;
  }
}

function save(file: string, content: BlobPart, type: string): void {
  const a = Object.assign(document.createElement("a"), { href: URL.createObjectURL(new Blob([content], { type })), download: file });
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 10000);
}

const stem = () => name().split("/").pop()!.replace(/\.yaml$/, "");
at("save-scene").onclick = () => save(`${stem()}.yaml`, editor.value, "text/yaml");
at("save-page").onclick = () => { if (last) save(`${stem()}.html`, whole(last), "text/html"); };
at("save-csv").onclick = async () => {
  const answer = await ask("run", true);
  told(answer);
  if (answer.csv) save(`${stem()}.csv`, answer.csv as BlobPart, "text/csv");
};
at("link").onclick = async () => {
  const address = await link();
  history.replaceState(null, "", address);
  await navigator.clipboard?.writeText(address).catch(() => null);
  phase.textContent = "The address of this page now carries the scene.";
};

// --- opening --------------------------------------------------------------------------------------------------------------------

function offer(): void {
  const groups = new Map<string, string[]>();
  for (const path of Object.keys(shipped).filter((path) => path.endsWith(".yaml"))) {
    const group = path.split("/").slice(1, -1).join("/") || "rows of beads and more";
    groups.set(group, [...(groups.get(group) ?? []), path]);
  }
  choice.append(new Option("a scene of your own", ""));
  for (const [group, paths] of groups) {
    const list = Object.assign(document.createElement("optgroup"), { label: group });
    list.append(...paths.map((path) => new Option(path.split("/").pop()!.replace(/\.yaml$/, ""), path)));
    choice.append(list);
  }
}

async function open(): Promise<void> {
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  let page: Uint8Array, scenes: Uint8Array;
  [wasm, page, scenes] = await Promise.all([unpack("module"), unpack("viewer"), unpack("shipped")]);
  viewer = decode(page);
  shipped = JSON.parse(decode(scenes)) as Record<string, string>;
  files = Object.fromEntries(Object.entries(shipped).filter(([path]) => !path.endsWith(".yaml")).map(([path, text]) => [path, new TextEncoder().encode(text)]));
  offer();
  choice.onchange = () => { if (choice.value) load(choice.value, shipped[choice.value]); };
  editor.addEventListener("input", () => { mark(0); changed(250); });
  editor.addEventListener("scroll", () => { gutter.scrollTop = editor.scrollTop; });
  stop.onclick = () => { halt(); phase.textContent = "stopped"; };
  at("run").onclick = () => void run();
  const carried = await linked(), named = /^#open=([\w./-]+)$/.exec(location.hash)?.[1] ?? "";
  if (carried !== null) load("", carried);
  else if (Object.hasOwn(shipped, named) && named.endsWith(".yaml")) load(named, shipped[named]);
  else load("scenes/cradle-classic.yaml", shipped["scenes/cradle-classic.yaml"]);
}

void open().catch((problem) => {
  sentence.hidden = false;
  sentence.textContent = `This page could not be opened: ${problem instanceof Error ? problem.message : String(problem)}. It needs a browser of 2023 or later.`;
});
