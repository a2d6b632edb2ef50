import { loadTable } from "./load_table.ts";
import type { Table } from "./table.ts";

/** The built-in table, read when it is first wanted and then shared: most of what a program does needs none. */
export class LazyTable {
  #table: Table | undefined;

  /** Throws what reading the file throws. */
  get(): Table {
    return this.#table ??= loadTable();
  }
}
