import { deepEqual, equal, match, throws } from "node:assert/strict";
import { checkName, endOf, newToken, tokenHash } from "#library/people/mod.ts";

Deno.test("a token has 256 random bits after a prefix, and is known by its SHA-256", () => {
  const tokens = new Set(Array.from({ length: 100 }, newToken));
  equal(tokens.size, 100);
  for (const token of tokens) match(token, /^mxr_[\w-]{43}$/);
  equal(tokenHash("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
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
