import { openProgramFile } from "../../sandbox/mod.ts";
import { fileSource } from "./byte_source.ts";
import { decodeTable } from "./decode.ts";
import { Table } from "./table.ts";

/** Reads the table that comes with the program. Throws the error of reading, or an error if the file is not a valid table. */
export function loadTable(): Table {
  using file = openProgramFile("lib/embedding/builtin/table.bin");
  return new Table(decodeTable(fileSource(file)));
}

/** The built-in table, loaded on first use and then shared. Most commands do not need it. */
export class LazyTable {
  #table: Table | undefined;

  /** Returns the table. Throws as {@linkcode loadTable} does. */
  get(): Table {
    return this.#table ??= loadTable();
  }
}
