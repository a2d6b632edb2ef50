import type { Box } from "./types.ts";
import { apply, combine, type Matrix } from "./upright.ts";

/** The operators of pdf.js that draw lines. */
export interface DrawOps {
  readonly save: number;
  readonly restore: number;
  readonly transform: number;
  readonly constructPath: number;
  readonly paintFormXObjectBegin: number;
  readonly paintFormXObjectEnd: number;
  readonly stroke: number;
  readonly closeStroke: number;
  readonly fill: number;
  readonly eoFill: number;
  readonly fillStroke: number;
  readonly eoFillStroke: number;
  readonly closeFillStroke: number;
  readonly closeEOFillStroke: number;
}

export interface OperatorList {
  readonly fnArray: ArrayLike<number>;
  // deno-lint-ignore no-explicit-any -- pdf.js has no types for the arguments
  readonly argsArray: ArrayLike<any>;
}

/** Most ruling lines of a page. A page with more is a drawing. */
const MOST_RULES = 6_000;
/** Greatest thickness of a filled rectangle that is a ruling line, in points. */
const THICKEST = 3;
const SHORTEST = 4;

/** Returns the horizontal and vertical lines that a page draws, under the transformation `base`. */
export function rulesOf({ fnArray, argsArray }: OperatorList, ops: DrawOps, base: Matrix): Box[] {
  const rules: Box[] = [];
  const stack: Matrix[] = [];
  let now = base;
  const strokes = new Set([
    ops.stroke,
    ops.closeStroke,
    ops.fillStroke,
    ops.eoFillStroke,
    ops.closeFillStroke,
    ops.closeEOFillStroke,
  ]);
  const fills = new Set([ops.fill, ops.eoFill]);
  for (let i = 0; i < fnArray.length; i++) {
    const fn = fnArray[i], args = argsArray[i];
    if (fn === ops.save) stack.push(now);
    else if (fn === ops.restore) now = stack.pop() ?? now;
    else if (fn === ops.transform) now = combine(now, args as Matrix);
    else if (fn === ops.paintFormXObjectBegin) {
      stack.push(now);
      if (Array.isArray(args?.[0]) || ArrayBuffer.isView(args?.[0])) {
        now = combine(now, args[0] as unknown as Matrix);
      }
    } else if (fn === ops.paintFormXObjectEnd) now = stack.pop() ?? now;
    else if (fn === ops.constructPath) {
      const path = args?.[1]?.[0] as Float32Array | null | undefined;
      if (!path) continue;
      if (strokes.has(args[0])) addSegments(rules, path, now);
      else if (fills.has(args[0])) addBars(rules, path, now);
      if (rules.length > MOST_RULES) return [];
    }
  }
  return rules;
}

/** Yields sub-paths as points, or `undefined` for those with curves. */
function* subpaths(
  path: Float32Array,
  matrix: Matrix,
): Generator<{ points: [number, number][]; closed: boolean }> {
  let points: [number, number][] = [];
  let curved = false;
  for (let at = 0; at < path.length;) {
    const op = path[at]!;
    if (op === 0 || op === 1) {
      if (op === 0 && points.length > 0) {
        if (!curved) yield { points, closed: false };
        points = [];
        curved = false;
      }
      points.push(apply(matrix, path[at + 1]!, path[at + 2]!));
      at += 3;
    } else if (op === 2) {
      curved = true;
      at += 7;
    } else if (op === 3) {
      curved = true;
      at += 5;
    } else {
      if (points.length > 0 && !curved) yield { points, closed: true };
      points = [];
      curved = false;
      at += 1;
    }
  }
  if (points.length > 0 && !curved) yield { points, closed: false };
}

function addSegments(rules: Box[], path: Float32Array, matrix: Matrix): void {
  for (const { points, closed } of subpaths(path, matrix)) {
    const last = closed ? points.length : points.length - 1;
    for (let i = 0; i < last; i++) addRule(rules, points[i]!, points[(i + 1) % points.length]!, 0);
  }
}

function addBars(rules: Box[], path: Float32Array, matrix: Matrix): void {
  for (const { points } of subpaths(path, matrix)) {
    if (points.length < 4 || points.length > 5) continue;
    const xs = points.map(([x]) => x), ys = points.map(([, y]) => y);
    const box = {
      left: Math.min(...xs),
      top: Math.min(...ys),
      right: Math.max(...xs),
      bottom: Math.max(...ys),
    };
    const width = box.right - box.left, height = box.bottom - box.top;
    if (Math.min(width, height) > THICKEST || Math.max(width, height) < SHORTEST) continue;
    if (width >= height) {
      addRule(rules, [box.left, (box.top + box.bottom) / 2], [box.right, (box.top + box.bottom) / 2], 0);
    } else addRule(rules, [(box.left + box.right) / 2, box.top], [(box.left + box.right) / 2, box.bottom], 0);
  }
}

function addRule(rules: Box[], [x1, y1]: [number, number], [x2, y2]: [number, number], least: number): void {
  const dx = Math.abs(x1 - x2), dy = Math.abs(y1 - y2);
  if (Math.max(dx, dy) < Math.max(SHORTEST, least) || Math.min(dx, dy) > 0.7) return;
  if (dx > dy) {
    rules.push({
      left: Math.min(x1, x2),
      right: Math.max(x1, x2),
      top: (y1 + y2) / 2,
      bottom: (y1 + y2) / 2,
    });
  } else {rules.push({
      left: (x1 + x2) / 2,
      right: (x1 + x2) / 2,
      top: Math.min(y1, y2),
      bottom: Math.max(y1, y2),
    });}
}
