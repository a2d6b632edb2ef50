import { equal, ok } from "node:assert/strict";
import * as fc from "fast-check";
import { UserError } from "#foundation/errors.ts";
import { openInside, resolveFolderInside, resolveInside } from "#foundation/boundary/mod.ts";
import { assertFuzzed } from "../../_fuzz.ts";
import { textOf } from "./helpers.ts";
import { playground } from "./_playground.ts";
import { posixTest } from "../../_posix.ts";

const KEYS = [
  "file_unreadable",
  "no_permission",
  "file_not_found",
  "directory_not_found",
  "not_a_file",
  "not_a_directory",
  "path_ambiguous",
];

posixTest(
  "whatever a path looks like, only files inside the root are opened, and refusals have a name",
  async () => {
    using temp = playground();
    const root = temp.at("root");
    Deno.symlinkSync("../root-secret", temp.at("root/out"));
    Deno.symlinkSync("../root-secret/key.txt", temp.at("root/sub/key.txt"));
    Deno.symlinkSync("sub", temp.at("root/in"));
    Deno.symlinkSync("loop", temp.at("root/loop"));
    Deno.symlinkSync("/nowhere/at/all", temp.at("root/dangling"));
    Deno.symlinkSync("root", temp.at("alias"));
    Deno.writeTextFileSync(temp.at("root-secret/key.txt"), "swordfish");
    const part = fc.oneof(
      {
        weight: 8,
        arbitrary: fc.constantFrom(
          ...["a.txt", "sub", "日记 100% 🎉.txt", "%41.txt", "in", "out", "key.txt", "loop", "dangling"],
          ...["..", ".", ""],
          ...[".git", "config", "root", "root-secret", "alias", "%2e%2e", "..;", "...", "~", "a.txt/"],
          ...["A.TXT"],
          ...[
            "..\\",
            "a.txt:stream",
            "\0",
            "con",
            "é",
            "e\u0301",
            "\ud800",
            "x".repeat(300),
            "*",
            "$HOME",
            "|",
            "\n",
          ],
        ),
      },
      { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 8 }) },
    );
    const start = fc.constantFrom(
      ...["", "/", "./", "../../", "~/", "//", `${root}/`, `${temp.path}/`, `file://${root}/`, "file:"],
      ...["FILE:///", "C:\\"],
      ...["\\\\server\\share\\", `${temp.at("alias")}/`, "/proc/self/root", "/dev/fd/", "file://host/"],
    );
    const strange = fc.tuple(
      start,
      fc.array(part, { maxLength: 8 }),
      fc.constantFrom("/", "/", "/", "\\", "//", "/./"),
    )
      .map(([start, parts, separator]) => start + parts.join(separator));
    const plain = fc.constantFrom("a.txt", "./sub/../a.txt", `${root}/a.txt`, "日记 100% 🎉.txt", "%41.txt");
    const path = fc.oneof({ weight: 9, arbitrary: strange }, { weight: 1, arbitrary: plain });
    let opened = 0;
    await assertFuzzed(
      fc.asyncProperty(path, async (path) => {
        for (const resolve of [resolveInside, resolveFolderInside]) {
          try {
            const { real, relative } = await resolve(path, [root]);
            equal(Deno.realPathSync(real), real);
            ok(real === root || real.startsWith(`${root}/`), real);
            ok(!relative.split("/").some((name) => name.startsWith(".")), relative);
            if (resolve === resolveFolderInside) continue;
            using file = await openInside({ real });
            equal(await textOf(file), "text\n");
            opened++;
          } catch (error) {
            ok(error instanceof UserError && KEYS.includes(error.key), `${path}: ${error}`);
          }
        }
      }),
      1500,
    );
    ok(opened > 20, `${opened} opened`);
  },
);
