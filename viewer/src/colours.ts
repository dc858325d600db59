// Colours that people with colour blindness can tell apart: Okabe and Ito's for lines; viridis and cividis for values
// from zero up; blue-white-red (on dark paper blue-black-red) for values of both signs.
import { styled } from "./dom";

export function lineColour(i: number): string {
  const dark = isDark();
  const colours = dark ? ["#56b4e9", "#e69f00", "#2fc79a", "#f0e442", "#ff8a4c", "#d99cc0", "#9fb4ff", "#dddddd"]
    : ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#3a9bdc", "#5b4fa8", "#444444"];
  return colours[i % colours.length];
}

/** What materials look like, as far as people can tell them apart by it, by the first word that their name has. */
const natural: [RegExp, string][] = [
  [/steel/, "#5f7388"], [/brass/, "#c9971c"], [/bronze/, "#8f6a1e"], [/copper/, "#b8602f"], [/alumini?um/, "#9fb3c4"], [/titanium/, "#8a7f9c"], [/tungsten/, "#4d4d57"],
  [/lead/, "#6b6f75"], [/iron/, "#514a47"], [/nickel/, "#a3a08a"], [/magnesium/, "#b4b8bd"], [/glass/, "#4fb39a"], [/alumina|zirconia|nitride/, "#c98fa8"], [/sapphire/, "#2f5fc4"],
  [/granite|rock|stone/, "#94796b"], [/ice/, "#7ec8e8"], [/ptfe|teflon/, "#8fb08a"], [/nylon/, "#e9e1cc"], [/delrin|acetal/, "#3f7f4f"], [/polycarbonate/, "#7fa7d9"], [/acrylic/, "#a9c93f"],
  [/polystyrene/, "#d98f6f"], [/polyethylene/, "#b79fd9"], [/rubber/, "#3a3a3a"], [/wood/, "#a5783f"],
];
const others = ["#3d9970", "#8e5ea2", "#d16ba5", "#4aa3a2", "#b5651d", "#7a7a2a"];

/** Colours of materials by their names, all different: their own where they have one, else one that neither velocities nor the others have. */
export function materialColours(names: string[]): string[] {
  const used = new Set<string>();
  return names.map((name) => {
    const own = natural.find(([word]) => word.test(name.toLowerCase()))?.[1], free = own && !used.has(own) ? own : others.find((colour) => !used.has(colour)) ?? others[used.size % others.length];
    used.add(free);
    return free;
  });
}

const anchors: Record<string, string[]> = {
  viridis: ["#440154", "#482878", "#3e4989", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6ece58", "#b5de2b", "#fde725"],
  cividis: ["#00224e", "#123570", "#3b496c", "#575d6d", "#707173", "#8a8678", "#a59c74", "#c3b369", "#e1cc55", "#fee838"],
  light: ["#08306b", "#2166ac", "#4393c3", "#92c5de", "#d1e5f0", "#f9f9f7", "#fddbc7", "#f4a582", "#d6604d", "#b2182b", "#67001f"],
  dark: ["#a8c8ff", "#5aa3da", "#2d7597", "#1a4256", "#15181b", "#3c130c", "#7a2617", "#c4645a", "#ffb4a8"],
};

export type MapName = "viridis" | "cividis" | "signed";

export function isDark(): boolean {
  return styled("--dark") === "1";
}

const made = new Map<string, Uint8Array>();

/** 256 colours, three bytes each. */
export function palette(name: MapName): Uint8Array {
  const key = name === "signed" ? (isDark() ? "dark" : "light") : name, known = made.get(key) ?? mix(key);
  made.set(key, known);
  return known;
}

function mix(key: string): Uint8Array {
  const list = anchors[key], out = new Uint8Array(256 * 3);
  const rgb = list.map((text) => [1, 3, 5].map((k) => parseInt(text.slice(k, k + 2), 16)));
  for (let i = 0; i < 256; i++) {
    const at = (i / 255) * (rgb.length - 1), low = Math.min(rgb.length - 2, Math.floor(at)), part = at - low;
    for (let k = 0; k < 3; k++) out[3 * i + k] = Math.round(rgb[low][k] + part * (rgb[low + 1][k] - rgb[low][k]));
  }
  return out;
}

export function css(colours: Uint8Array, at: number): string {
  const i = 3 * Math.max(0, Math.min(255, Math.round(at * 255)));
  return `rgb(${colours[i]},${colours[i + 1]},${colours[i + 2]})`;
}

export function hatch(context: CanvasRenderingContext2D): CanvasPattern | string {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 8;
  const c = tile.getContext("2d")!;
  c.strokeStyle = styled("--faint");
  c.lineWidth = 1.3;
  c.beginPath();
  c.moveTo(-2, 10); c.lineTo(10, -2); c.moveTo(-2, 2); c.lineTo(2, -2); c.moveTo(6, 10); c.lineTo(10, 6);
  c.stroke();
  return context.createPattern(tile, "repeat") ?? styled("--faint");
}
