// The page of a run that is under way (carom run --live): asks its own server how far the run is, takes newer pages in while
// nothing is playing, and can pause, resume and stop the run. A server that is gone is said, and the page stays as it is.
import { button, el } from "./dom";
import { quantity } from "./format";

interface State { serial: number; time: number; until: number; progress: number; paused: boolean; ended: boolean }

export function follow(renew: (newer: Document) => void, busy: () => boolean, unit: () => string): HTMLElement {
  const moment = (t: number): string => quantity(t, unit(), 6);
  const text = el("span", {}), meter = el("progress", { max: 1, value: 0 });
  const order = async (name: string) => { await fetch(name, { method: "POST" }).catch(() => null); void look(); };
  const hold = button("pause", "Pause or go on", () => void order(hold.textContent === "pause" ? "pause" : "resume"));
  const stop = button("stop", "Stop the run with a checkpoint", () => void order("stop"));
  const bar = el("div", { class: "live", role: "status" }, meter, text, hold, stop);
  let serial = -1, silent = 0, timer = 0;

  async function look(): Promise<void> {
    clearTimeout(timer);
    let state: State;
    try {
      const answer = await fetch("state");
      if (!answer.ok) throw new Error(answer.statusText);
      state = (await answer.json()) as State;
      silent = 0;
    } catch {
      if (++silent > 2) {
        text.textContent = "The run's server has gone; the page stays as it is.";
        hold.disabled = stop.disabled = true;
        return;
      }
      timer = window.setTimeout(() => void look(), 1000);
      return;
    }
    meter.value = state.ended ? 1 : state.progress;
    text.textContent = state.ended ? `ended at t = ${moment(state.time)}` : `${state.paused ? "paused" : "running"}: ${(100 * state.progress).toFixed(1)} %, t = ${moment(state.time)} of ${moment(state.until)}`;
    hold.textContent = state.paused ? "resume" : "pause";
    hold.disabled = stop.disabled = state.ended;
    if (serial < 0) serial = state.serial;
    else if (state.serial !== serial && !busy()) {
      const page = await fetch("./").then((answer) => (answer.ok ? answer.text() : null)).catch(() => null);
      if (page) {
        serial = state.serial;
        renew(new DOMParser().parseFromString(page, "text/html"));
      }
    }
    if (state.ended && serial === state.serial) { // there is nothing more to come, and the server may go
      text.textContent = `The run is complete at t = ${moment(state.time)}; this page holds all of it.`;
      hold.remove();
      stop.remove();
      meter.remove();
      return;
    }
    timer = window.setTimeout(() => void look(), 1000);
  }
  void look();
  return bar;
}
