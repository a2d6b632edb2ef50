/**
 * Reads the schema of an SQLite database: the columns of its tables, from the statements that created them.
 * Below it: the parts of a statement. The text in strings, quoted names and comments does not count.
 */
import type { SqlRow, SqlValue } from "./database.ts";

/** A table with rows, or a view. */
export interface SqlTable {
  readonly name: string;
  readonly root: number;
  /** In the order in which rows store them. */
  readonly stored: readonly Column[];
  /** Names in the order of the statement. */
  readonly columns: readonly string[];
  /** The column that stands for the number of a row, which rows do not store. */
  readonly alias: string | undefined;
  /** The statement that created it, with its comments. */
  readonly sql: string;
}

export interface SqlView {
  readonly name: string;
  readonly sql: string;
}

interface Column {
  readonly name: string;
  /** Value in rows that were written before the column was added. */
  readonly value: string | undefined;
}

/** Tables in which SQLite's own search and R-trees keep what cannot be read. Their text is in `_content` or in another table. */
const SHADOWS = ["data", "idx", "docsize", "config", "segments", "segdir", "stat", "node", "parent", "rowid"];

/** Returns the tables and views in the rows of the schema: type, name, table, root page, statement. */
export function readSchema(
  rows: Iterable<SqlRow>,
): { readonly tables: SqlTable[]; readonly views: SqlView[] } {
  const entries = [...rows].map(({ values: [type, name, , root, sql] }) => ({
    type,
    name: String(name ?? ""),
    root: Number(root ?? 0),
    sql: String(sql ?? ""),
  }));
  const virtual = new Map(
    entries.filter(({ sql }) => /^\s*CREATE\s+VIRTUAL\s+TABLE\b/i.test(sql)).map((
      { name, sql },
    ) => [name, sql]),
  );
  const shadows = new Set([...virtual.keys()].flatMap((name) => SHADOWS.map((part) => `${name}_${part}`)));
  const tables: SqlTable[] = [];
  // A name that is repeated in a forged schema would have the statement of its search read each time.
  const seen = new Set(shadows);
  for (const { type, name, root, sql } of entries) {
    if (type !== "table" || root === 0 || /^sqlite_/i.test(name) || seen.has(name)) continue;
    seen.add(name);
    const searched = name.endsWith("_content") ? virtual.get(name.slice(0, -"_content".length)) : undefined;
    tables.push(searched === undefined ? tableOf(name, root, sql) : contentOf(name, root, sql, searched));
  }
  const views = entries.filter(({ type }) => type === "view").map(({ name, sql }) => ({ name, sql }));
  return { tables, views };
}

/** Returns the values of a row in the order of the table's columns. */
export function valuesOf({ stored, columns, alias }: SqlTable, { number, values }: SqlRow): SqlValue[] {
  const found = new Map<string, SqlValue>(
    stored.map(({ name, value }, i) => [name, i < values.length ? values[i] : value] as const),
  );
  if (alias !== undefined) found.set(alias, number);
  return columns.map((name) => found.get(name));
}

/** Returns the table with the text of a full-text search, named as its columns are there. */
function contentOf(name: string, root: number, sql: string, searched: string): SqlTable {
  const table = tableOf(name, root, sql);
  const names = definitions(searched).map((part) => nameIn(part)).filter((column) => column !== "");
  const renamed = new Map(
    table.columns.filter((column) => /^c\d/.test(column)).map((column, i) =>
      [column, names[i] ?? column] as const
    ),
  );
  return {
    ...table,
    name: name.slice(0, -"_content".length),
    stored: table.stored.map((column) => ({ ...column, name: renamed.get(column.name) ?? column.name })),
    columns: table.columns.map((column) => renamed.get(column) ?? column),
    sql: searched,
  };
}

/** Most columns of a table that are read. SQLite allows as many by default. */
const MOST_COLUMNS = 2000;
const CONSTRAINT = /^(?:CONSTRAINT|PRIMARY|UNIQUE|CHECK|FOREIGN)\b/i;

function tableOf(name: string, root: number, sql: string): SqlTable {
  const columns: (Column & { isKey: boolean; isInteger: boolean; isStored: boolean })[] = [];
  let key: string[] = [];
  for (const part of definitions(sql)) {
    if (CONSTRAINT.test(part)) {
      const list = /\bPRIMARY\s+KEY\s*\(/i.exec(part);
      if (list !== null) key = definitions(part.slice(list.index)).map(nameIn);
      continue;
    }
    if (columns.length === MOST_COLUMNS) continue;
    const column = nameIn(part);
    const rest = outside(part.slice(part.indexOf(column) + column.length));
    columns.push({
      name: column,
      isKey: /\bPRIMARY\s+KEY\b(?!\s+DESC)/i.test(rest),
      isInteger:
        /^["\]`']?\s*INTEGER\s*(?=$|\b(?:PRIMARY|NOT|NULL|UNIQUE|CONSTRAINT|DEFAULT|CHECK|COLLATE|REFERENCES)\b)/i
          .test(rest),
      isStored: !/\bAS\s*\(/i.test(rest) || /\bSTORED\b/i.test(rest),
      value: defaultOf(part),
    });
  }
  if (key.length === 0) key = columns.filter(({ isKey }) => isKey).map(({ name: one }) => one);
  const isKey = new Set(key.map((one) => one.toLowerCase()));
  const real = columns.filter(({ isStored }) => isStored);
  const isBare = /\bWITHOUT\s+ROWID\b/i.test(outside(sql.slice(sql.lastIndexOf(")") + 1)));
  // The rows of a table without row numbers store its key first.
  const byName = new Map(real.toReversed().map((column) => [column.name.toLowerCase(), column] as const));
  const first = [...isKey].flatMap((one) => byName.get(one) ?? []);
  const stored = isBare ? [...new Set([...first, ...real])] : real;
  const alias = !isBare && first.length === 1 && isKey.size === 1 && first[0]!.isInteger
    ? first[0]!.name
    : undefined;
  return { name, root, stored, columns: real.map((column) => column.name), alias, sql };
}

/** Returns the default of a column as text, if it is a string or a number. */
function defaultOf(part: string): string | undefined {
  const [, text, number] = /\bDEFAULT\s+(?:'((?:[^']|'')*)'|([-+]?[\d.]+))/i.exec(part) ?? [];
  return text?.replaceAll("''", "'") ?? number;
}

/** Matches strings, names in quotes, and comments. */
const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*(?:[^*]|\*(?!\/))*\*\//y;
const LONGEST = 1_000_000;

/** Returns the parts between commas in the first parentheses of a statement, without comments. */
function definitions(statement: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = "";
  const sql = statement.slice(0, LONGEST);
  const quotedAt = quotesIn(sql);
  for (let at = 0; at < sql.length;) {
    const quoted = quotedAt(at);
    if (quoted !== undefined) {
      if (depth > 0 && !/^(?:--|\/\*)/.test(quoted)) part += quoted;
      at += quoted.length;
      continue;
    }
    const char = sql[at++]!;
    if (char === "(" && depth++ === 0) continue;
    if (char === ")" && --depth === 0) break;
    if (char === "," && depth === 1) {
      parts.push(part.trim());
      part = "";
    } else if (depth > 0) part += char;
  }
  return [...parts, part.trim()].filter((one) => one !== "");
}

/**
 * Returns a function that returns what is quoted at a place of a statement; `undefined` if nothing is, or its end is missing.
 * Places must be asked for in their order.
 */
function quotesIn(sql: string): (at: number) => string | undefined {
  // An end that is missing once is missing for all later marks of the kind, and is not searched again.
  const missing = new Set<string>();
  return (at) => {
    const char = sql[at]!;
    if (!"'\"`[-/".includes(char)) return undefined;
    const mark = "-/".includes(char) ? sql.slice(at, at + 2) : char;
    if (missing.has(mark)) return undefined;
    QUOTED.lastIndex = at;
    const quoted = QUOTED.exec(sql)?.[0];
    if (quoted === undefined) missing.add(mark);
    return quoted;
  };
}

/** Returns a text without what is quoted. */
function outside(statement: string): string {
  const sql = statement.slice(0, LONGEST);
  const quotedAt = quotesIn(sql);
  let text = "";
  for (let at = 0; at < sql.length;) {
    const quoted = quotedAt(at);
    text += quoted === undefined ? sql[at] : " ";
    at += quoted?.length ?? 1;
  }
  return text;
}

/** Returns the name at the start of a definition, without its quotes. */
function nameIn(part: string): string {
  const quoted = part === "" ? undefined : quotesIn(part)(0);
  return quoted === undefined ? /^[^\s(),]*/.exec(part)![0] : quoted.slice(1, -1);
}
