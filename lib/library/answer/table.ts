/**
 * The answer with rows of a table: as a list of values in its data, as a table in its text.
 */
import * as z from "zod";
import { type Language, message } from "#foundation/messages/mod.ts";
import { present } from "#foundation/present.ts";
import type { QueriedTable, ServedDocument } from "#library/search/mod.ts";
import { listedAnswer } from "./quoted.ts";
import { type AnswerLimit, sentTokens, type TextAnswer } from "./shape.ts";

export const DECLARED_TABLE_DATA = z.looseObject({
  columns: z.array(z.string()),
  rows: z.array(z.looseObject({ line: z.int(), values: z.array(z.string()) })),
  matched: z.int(),
});

/** Options of {@linkcode tableAnswer}. */
interface TableAnswerOptions {
  readonly language: Language;
  /** Rows to skip, and most rows to give. */
  readonly offset: number;
  readonly most: number;
  readonly limit: AnswerLimit;
  /** Returns the argument that continues after so many rows. */
  readonly cursorAfter: (shown: number) => string;
}

/** Cells that are written at once, before the length of the answer is known. */
const MOST_CELLS = 200_000;

/** The answer with as many rows as the limits allow, at least one. Each has its line, and its row where it is of a sheet. */
export function tableAnswer(
  { path, format, name }: ServedDocument,
  queried: QueriedTable,
  { language, offset, most, limit, cursorAfter }: TableAnswerOptions,
): TextAnswer<z.output<typeof DECLARED_TABLE_DATA>> {
  const { table, number, tables, columns } = queried;
  const answerWith = (count: number) => {
    const rows = queried.rows.slice(offset, offset + count)
      .map((row) => ({ ...row, cells: columns.map((_, column) => row.cells[column] ?? "") }));
    const left = queried.rows.length - offset - rows.length;
    const place = (row: typeof rows[number]) => String(row.row ?? row.line);
    const isSheet = rows.some(({ row }) => row !== undefined);
    const line = (cells: readonly string[]) =>
      `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
    return listedAnswer({
      data: present({
        columns: [...columns],
        rows: rows.map(({ row, line, cells }) => present({ row, line, values: cells })),
        matched: queried.rows.length,
        total: table.rows.length,
        table: present({ number, of: tables, title: table.title || undefined, page: table.page }),
        next_cursor: left > 0 ? cursorAfter(rows.length) : undefined,
        file_info: { file_path: path, file_name: name, format },
      }),
      head: (quotes) => [
        message(language, "table_rows", {
          path: quotes.name(path),
          table: table.title === "" ? String(number) : `${number} ${quotes.name(table.title)}`,
          matched: queried.rows.length,
          total: table.rows.length,
          shown: rows.length,
        }),
      ],
      text: rows.length === 0 ? undefined : [
        line([message(language, isSheet ? "table_row" : "table_line"), ...columns]),
        `|${" --- |".repeat(columns.length + 1)}`,
        ...rows.map((row) => line([place(row), ...row.cells])),
      ].join("\n"),
      after: left > 0
        ? [message(language, "table_continues", { left, cursor: cursorAfter(rows.length) })]
        : [],
    }, language);
  };
  const fitting = Math.max(1, Math.floor(MOST_CELLS / columns.length));
  let count = Math.min(most, fitting, Math.max(0, queried.rows.length - offset));
  for (;;) {
    const answer = answerWith(count);
    const tokens = sentTokens(answer, limit.shape);
    if (tokens <= limit.maxTokens || count <= 1) return answer;
    count = Math.max(1, Math.min(count - 1, Math.floor(count * 0.95 * limit.maxTokens / tokens)));
  }
}
