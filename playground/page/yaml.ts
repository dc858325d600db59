// YAML text -> the events that the library builds its tree from (src/scene/text/yaml_build.h). Every scalar goes over as the
// text it is, with line and column; nothing is resolved, no alias written out, no key compared: the library does that.
import { isAlias, isCollection, isMap, isScalar, LineCounter, type Node, type Pair, parseAllDocuments, visit, type YAMLMap } from "yaml";

const DOCUMENT = 0, MAP = 1, MAP_END = 2, LIST = 3, LIST_END = 4, SCALAR = 5, ALIAS = 6, INVALID = 100;

class Stream {
  private words = new Int32Array(1024);
  private length = 0;

  add(what: number, tagged: boolean, line: number, column: number, text: string, anchor: string | undefined): void {
    const encoder = new TextEncoder(), bytes = encoder.encode(text), name = anchor === undefined ? new Uint8Array(0) : encoder.encode(anchor);
    const first = (bytes.length + 3) >> 2, second = (name.length + 3) >> 2, end = this.length + 6 + first + second;
    if (end > this.words.length) {
      const grown = new Int32Array(2 * end);
      grown.set(this.words.subarray(0, this.length));
      this.words = grown;
    }
    this.words.set([what, tagged ? 1 : 0, line, column, bytes.length, anchor === undefined ? -1 : name.length], this.length);
    const raw = new Uint8Array(this.words.buffer);
    raw.set(bytes, 4 * (this.length + 6));
    raw.set(name, 4 * (this.length + 6 + first));
    this.length = end;
  }

  done(): Int32Array { return this.words.subarray(0, this.length); }
}

/** A place that ends the walk: from here on the text is no YAML. */
class Ended extends Error {}

class Walk {
  readonly stream = new Stream();
  private readonly lines: number[] = [0];

  constructor(private readonly text: string, private readonly wrong: { at: number; message: string } | null) {
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.lines.push(at + 1);
  }

  /** Line and column from 1; columns count characters. */
  private place(at: number): [number, number] {
    let low = 0, high = this.lines.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.lines[middle] <= at) low = middle;
      else high = middle;
    }
    return [low + 1, [...this.text.slice(this.lines[low], at)].length + 1];
  }

  private send(what: number, at: number, node: { tagged?: boolean; text?: string; anchor?: string } = {}): void {
    if (this.wrong && at >= this.wrong.at) this.end();
    const [line, column] = at < 0 ? [0, 0] : this.place(at);
    this.stream.add(what, node.tagged ?? false, line, column, node.text ?? "", node.anchor);
  }

  end(): void {
    if (!this.wrong) return;
    const [line, column] = this.place(Math.min(this.wrong.at, this.text.length));
    this.stream.add(INVALID, false, line, column, this.wrong.message, undefined);
    throw new Ended();
  }

  document(at: number, contents: Node | null): void {
    this.send(DOCUMENT, at);
    this.node(contents);
  }

  /** A pair in a list without braces, [a: 1], is a map that libfyaml places at its colon. */
  private colon(map: YAMLMap, at: number): number {
    const key = map.items[0]?.key as Node | null | undefined;
    return this.text[at] === "{" || !key?.range ? at : this.text.indexOf(":", key.range[1]);
  }

  private node(node: Node | null): void {
    if (!node) return this.send(SCALAR, -1);
    const at = node.range?.[0] ?? -1, tagged = node.tag !== undefined;
    if (isAlias(node)) return this.send(ALIAS, at + 1, { text: node.source });
    if (isScalar(node)) {
      const text = node.value === null || node.value === undefined ? "" : String(node.value);
      const quoted = node.type === "QUOTE_DOUBLE" || node.type === "QUOTE_SINGLE"; // libfyaml counts from behind the quote
      return this.send(SCALAR, text === "" && node.type === "PLAIN" ? -1 : at + (quoted ? 1 : 0), { tagged, text, anchor: node.anchor });
    }
    if (!isCollection(node)) return;
    this.send(isMap(node) ? MAP : LIST, isMap(node) && node.flow ? this.colon(node, at) : at, { tagged, anchor: node.anchor });
    for (const item of node.items) {
      if (isMap(node)) {
        this.node((item as Pair).key as Node | null);
        this.node((item as Pair).value as Node | null);
      } else this.node(item as Node | null);
    }
    this.send(isMap(node) ? MAP_END : LIST_END, -1);
  }
}

/** The events of a text, as words (see playground/src/yaml.c). */
export function events(text: string): Int32Array {
  const options = { schema: "failsafe", uniqueKeys: false, strict: true, prettyErrors: false, lineCounter: new LineCounter(), logLevel: "silent" } as const;
  let documents;
  try {
    documents = parseAllDocuments(text, options);
  } catch (problem) {
    const walk = new Walk(text, { at: 0, message: problem instanceof RangeError ? "nested too deeply" : String(problem) });
    try { walk.end(); } catch { /* as meant */ }
    return walk.stream.done();
  }
  const list = Array.isArray(documents) ? documents : [];
  const errors = list.flatMap((document) => document.errors).sort((a, b) => a.pos[0] - b.pos[0]);
  if (errors.length > 0 && /^Missing closing ["']/.test(errors[0].message)) { // told where the text begins, not where it should have ended
    const end = errors[0].pos[0];
    for (const document of list) visit(document, { Scalar(_key, node) { if (node.range && node.range[0] < end && node.type?.startsWith("QUOTE")) errors[0].pos = [node.range[0], end]; } });
  }
  const walk = new Walk(text, errors.length > 0 ? { at: errors[0].pos[0], message: errors[0].message } : null);
  try {
    for (const document of list) walk.document(document.range?.[0] ?? 0, document.contents as Node | null);
    walk.end();
  } catch (problem) {
    if (!(problem instanceof Ended)) throw problem;
  }
  return walk.stream.done();
}

/** A number that stands in a text: where (path of keys, line from 1, characters from and to), its value and what follows (a unit). */
export interface NumberAt { path: string; line: number; from: number; to: number; value: number; whole: boolean }

/** All plain scalars that are a number, with or without a unit; none where the text is no YAML. */
export function numbers(text: string): NumberAt[] {
  const lines = new LineCounter(), found: NumberAt[] = [];
  const look = (node: unknown, path: string): void => {
    if (isMap(node)) for (const pair of node.items) look(pair.value, `${path}${path ? "." : ""}${isScalar(pair.key) ? String(pair.key.value) : "?"}`);
    else if (isCollection(node)) node.items.forEach((item, i) => look(item, `${path}[${i + 1}]`));
    else if (isScalar(node) && node.type === "PLAIN" && node.range) {
      const match = /^[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?(?=$|[\s*a-zA-Zµ%])/.exec(String(node.value));
      if (match) {
        const from = node.range[0];
        found.push({ path, line: lines.linePos(from).line, from, to: from + match[0].length, value: Number(match[0]), whole: /^\d+$/.test(String(node.value)) });
      }
    }
  };
  try {
    const documents = parseAllDocuments(text, { schema: "failsafe", uniqueKeys: false, prettyErrors: false, lineCounter: lines, logLevel: "silent" });
    if (Array.isArray(documents) && documents.length === 1 && documents[0].errors.length === 0) look(documents[0].contents, "");
  } catch { /* too deep: no numbers */ }
  return found;
}
