import { PROGRAM_FILES, TABLE_IS_APART } from "../../program_root.ts";
import { type FilePart, openFileApart, openProgramFile } from "../../sandbox/mod.ts";
import { fileSource } from "./byte_source.ts";
import { decodeTable } from "./decode.ts";
import { Table } from "./table.ts";

/**
 * Reads the table that comes with the program. Throws the error of reading, or an error if the file is not a valid table.
 */
export function loadTable(part: FilePart = openTable()): Table {
  using _file = part.file;
  return new Table(decodeTable(fileSource(part)));
}

/** The built-in table, loaded on first use and then shared. Most commands do not need it. */
export class LazyTable {
  // The executable may be replaced by a newer one while the program runs, so it is opened now.
  #part: FilePart | undefined = TABLE_IS_APART ? openTable() : undefined;
  #table: Table | undefined;

  /** Returns the table. Throws as {@linkcode loadTable} does. */
  get(): Table {
    if (this.#table === undefined) {
      const part = this.#part;
      this.#part = undefined;
      this.#table = loadTable(part);
    }
    return this.#table;
  }
}

function openTable(): FilePart {
  return TABLE_IS_APART ? openFileApart(PROGRAM_FILES) : openProgramFile("lib/embedding/builtin/table.bin");
}
