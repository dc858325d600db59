// The moving picture as a video: it is played once through and recorded by the browser, at the speed that is chosen.
import { button, save } from "./dom";
import type { Player } from "./player";

export function videoButton(player: Player, canvas: () => HTMLCanvasElement, name: () => string): HTMLButtonElement {
  const node = button("video", "Play once through and save as a WebM video", () => {
    if (node.disabled) return;
    const file = name(), kind = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"].find((k) => MediaRecorder.isTypeSupported(k));
    const recorder = new MediaRecorder(canvas().captureStream(30), { mimeType: kind, videoBitsPerSecond: 4e6 }), parts: Blob[] = [];
    recorder.addEventListener("dataavailable", (event) => { if (event.data.size > 0) parts.push(event.data); });
    recorder.addEventListener("stop", () => {
      node.disabled = false;
      node.textContent = "video";
      if (parts.length > 0) save(file, new Blob(parts, { type: "video/webm" }));
    });
    node.disabled = true;
    node.textContent = "recording …";
    recorder.start();
    player.once(() => recorder.stop());
  });
  return node;
}
