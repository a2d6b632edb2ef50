import { openProgramFile } from "../../sandbox/mod.ts";
import { fileSource } from "./byte_source.ts";
import { decodeTable } from "./decode.ts";
import { Table } from "./table.ts";

/** Reads the table that comes with the program. Throws what reading throws, or an error where it is no table. */
export function loadTable(): Table {
  using file = openProgramFile("lib/embedding/builtin/table.bin");
  return new Table(decodeTable(fileSource(file)));
}
