import { least } from "./least.ts";
import type { Box, Face, Line, Run } from "./types.ts";

/** Gap, in font sizes, from which on two runs on one baseline belong to different lines, such as those of two columns. */
const WIDE_GAP = 0.9;

/** Joins runs to lines: first those that follow each other in the file, then those side by side. */
export function linesOf(runs: readonly Run[]): Line[] {
  const groups: Run[][] = [];
  let current: Run[] = [];
  let box: Extent | undefined;
  for (const run of runs) {
    if (box !== undefined && isTwice(current, run)) continue;
    if (box !== undefined && continues(box, run)) {
      current.push(run);
      box = grown(box, run);
    } else {
      if (current.length > 0) groups.push(current);
      current = [run];
      box = extentOf(run);
    }
  }
  if (current.length > 0) groups.push(current);
  const lines = groups.map((group, order) => lineOf(group, order));
  return mergeNeighbours(lines);
}

/** Returns a line of runs on one baseline. `order`: its position in the file. */
export function lineOf(runs: readonly Run[], order: number): Line {
  const sizes = new Map<number, number>(), faces = new Map<Face, number>();
  let all = 0;
  for (const { left, right, size, face, text } of runs) {
    const width = Math.max(0.1, right - left);
    sizes.set(size, (sizes.get(size) ?? 0) + width);
    faces.set(face, (faces.get(face) ?? 0) + text.length);
    all += width;
  }
  // pdf.js gives text after a small character that character's size. The larger size is used if a part of the line has it.
  const size = Math.max(
    ...[...sizes].filter(([, width]) => width >= 0.25 * all || sizes.size > 4).map(([size]) => size),
  );
  const main = runs.find((run) => run.size === size)!;
  return {
    runs,
    ...boundsOf(runs),
    top: main.baseline - 0.8 * size,
    bottom: main.baseline + 0.2 * size,
    baseline: main.baseline,
    size,
    face: most(faces),
    order,
  };
}

/** Returns the smallest rectangle around all boxes, of which there must be at least one. */
export function boundsOf(boxes: readonly Box[]): Box {
  let { left, top, right, bottom } = boxes[0]!;
  for (const box of boxes) {
    left = Math.min(left, box.left);
    top = Math.min(top, box.top);
    right = Math.max(right, box.right);
    bottom = Math.max(bottom, box.bottom);
  }
  return { left, top, right, bottom };
}

function most<T>(counts: ReadonlyMap<T, number>): T {
  let best: T | undefined, height = -1;
  for (const [key, count] of counts) {
    if (count > height) [best, height] = [key, count];
  }
  return best!;
}

/** Extent of an unfinished line. Its baseline and size are those of its largest run. */
interface Extent {
  left: number;
  right: number;
  baseline: number;
  size: number;
}

function extentOf({ left, right, baseline, size }: Run | Line): Extent {
  return { left, right, baseline, size };
}

function grown(box: Extent, run: Run | Line): Extent {
  const main = run.size > box.size * 1.05 ? run : box;
  return {
    left: Math.min(box.left, run.left),
    right: Math.max(box.right, run.right),
    baseline: main.baseline,
    size: main.size,
  };
}

function continues(box: Extent, run: Run | Line): boolean {
  if (!onOneBaseline(box, run)) return false;
  const size = Math.max(box.size, run.size);
  const after = run.left - box.right, before = box.left - run.right;
  return after < WIDE_GAP * size && before < WIDE_GAP * size;
}

/** Returns whether two extents share a baseline, or one is a superscript or subscript of the other. */
function onOneBaseline(a: Extent, b: Extent): boolean {
  const large = Math.max(a.size, b.size), small = Math.min(a.size, b.size);
  const apart = Math.abs(a.baseline - b.baseline);
  return apart < (small < 0.85 * large ? 0.55 : 0.25) * large;
}

/** Returns whether the file draws a text twice at almost the same position to make it look bold. */
function isTwice(runs: readonly Run[], run: Run): boolean {
  for (let i = runs.length - 1; i >= Math.max(0, runs.length - 4); i--) {
    const last = runs[i]!;
    if (
      last.text === run.text && Math.abs(last.left - run.left) < 0.25 * run.size &&
      Math.abs(last.baseline - run.baseline) < 0.25 * run.size
    ) return true;
  }
  return false;
}

/** Joins lines on one baseline without a wide gap, although the file does not draw them one after the other. */
function mergeNeighbours(lines: readonly Line[]): Line[] {
  const rows = rowsOf(lines);
  const merged: Line[] = [];
  for (const row of rows) {
    row.sort((a, b) => a.left - b.left);
    let group = [row[0]!], box = extentOf(row[0]!);
    for (const line of row.slice(1)) {
      if (continues(box, line) && line.left > box.right - 0.5 * box.size) {
        group.push(line);
        box = grownByLine(box, line);
      } else {
        merged.push(together(group));
        group = [line];
        box = extentOf(line);
      }
    }
    merged.push(together(group));
  }
  return merged.sort((a, b) => a.order - b.order);
}

function grownByLine(box: Extent, line: Line): Extent {
  return grown(box, line);
}

function together(lines: readonly Line[]): Line {
  if (lines.length === 1) return lines[0]!;
  return lineOf(lines.flatMap(({ runs }) => runs), least(lines.map(({ order }) => order)));
}

/** Returns lines grouped by baseline, from top to bottom. The lines of a row are in no order. */
export function rowsOf<T extends Extent>(lines: readonly T[]): T[][] {
  const sorted = [...lines].sort((a, b) => a.baseline - b.baseline);
  const rows: { box: Extent; lines: T[] }[] = [];
  for (const line of sorted) {
    let found: { box: Extent; lines: T[] } | undefined;
    for (let i = rows.length - 1; i >= Math.max(0, rows.length - 3); i--) {
      if (onOneBaseline(rows[i]!.box, line)) {
        found = rows[i];
        break;
      }
    }
    if (found === undefined) rows.push({ box: line, lines: [line] });
    else {
      found.lines.push(line);
      if (line.size > found.box.size * 1.05) found.box = line;
    }
  }
  return rows.map(({ lines }) => lines);
}
