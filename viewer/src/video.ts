// The moving picture as a video: it is played once through and recorded by the browser, at the speed that is chosen.
import { button, save } from "./dom";
import type { Player } from "./player";

/** A button for it, where the browser records and there is something to see; `name` is asked before the canvas, which may not be there. */
export function videoButton(player: Player, rows: number, canvas: () => HTMLCanvasElement | null, name: () => string): HTMLButtonElement[] {
  if (typeof MediaRecorder === "undefined" || rows < 2) return [];
  const kind = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"].find((k) => MediaRecorder.isTypeSupported(k));
  if (kind === undefined) return [];
  const [type, ending, word] = kind.startsWith("video/mp4") ? ["video/mp4", ".mp4", "an MP4"] : ["video/webm", ".webm", "a WebM"]; // Safari has no WebM
  const node = button("video", `Play once through and save as ${word} video`, () => {
    const file = name(), from = canvas();
    if (node.disabled || !from) return;
    const recorder = new MediaRecorder(from.captureStream(30), { mimeType: kind, videoBitsPerSecond: 4e6 }), parts: Blob[] = [];
    recorder.addEventListener("dataavailable", (event) => { if (event.data.size > 0) parts.push(event.data); });
    recorder.addEventListener("stop", () => {
      node.disabled = false;
      node.textContent = "video";
      if (parts.length > 0) save(file.replace(/\.webm$/, ending), new Blob(parts, { type }));
    });
    node.disabled = true;
    node.textContent = "recording …";
    recorder.start();
    player.once(() => recorder.stop());
  });
  return [node];
}
