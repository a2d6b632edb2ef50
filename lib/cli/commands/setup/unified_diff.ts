/** Number of unchanged lines around a change that are shown, as in `diff -u`. */
const CONTEXT = 3;

/** One line of a diff. */
export interface DiffLine {
  readonly kind: "file" | "range" | "same" | "removed" | "added";
  /** With its mark (`-`, `+`, blank), without its line end. */
  readonly text: string;
}

/**
 * The diff of two texts in the unified format, as one hunk from the first changed line to the last. Line ends are not
 * shown. An empty `before` stands for a missing file. Returns an empty string for equal texts.
 */
export function unifiedDiff(before: string, after: string, path: string): DiffLine[] {
  if (before === after) return [];
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const shorter = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < shorter && old[head] === fresh[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail++;
  const from = Math.max(0, head - CONTEXT);
  const kept = Math.max(0, tail - CONTEXT);
  const range = (lines: string[]) => {
    const count = lines.length - kept - from;
    return `${count === 0 ? from : from + 1},${count}`;
  };
  const shown = (kind: DiffLine["kind"], mark: string, lines: string[]) =>
    lines.map((line): DiffLine => ({ kind, text: mark + line.replace(/\r?\n$/, "") }));
  return [
    { kind: "file", text: `--- ${before === "" ? "/dev/null" : path}` },
    { kind: "file", text: `+++ ${path}` },
    { kind: "range", text: `@@ -${range(old)} +${range(fresh)} @@` },
    ...shown("same", " ", old.slice(from, head)),
    ...shown("removed", "-", old.slice(head, old.length - tail)),
    ...shown("added", "+", fresh.slice(head, fresh.length - tail)),
    ...shown("same", " ", fresh.slice(fresh.length - tail, fresh.length - kept)),
  ];
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
