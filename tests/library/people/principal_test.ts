import { deepEqual } from "node:assert/strict";
import { grantedFolders, grantOf } from "#library/people/mod.ts";

Deno.test("a right is read from NAME, NAME:read or NAME:write", () => {
  const read = [
    "notes",
    "notes:read",
    "notes:write",
    "a:b",
    "C:\\notes",
    "C:\\notes:write",
    "x:admin",
    " tea :write",
  ]
    .map((text) => Object.values(grantOf(text)).join(" | "));
  deepEqual(read, [
    "notes | read",
    "notes | read",
    "notes | write",
    "a:b | read",
    "C:\\notes | read",
    "C:\\notes | write",
    "x:admin | read",
    "tea | write",
  ]);
});

Deno.test("rights are those of configured names and of paths, and never of names that were made of a path", () => {
  const config = { collections: { notes: { path: "/a/docs" }, docs: { path: "/elsewhere" } } } as never;
  const roots = ["/a/docs", "/b/docs", "/b/docs/inner"];
  const of = (...texts: string[]) => {
    const { roots: granted, writable } = grantedFolders({ grants: texts.map(grantOf) }, roots, config);
    return { granted, writable };
  };
  deepEqual(of("notes"), { granted: ["/a/docs"], writable: [] });
  deepEqual(of("docs", "b/docs", "NOTES", "note", ""), { granted: [], writable: [] });
  deepEqual(of("/b/docs", "notes:write"), { granted: ["/a/docs", "/b/docs"], writable: ["/a/docs"] });
  deepEqual(of("notes", "notes:write"), { granted: ["/a/docs"], writable: ["/a/docs"] });
  deepEqual(of(), { granted: [], writable: [] });
});

Deno.test("a collection inside another is hidden without a right to it, served or not, and its folder is then not written", () => {
  const config = {
    collections: { docs: { path: "/docs" }, board: { path: "/docs/board" }, old: { path: "/docs/old" } },
  } as never;
  const of = (...texts: string[]) =>
    grantedFolders({ grants: texts.map(grantOf) }, ["/docs", "/docs/board"], config);
  deepEqual(of("docs:write", "board:write"), {
    roots: ["/docs", "/docs/board"],
    writable: ["/docs/board"],
    others: ["/docs/old"],
  });
  deepEqual(of("docs:write", "board", "old"), {
    roots: ["/docs", "/docs/board"],
    writable: ["/docs"],
    others: [],
  });
  deepEqual(of("board:write"), {
    roots: ["/docs/board"],
    writable: ["/docs/board"],
    others: ["/docs", "/docs/old"],
  });
});
