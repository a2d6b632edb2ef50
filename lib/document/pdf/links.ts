import { CJK } from "./clean_text.ts";
import type { Box, Run } from "./types.ts";

/** A rectangle with the address it links to. */
export interface LinkArea extends Box {
  readonly url: string;
}

/**
 * Returns a run cut where links begin and end. A PDF does not store the positions of characters, so they are estimated, and
 * words stay whole.
 */
export function splitByLinks(run: Run, areas: readonly LinkArea[]): Run[] {
  const middle = run.baseline - 0.3 * run.size;
  const hit = areas.filter((area) =>
    area.top <= middle && middle <= area.bottom &&
    Math.min(area.right, run.right) - Math.max(area.left, run.left) > 0.25 * run.size
  ).sort((a, b) => a.left - b.left);
  if (hit.length === 0) return [run];
  if (run.rtl || hit[0]!.left - 0.3 * run.size <= run.left && run.right <= hit[0]!.right + 0.3 * run.size) {
    return [{ ...run, link: hit[0]!.url }];
  }
  const edges = characterEdges(run);
  const parts: Run[] = [];
  let done = 0;
  const add = (from: number, to: number, link?: string) => {
    const text = run.text.slice(from, to);
    if (text.trim() === "") return;
    parts.push({
      ...run,
      text: text.trim(),
      left: edges[from]!,
      right: edges[to]!,
      blankLeft: from === 0 ? run.blankLeft : /^\s/.test(text) || /\s/.test(run.text[from - 1]!),
      blankRight: to === run.text.length ? run.blankRight : /\s$/.test(text),
      ...(link === undefined ? {} : { link }),
    });
  };
  for (const { left, right, url } of hit) {
    const from = wordEdge(run.text, nearest(edges, left), done),
      to = wordEdge(run.text, nearest(edges, right), done);
    if (to <= from || from < done) continue;
    add(done, from);
    add(from, to, url);
    done = to;
  }
  add(done, run.text.length);
  return parts.length === 0 ? [run] : parts;
}

/** Returns the left edges of all characters and the right edge of the last, estimated from usual widths. */
function characterEdges({ text, left, right }: Run): number[] {
  const widths = Array.from({ length: text.length }, (_, i) => widthOf(text[i]!));
  const scale = (right - left) / (widths.reduce((sum, width) => sum + width, 0) || 1);
  const edges = [left];
  for (const width of widths) edges.push(edges.at(-1)! + width * scale);
  return edges;
}

function widthOf(character: string): number {
  if (
    CJK.test(character) || character === "m" || character === "M" || character === "W" || character === "w"
  ) return 1;
  if (/[iljft.,;:!|'()\[\] I]/.test(character)) return 0.35;
  return /[A-Z]/.test(character) ? 0.75 : 0.6;
}

function nearest(edges: readonly number[], x: number): number {
  let best = 0;
  for (let i = 1; i < edges.length; i++) if (Math.abs(edges[i]! - x) < Math.abs(edges[best]! - x)) best = i;
  return best;
}

/** Returns the word boundary nearest to a position in the text, not before `least`. */
function wordEdge(text: string, at: number, least: number): number {
  const isEdge = (i: number) =>
    i <= 0 || i >= text.length || /[\s(),;:“”"]/.test(text[i]!) || /[\s(),;:“”"]/.test(text[i - 1]!) ||
    CJK.test(text[i]!) ||
    CJK.test(text[i - 1]!);
  for (let far = 0; far <= text.length; far++) {
    if (at - far >= least && isEdge(at - far)) return at - far;
    if (at + far <= text.length && isEdge(at + far)) return at + far;
  }
  return at;
}
