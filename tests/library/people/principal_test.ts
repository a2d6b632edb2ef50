import { deepEqual, equal, match, throws } from "node:assert/strict";
import { checkName, endOf, grantedFolders, grantOf, newToken, tokenHash } from "#library/people/mod.ts";

Deno.test("a token has 256 random bits after a prefix, and is known by its SHA-256", () => {
  const tokens = new Set(Array.from({ length: 100 }, newToken));
  equal(tokens.size, 100);
  for (const token of tokens) match(token, /^mxr_[\w-]{43}$/);
  equal(tokenHash("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});

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

Deno.test("the end of a token is a number of hours, days or weeks, the end of a day, or never", () => {
  const now = new Date("2026-01-31T12:00:00Z");
  deepEqual(
    ["90d", "12h", "4w", "2026-01-31", "2028-02-29", "never"].map((text) => endOf(text, now)?.toISOString()),
    [
      "2026-05-01T12:00:00.000Z",
      "2026-02-01T00:00:00.000Z",
      "2026-02-28T12:00:00.000Z",
      "2026-01-31T23:59:59.999Z",
      "2028-02-29T23:59:59.999Z",
      undefined,
    ],
  );
  for (
    const text of [
      "",
      "0d",
      "-1d",
      "90",
      "1y",
      "99999d",
      "2026-01-30",
      "2026-02-30",
      "2040-01-01",
      "Never",
      "1e3d",
    ]
  ) {
    throws(() => endOf(text, now), { key: "token_expires_invalid" }, text);
  }
});

Deno.test("the name of a token is a name and no path, list or control character", () => {
  deepEqual(["ann", " Ben B. ", "备份-1", "a@b.example"].map(checkName), [
    "ann",
    "Ben B.",
    "备份-1",
    "a@b.example",
  ]);
  for (const name of ["", " ", "../x", "a/b", "-x", "a\nb", "a\u202eb", "a,b", "x".repeat(65), ".a"]) {
    throws(() => checkName(name), { key: "token_name_invalid" }, name);
  }
});
