/**
 * Reads rows of a table of a document by conditions on its columns, without a model.
 * Below it: which table is meant, how a cell compares with a value, and the order of rows.
 */
import { type DocumentTable, type TableRow, tablesOf } from "#documents/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { folded } from "#foundation/written_values.ts";
import { nearest } from "#foundation/configuration/mod.ts";
import { present } from "#foundation/present.ts";
import { dateOf, numberOf } from "#foundation/written_values.ts";
import type { ServedDocument } from "./types.ts";

/** Comparisons of a cell with a value, by their names in a condition. */
const OPERATORS = {
  eq: (cell: Cell, value: Operand) => compare(cell, value) === 0,
  ne: (cell: Cell, value: Operand) => compare(cell, value) !== 0,
  gt: (cell: Cell, value: Operand) => compare(cell, value) > 0,
  gte: (cell: Cell, value: Operand) => compare(cell, value) >= 0,
  lt: (cell: Cell, value: Operand) => compare(cell, value) < 0,
  lte: (cell: Cell, value: Operand) => compare(cell, value) <= 0,
  contains: (cell: Cell, value: Operand) => cell.folded.includes(value.folded),
} as const;
const OPERATOR_NAMES = [...Object.keys(OPERATORS), "in", "missing"];

/** The rows and columns that a call asks for. */
export interface TableQuery {
  /** Number of the table in the document, from 1, or the name of its sheet or heading. */
  readonly table?: string | number | undefined;
  /** Conditions by the names of columns; all must hold. A value alone means `eq`, a list means `in`. */
  readonly where?: Readonly<Record<string, unknown>> | undefined;
  /** Names of the columns to return. Default: all. */
  readonly columns?: readonly string[] | undefined;
  /** Name of the column to sort by; `-` before it begins with the greatest. Default: the order of the table. */
  readonly orderBy?: string | undefined;
}

/** The rows of one table for which all conditions hold, in their order. */
export interface QueriedTable {
  readonly table: DocumentTable;
  /** Number of the table in the document, from 1, and of the tables in it. */
  readonly number: number;
  readonly tables: number;
  readonly columns: readonly string[];
  readonly rows: readonly TableRow[];
}

/**
 * Returns the rows that a query asks for. Throws `UserError` `table_none` for a document without tables, `table_unknown`,
 * `table_not_named` where several tables fit, and `table_no_such_column`, with the `tables` that there are and what is
 * `nearest` as names of the file, separated by NUL; `table_bad_condition`.
 */
export function queryTable(served: ServedDocument, query: TableQuery): QueriedTable {
  const { document, format, path } = served;
  const tables = tablesOf(document, format);
  if (tables.length === 0) throw new UserError("table_none", { path });
  const { where = {}, columns, orderBy } = query;
  const descending = orderBy?.startsWith("-") ?? false;
  const sorted = orderBy === undefined ? [] : [descending ? orderBy.slice(1) : orderBy];
  const wanted = [...Object.keys(where), ...columns ?? [], ...sorted];
  const matching = (table: DocumentTable) => {
    const tests = Object.entries(where).map(([name, condition]) => {
      const column = indexOf(table, name)!;
      return { column, holds: testOf(condition, table.columns[column]!) };
    });
    return table.rows.filter(({ cells }) => tests.every(({ column, holds }) => holds(cells[column] ?? "")));
  };
  const hasRows = (table: DocumentTable) => Object.keys(where).length > 0 && matching(table).length > 0;
  const table = chosen(tables, query.table, wanted, hasRows);
  let rows = matching(table);
  for (const name of sorted) rows = inOrder(rows, indexOf(table, name)!, descending);
  const shown = columns?.map((name) => indexOf(table, name)!);
  return {
    table,
    number: tables.indexOf(table) + 1,
    tables: tables.length,
    columns: shown?.map((column) => table.columns[column]!) ?? table.columns,
    rows: shown === undefined
      ? rows
      : rows.map((row) => ({ ...row, cells: shown.map((column) => row.cells[column] ?? "") })),
  };
}

/** Returns the table that is named, or the only one that has all the columns, or of several such tables the only one that `hasRows`. */
function chosen(
  tables: readonly DocumentTable[],
  asked: string | number | undefined,
  wanted: readonly string[],
  hasRows: (table: DocumentTable) => boolean,
): DocumentTable {
  const named = asked === undefined || asked === "" ? tables : tablesNamed(tables, String(asked));
  const fitting = named.filter((table) => wanted.every((name) => indexOf(table, name) !== undefined));
  if (fitting.length === 1) return fitting[0]!;
  if (fitting.length > 1) {
    const matching = fitting.filter(hasRows);
    if (matching.length === 1) return matching[0]!;
    throw new UserError("table_not_named", {
      tables: listOf(matching.length > 0 ? matching : fitting, tables),
    });
  }
  const missing = wanted.find((name) => named.every((table) => indexOf(table, name) === undefined)) ??
    wanted.find((name) => indexOf(named[0]!, name) === undefined)!;
  const near = nearest(missing, named.flatMap(({ columns }) => columns));
  throw new UserError(
    "table_no_such_column",
    present({ column: missing, tables: listOf(named, tables), nearest: near }),
  );
}

function tablesNamed(tables: readonly DocumentTable[], asked: string): readonly DocumentTable[] {
  const wanted = folded(asked);
  const titled = tables.filter(({ title }) => folded(title) === wanted);
  if (titled.length > 0) return titled;
  const numbered = /^\d{1,6}$/.test(wanted) ? tables[Number(wanted) - 1] : undefined;
  if (numbered !== undefined) return [numbered];
  const near = nearest(asked, tables.map(({ title }) => title));
  throw new UserError(
    "table_unknown",
    present({ table: asked, tables: listOf(tables, tables), nearest: near }),
  );
}

/** Tables, and columns of each, that an error names. */
const MOST_NAMED = 12;
/** UTF-16 units of a name in an error. */
const LONGEST_NAME = 60;

/** Tables as an error names them, separated by NUL: `1 "Prices" (Part, Price)`. `all`: those that are counted. */
function listOf(tables: readonly DocumentTable[], all: readonly DocumentTable[]): string {
  const cut = (name: string) =>
    name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…`.toWellFormed() : name;
  const list = tables.slice(0, MOST_NAMED).map((table) => {
    const { title, columns } = table;
    const names = columns.slice(0, MOST_NAMED).map(cut).join(", ");
    const more = columns.length > MOST_NAMED ? ", …" : "";
    return `${all.indexOf(table) + 1}${title === "" ? "" : ` "${cut(title)}"`} (${names}${more})`;
  });
  return [...list, ...(tables.length > MOST_NAMED ? [`… (${tables.length})`] : [])].join("\0");
}

function indexOf({ columns }: DocumentTable, name: string): number | undefined {
  const wanted = folded(name);
  const at = columns.findIndex((column) => folded(column) === wanted);
  return at < 0 ? undefined : at;
}

/** A cell or a value in the forms that are compared. */
interface Cell {
  readonly folded: string;
  readonly number: number | undefined;
  readonly date: string | undefined;
}

interface Operand extends Cell {
  /** A year or a month, with which the beginning of a date is compared. */
  readonly period: string | undefined;
}

function cellOf(text: string): Cell {
  const date = dateOf(text);
  return { folded: folded(text), number: date === undefined ? numberOf(text) : undefined, date };
}

function operandOf(value: string | number | boolean): Operand {
  const text = String(value);
  return {
    ...cellOf(text),
    period: periodOf(text),
  };
}

/** Returns a year or month as the beginning of a date: `2024-03` of `2024-03`, `2024/3`, `2024年3月`. */
function periodOf(text: string): string | undefined {
  const [, year, month] = PERIOD.exec(text.normalize("NFKC").trim()) ?? [];
  return month === undefined ? year : `${year}-${month.padStart(2, "0")}`;
}

const PERIOD = /^(\d{4})(?: ?年|(?:[-/]| ?年 ?)(0?[1-9]|1[0-2])(?: ?月)?)?$/;

/**
 * Compares a cell with a value: as dates, as numbers, or as texts; negative if the cell is less. NaN, for which no comparison
 * but `ne` holds, if one is a date or number and the other is not. Dates are compared as exactly as both are given.
 */
function compare(cell: Cell, value: Operand): number {
  if (cell.date !== undefined) {
    const other = value.date ?? value.period;
    if (other === undefined) return NaN;
    const length = Math.min(cell.date.length, other.length);
    return order(cell.date.slice(0, length), other.slice(0, length));
  }
  if (cell.number !== undefined && value.number !== undefined) return cell.number - value.number;
  if (cell.number !== undefined || value.number !== undefined || value.date !== undefined) {
    return cell.folded === value.folded ? 0 : NaN;
  }
  return cell.folded === "" && value.folded !== "" ? NaN : order(cell.folded, value.folded);
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

type CellTest = (cell: string) => boolean;

function testOf(condition: unknown, column: string): CellTest {
  if (isValue(condition)) return test("eq", condition, column);
  if (Array.isArray(condition)) return test("in", condition, column);
  const parts = Object.entries(
    typeof condition === "object" && condition !== null ? condition : { "": condition },
  );
  const tests = parts.map(([name, value]) => test(name, value, column));
  return (cell) => tests.every((holds) => holds(cell));
}

function test(name: string, value: unknown, column: string): CellTest {
  const wrong = () => new UserError("table_bad_condition", { column, known: OPERATOR_NAMES.join(", ") });
  if (name === "missing") {
    if (typeof value !== "boolean") throw wrong();
    return (cell) => (cell === "") === value;
  }
  if (name === "in") {
    if (!Array.isArray(value) || !value.every(isValue)) throw wrong();
    const operands = value.map(operandOf);
    return (text) => {
      const cell = cellOf(text);
      return operands.some((operand) => compare(cell, operand) === 0);
    };
  }
  if (!Object.hasOwn(OPERATORS, name) || !isValue(value)) throw wrong();
  const holds = OPERATORS[name as keyof typeof OPERATORS];
  const operand = operandOf(value);
  return (text) => holds(cellOf(text), operand);
}

function isValue(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

/** Sorts rows by a column: numbers, dates, texts, then empty cells; equal cells in the order of the table. */
function inOrder(rows: readonly TableRow[], column: number, descending: boolean): TableRow[] {
  const keyed = rows.map((row) => ({ row, cell: cellOf(row.cells[column] ?? "") }));
  const kind = ({ number, date, folded }: Cell) =>
    number !== undefined ? 0 : date !== undefined ? 1 : folded !== "" ? 2 : 3;
  return keyed.sort(({ cell: a }, { cell: b }) => {
    const apart = kind(a) - kind(b);
    if (apart !== 0) return apart;
    const by = a.number !== undefined ? a.number - b.number! : order(a.date ?? a.folded, b.date ?? b.folded);
    return descending ? -by : by;
  }).map(({ row }) => row);
}
