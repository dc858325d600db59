// The book of impacts: contacts from closing to opening, followed at the steps of the scheme. Its peaks are true between samples.
import { array, type Run } from "./data";
import { el, table } from "./dom";
import { count, quantity, scaleFor } from "./format";
import type { Peak } from "./pulses";

interface BookText { total: number; left_out: number; kept: number; [column: string]: any }

function text(run: Run): BookText | null {
  const book = run.text.episodes as BookText | undefined;
  return book && book.kept > 0 ? book : null;
}

/** The largest force of a contact, when, and when the contact had closed for it, if the file has a book; else null. */
export function largest(run: Run, contact: number): { force: number; time: number; closed?: number } | null {
  const book = text(run);
  if (!book?.largest_force) return null;
  const force = array(book.largest_force)[contact], time = array(book.largest_time)[contact];
  if (!(force > 0)) return null;
  const which = array(book.contact), peak = array(book.peak_time);
  let i = 0;
  while (i < book.kept && !(which[i] === contact && peak[i] === time)) i++;
  return { force, time, closed: i < book.kept ? array(book.closed)[i] : undefined };
}

/** Every peak of a contact above a level, in the order of time; null where the page does not carry them all. */
export function booked(run: Run, contact: number, level: number): Peak[] | null {
  const book = text(run);
  if (!book || run.text.listed || book.kept < book.total) return null;
  const which = array(book.contact), force = array(book.peak_force), time = array(book.peak_time), found: Peak[] = [];
  for (let i = 0; i < book.kept; i++) if (which[i] === contact && force[i] > level) found.push({ row: -1, time: time[i], force: force[i] });
  return found.sort((a, b) => a.time - b.time);
}

/** One sentence where samples are too far apart for the contacts; else null. */
export function coarse(run: Run): HTMLElement | null {
  const finer = run.text.finer ?? 0;
  if (!(finer > 0) || run.text.theory !== "compliant" || !(run.item("observables/contacts/force") || run.text.touches)) return null;
  return el("p", { class: "advice" }, `Samples are further apart than a third of the shortest contact (${quantity(run.text.scales?.contact_time ?? NaN, run.timeUnit, 3)}), ` +
    `so that histories of forces miss their peaks${text(run) ? "; peaks below are those of the book of impacts" : ""}: leave every out, and samples follow the contacts, or write record: {every: ${run.timeUnit ? quantity(finer, "s", 3).replace("µ", "u") : Number(finer.toPrecision(3))}}.`);
}

/** What forces of a run are whose scheme knows impulses of steps alone; empty of all others. */
export function meanForces(run: Run): string {
  return /^(moreau-jean|schatzman-paoli)\b/.test(run.text.scheme) ? `A force is the mean of a step: its impulse over its length. Impacts take no time, so that in them it grows as steps get shorter.` : "";
}

const slight = 1e-9; // of the largest: what is less is rounding
const slow = 1e-6; // of V: what closes slower only touched

/** The strongest of all contacts as a table; those whose force and impulse are rounding are left out. */
export function strongest(run: Run, most = 12): HTMLElement | null {
  const book = text(run);
  if (!book) return null;
  const si = run.text.units !== "none", scale = scaleFor(run.timeUnit, run.end), rows: string[][] = [];
  const column = (name: string) => array(book[name]), closed = column("closed"), opened = column("opened"), speed = column("speed"), peak = column("peak_force"), summit = column("peak_time");
  const impulse = column("impulse"), lost = column("dissipated"), overlap = column("overlap"), contact = column("contact");
  const top = (list: ArrayLike<number>) => Array.from(list).reduce((a, b) => Math.max(a, Math.abs(b)), 0), fastest = top(speed), force = top(peak), push = top(impulse);
  const places = Math.min(Math.max(0, 6 - Math.floor(Math.log10(run.end * scale.factor || 1))), 20); // seven digits of the end: those of an early moment would only widen the table
  const moment = (t: number) => (t * scale.factor).toFixed(places).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
  for (let i = 0; i < Math.min(book.kept, most); i++) if (!(peak[i] <= slight * force && Math.abs(impulse[i]) <= slight * push)) rows.push([
    run.text.listed ? run.pairName(contact, i) : run.contactName(contact[i]), `${moment(closed[i])} ${scale.unit}`, peak[i] > 0 ? `${moment(summit[i])} ${scale.unit}` : "–",
    !(opened[i] < Infinity) ? "to the end" : opened[i] > closed[i] ? quantity(opened[i] - closed[i], run.timeUnit, 4) : "–", Math.abs(speed[i]) <= Math.max(slight * fastest, slow * (run.text.scales?.speed ?? 0)) ? "touching" : speed[i] < 0 ? "" : quantity(speed[i], si ? "m/s" : "", 4), peak[i] > 0 ? quantity(peak[i], si ? "N" : "", 6) : "–",
    quantity(impulse[i], si ? "N s" : "", 5), quantity(Math.abs(lost[i]) <= slight * push * fastest ? 0 : lost[i], si ? "J" : "", 4), overlap[i] > 0 ? quantity(overlap[i], si ? "m" : "", 4) : "–"]);
  if (rows.length === 0) return null;
  const all = book.total + book.left_out, left = book.left_out > 0 ? `, of which ${count(book.left_out)} are not in the file` : "";
  const which = all === 1 ? "The only impact of the run" : rows.length === all ? `${all === 2 ? "Both" : `All ${count(all)}`} impacts of the run` : `The ${rows.length > 1 ? `${rows.length} ` : ""}strongest of ${count(all)} impacts${left}`;
  const head = [run.text.listed ? "bodies" : "contact", "closes", "peaks at", "lasts", "closing speed", "peak force", "impulse", "energy lost", "overlap"];
  const told = head.map((_, k) => k).filter((k) => rows.some((row) => row[k] !== "–")); // rigid contacts take no time and have no overlap
  return el("section", {}, el("h2", {}, "Strongest impacts"),
    table(told.map((k) => head[k]), rows.map((row) => told.map((k) => row[k])), told.map((k) => k > 0)),
    el("p", {}, `${which}, followed at every step of the scheme: these numbers do not depend on how often samples were taken.${rows.some((row) => row[4] === "") ? " Contacts without a closing speed were about to open when their neighbours struck." : ""}`));
}
