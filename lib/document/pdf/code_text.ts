import { least } from "./least.ts";
import { textOf } from "./line_text.ts";
import type { Line, Run } from "./types.ts";

/** Returns the text of lines in a monospaced font, with their indentation and gaps. */
export function codeText(lines: readonly Line[]): string {
  const width = characterWidth(lines);
  const left = least(lines.map((line) => line.left));
  return lines.map((line) => width === undefined ? textOf(line) : onGrid(line.runs, left, width)).join("\n");
}

function onGrid(runs: readonly Run[], left: number, width: number): string {
  let text = "";
  for (const run of runs.toSorted((a, b) => a.left - b.left)) {
    const column = Math.min(400, Math.round((run.left - left) / width));
    const least = text === "" || !run.blankLeft ? text.length : text.length + 1;
    text = text.padEnd(Math.max(least, column)) + run.text;
  }
  return text.trimEnd();
}

function characterWidth(lines: readonly Line[]): number | undefined {
  const widths = lines.flatMap(({ runs }) =>
    runs.filter(({ text }) => text.length > 3 && /^[\x20-\x7e]+$/.test(text)).map((run) =>
      (run.right - run.left) / run.text.length
    )
  ).sort((a, b) => a - b);
  const width = widths[widths.length >> 1];
  return width !== undefined && width > 0.5 ? width : undefined;
}
