import { deepEqual } from "node:assert/strict";
import { permissionsOf, type RunPlaces } from "../../lib/sandbox/mod.ts";

const PLACES: RunPlaces = {
  roots: ["/notes"],
  registry: "/state/folders",
  logDir: "/state/logs",
  servers: [],
  named: [],
  tempDir: "/tmp",
  program: ["/program"],
};

Deno.test("serve writes logs alone; with --update the data folders and the list of folders too", () => {
  deepEqual(permissionsOf("serve", PLACES).write, ["/state/logs"]);
  deepEqual(permissionsOf("serve", PLACES, { update: false }), permissionsOf("serve", PLACES));
  deepEqual(permissionsOf("serve", PLACES, { update: true }), permissionsOf("index", PLACES));
});
