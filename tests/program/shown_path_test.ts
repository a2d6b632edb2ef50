import { deepEqual } from "node:assert/strict";
import { pathNames } from "#program/commands/search/show_hits.ts";

Deno.test({
  name: "pathNames() shortens paths to the folder that was asked",
  ignore: Deno.build.os === "windows",
  fn: () => {
    const names = (roots: string[], ...paths: string[]) => paths.map(pathNames(roots));
    deepEqual(names(["/home/me/notes"], "/home/me/notes/a/b.md", "/home/me/notes2/c.md"), [
      "a/b.md",
      "/home/me/notes2/c.md",
    ]);
    deepEqual(names(["/"], "/a.md"), ["a.md"]);
    deepEqual(names(["/home/me/notes", "/srv/papers"], "/home/me/notes/a.md", "/srv/papers/b.md"), [
      "notes/a.md",
      "papers/b.md",
    ]);
    deepEqual(
      names(
        ["/srv/one/docs", "/srv/two/docs", "/x"],
        "/srv/one/docs/a.md",
        "/srv/two/docs/a.md",
        "/x/a.md",
      ),
      ["one/docs/a.md", "two/docs/a.md", "x/a.md"],
    );
    deepEqual(names(["/notes", "/notes/inner"], "/notes/inner/a.md", "/notes/b.md"), [
      "inner/a.md",
      "notes/b.md",
    ]);
  },
});
