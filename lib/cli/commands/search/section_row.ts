import type { Hit, Mark } from "../../../search/mod.ts";
import { type Cell, cellsOf, widthOf } from "../../wrap.ts";
import { markedIn } from "./best_part.ts";

/**
 * Headings that lead to a hit, in at most so many columns: innermost first, since the outermost is mostly the file's title.
 */
export function sectionRow(
  { section, sectionMarks }: Pick<Hit, "section" | "sectionMarks">,
  columns: number,
): Cell[] {
  const headings = section.map((heading, at) => cellsOfLine(heading, sectionMarks?.[at]));
  for (let from = 0; from < headings.length; from++) {
    const lead = from > 0 ? cellsOfLine("… › ") : [];
    const row = [
      ...lead,
      ...headings.slice(from).flatMap((cells, at) => at > 0 ? [...cellsOfLine(" › "), ...cells] : cells),
    ];
    if (widthOf(row) <= columns) return row;
  }
  const cut = [...headings.at(-1) ?? []];
  if (widthOf(cut) <= columns) return cut;
  while (widthOf(cut) + 1 > columns) cut.pop();
  return [...cut, ...cellsOfLine("…")];
}

function cellsOfLine(text: string, marks: readonly Mark[] = []): Cell[] {
  return cellsOf(text, { start: 0, end: text.length, isMarked: markedIn(text, marks) });
}
