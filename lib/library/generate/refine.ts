/**
 * The task `refine`: how the chunks of a document are put right, in operations alone. A model names lines and says yes or no; it adds no
 * text, so what a chunk says is what its document says.
 */
import * as z from "zod";
import type { ChunkEdit } from "#engine/chunk/mod.ts";
import type { GeneratedTask } from "./generator.ts";

/** A chunk in its lines. */
export interface RefineInput {
  readonly lines: readonly string[];
  /** The beginning of the next chunk; empty if there is none. */
  readonly next: string;
}

const REFINED = z.object({
  drop_lines: z.array(z.int()),
  heading: z.int().nullable(),
  merge_with_next: z.boolean(),
});

/** Operations on a chunk. Lines are counted from 1. */
export type Refined = z.infer<typeof REFINED>;

/** The task. Operations that the chunk does not allow are left out one by one. */
export const REFINE: GeneratedTask<RefineInput, Refined> = {
  name: "refine",
  version: 1,
  schema: REFINED,
  maxOutputTokens: 300,
  usualTokens: 25,
  values: ({ lines, next }) => ({ lines, next }),
  checked: ({ drop_lines: dropped, heading, merge_with_next: merges }, { lines, next }) => {
    const isLine = (number: number) => number >= 1 && number <= lines.length;
    const kept = atEnds(new Set(dropped.filter(isLine)), lines);
    return {
      drop_lines: kept,
      heading: heading !== null && isLine(heading) && !kept.includes(heading) ? heading : null,
      merge_with_next: merges && next !== "",
    };
  },
};

/** Part of its content that a chunk may lose. */
const MOST_DROPPED = 1 / 3;

/**
 * Returns the lines that are dropped from the first or the last line on, blank lines passed over: a chunk is a part of its document, so a
 * line in its middle stays. None if they are more than a third of the chunk.
 */
function atEnds(dropped: ReadonlySet<number>, lines: readonly string[]): number[] {
  const isBlank = (number: number) => lines[number - 1]!.trim() === "";
  const runFrom = (from: number, step: 1 | -1) => {
    const run: number[] = [];
    for (let at = from; at >= 1 && at <= lines.length && (dropped.has(at) || isBlank(at)); at += step) {
      run.push(at);
    }
    while (run.length > 0 && !dropped.has(run.at(-1)!)) run.pop();
    return run;
  };
  const all = [...new Set([...runFrom(1, 1), ...runFrom(lines.length, -1)])].sort((a, b) => a - b);
  const contentOf = (numbers: Iterable<number>) =>
    Iterator.from(numbers).reduce((sum, number) => sum + lines[number - 1]!.replace(/\s+/g, "").length, 0);
  const total = contentOf(Array.from(lines, (_, i) => i + 1));
  return contentOf(all) > MOST_DROPPED * total ? [] : all;
}

/** Returns the operations as an edit of a chunk with so many lines. */
export function editOf(
  { drop_lines: dropped, heading, merge_with_next: joinsNext }: Refined,
  count: number,
): ChunkEdit {
  let first = 0, last = 0;
  while (dropped.includes(first + 1)) first++;
  while (last < count - first && dropped.includes(count - last)) last++;
  return {
    dropFirst: first,
    dropLast: last,
    joinsNext,
    ...(heading === null ? {} : { heading: heading - 1 }),
  };
}
