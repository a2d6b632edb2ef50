import { deepEqual, equal } from "node:assert/strict";
import {
  isLockedCommand,
  keptBy,
  type LockedCommand,
  permissionsOf,
  type Row,
  type RunPlaces,
} from "../../lib/sandbox/mod.ts";

const PLACES: RunPlaces = {
  roots: ["/docs", "/notes"],
  registry: "/state/folders",
  logDir: "/state/logs",
  servers: ["127.0.0.1:1234"],
  named: ["/named"],
  tempDir: "/tmp/x",
  program: ["/program/"],
};

const CLOSED = { env: false, run: false, ffi: false, sys: false, import: false };
const READ = ["/docs", "/notes", "/state/folders", "/program/"];
const INDEX = ["/docs/.muxue_rag", "/notes/.muxue_rag"];
const STATE = ["/state/folders", "/state/logs"];
const NET = ["127.0.0.1:1234"];

Deno.test("permissionsOf() gives every command what its row says and nothing else", () => {
  const rows: Record<Row, object> = {
    "index": { read: [...READ, ...INDEX, "/state/logs"], write: [...INDEX, ...STATE], net: NET },
    "reembed": { read: [...READ, ...INDEX, "/state/logs"], write: [...INDEX, ...STATE], net: NET },
    "search": { read: [...READ, ...INDEX, "/state/logs"], write: [...INDEX, ...STATE], net: NET },
    "search --no-update": { read: [...READ, "/state/logs"], write: ["/state/logs"], net: NET },
    "serve": { read: [...READ, "/state/logs"], write: ["/state/logs"], net: NET },
    "serve --update": { read: [...READ, ...INDEX, "/state/logs"], write: [...INDEX, ...STATE], net: NET },
    "status": { read: READ, write: false, net: false },
    "doctor": { read: [...READ, "/state/logs"], write: ["/state/logs"], net: NET },
    "clean": { read: [...READ, ...INDEX, "/state/logs"], write: [...INDEX, ...STATE], net: false },
    "backup": {
      read: [...READ, "/named", "/state/logs"],
      write: ["/state/logs", "/named"],
      net: false,
    },
    "restore": {
      read: [...READ, "/named", ...INDEX, "/state/logs"],
      write: [...INDEX, ...STATE],
      net: false,
    },
    "eval": {
      read: [...READ, "/named", "/tmp/x", ...INDEX, "/state/logs"],
      write: [...INDEX, ...STATE, "/tmp/x"],
      net: NET,
    },
    "extract": { read: [...READ, "/named"], write: false, net: false },
  };
  for (const [row, expected] of Object.entries(rows)) {
    const [command, flag] = row.split(" ") as [LockedCommand, string?];
    deepEqual(
      permissionsOf(command, PLACES, { update: flag === "--update", noUpdate: flag === "--no-update" }),
      { ...expected, ...CLOSED },
      row,
    );
  }
});

Deno.test("permissionsOf() closes the net where no server is configured, and writing where there are no logs", () => {
  const { net, write } = permissionsOf("serve", { ...PLACES, servers: [], logDir: null });
  deepEqual({ net, write }, { net: false, write: false });
});

Deno.test("permissionsOf() knows each flag of its own command alone", () => {
  const flags = { update: true, noUpdate: true };
  deepEqual(permissionsOf("index", PLACES, flags), permissionsOf("index", PLACES));
  deepEqual(permissionsOf("search", PLACES, { update: true }), permissionsOf("search", PLACES));
  deepEqual(permissionsOf("serve", PLACES, { noUpdate: true }), permissionsOf("serve", PLACES));
});

Deno.test("of the commands that are not locked, those that write no file may not", () => {
  const commands = ["config check", "config decrypt", "licenses", "version", "help"] as const;
  for (const command of commands) deepEqual(keptBy(command), ["read"], command);
});

Deno.test("commands that work on no folder have no row", () => {
  for (const command of ["setup", "version", "config check", "help", "toString"]) {
    equal(isLockedCommand(command), false, command);
  }
});
