import { deepEqual, equal } from "node:assert/strict";
import { posixTest } from "../_posix.ts";
import { CurrentRules } from "#library/corpus/mod.ts";
import type { IngestSummary } from "#library/ingest/mod.ts";
import { Place } from "../library/ingest/_place.ts";
import { assertUserError, IS_ROOT } from "../foundation/boundary/helpers.ts";

const OPTIONS = { include: [], exclude: [], ignoreFiles: true };
const NO_VECTORS = { embedding: { provider: "none" } } as const;
const NAMES = [".gitignore", ".muxueragignore"];

function utf16(text: string, littleEndian: boolean, mark = "\ufeff"): Uint8Array {
  const bytes = new Uint8Array((mark + text).length * 2);
  const view = new DataView(bytes.buffer);
  Array.from(mark + text, (each, at) => view.setUint16(at * 2, each.charCodeAt(0), littleEndian));
  return bytes;
}

/** Forms of an ignore file with `private/` and `私人/` that are obeyed. */
const OBEYED: Readonly<Record<string, (place: Place, path: string) => void>> = {
  "UTF-8 with a byte order mark": (place, path) => place.write({ [path]: "\ufeffprivate/\n私人/\n" }),
  "UTF-16, little endian": (place, path) => place.write({ [path]: utf16("private/\r\n私人/\r\n", true) }),
  "UTF-16, big endian": (place, path) => place.write({ [path]: utf16("private/\n私人/\n", false) }),
  "UTF-16 without a mark": (place, path) => place.write({ [path]: utf16("private/\r\n私人/\r\n", true, "") }),
  "GBK": (place, path) =>
    place.write({
      [path]: new Uint8Array([...new TextEncoder().encode("private/\n"), 0xcb, 0xbd, 0xc8, 0xcb, 0x2f, 0x0a]),
    }),
  "lines that end in a carriage return": (place, path) => place.write({ [path]: "private/\r私人/\r" }),
  "rules behind 3,000 others": (place, path) =>
    place.write({ [path]: `${"x.log\n".repeat(3_000)}private/\n私人/\n` }),
  "a link within the folder": (place, path) => {
    place.write({ "rules.md": "private/\n私人/\n" });
    Deno.symlinkSync(place.at("rules.md"), place.at(path));
  },
  "a link to a hidden file of the folder": (place, path) => {
    place.write({ ".config/rules": "private/\n私人/\n" });
    Deno.symlinkSync(place.at(".config/rules"), place.at(path));
  },
};

/** Forms that cannot be read as rules, with the message for each. */
const REFUSED: Readonly<Record<string, readonly [key: string, (place: Place, path: string) => void]>> = {
  "a folder": ["ignore_file_not_a_file", (place, path) => Deno.mkdirSync(place.at(path))],
  "a pipe": ["ignore_file_not_a_file", (place, path) => {
    new Deno.Command("mkfifo", { args: [place.at(path)] }).outputSync();
  }],
  "a link out of the folder": ["ignore_file_link", (place, path) => {
    Deno.writeTextFileSync(place.beside("rules"), "private/\n");
    Deno.symlinkSync(place.beside("rules"), place.at(path));
  }],
  "a link to nothing": ["ignore_file_link", (place, path) => Deno.symlinkSync("nothing", place.at(path))],
  "a link to itself": ["ignore_file_link", (place, path) => Deno.symlinkSync(place.at(path), place.at(path))],
  "a link to a folder": ["ignore_file_not_a_file", (place, path) => {
    Deno.symlinkSync(place.at("sub"), place.at(path));
  }],
  "larger than 1 MiB": ["ignore_file_too_large", (place, path) => {
    place.write({ [path]: `private/\n${"#".repeat(1024 * 1024)}` });
  }],
  "not text": ["ignore_file_not_text", (place, path) => {
    place.write({ [path]: new Uint8Array([...new TextEncoder().encode("private/\n"), 0, 1, 2, 0, 0, 3, 0]) });
  }],
  "in UTF-32": ["ignore_file_not_text", (place, path) => {
    place.write({
      [path]: new Uint8Array([
        0xff,
        0xfe,
        0,
        0,
        ...[..."private/"].flatMap((c) => [c.charCodeAt(0), 0, 0, 0]),
      ]),
    });
  }],
  ...(IS_ROOT ? {} : {
    "unreadable": ["ignore_file_no_permission", (place: Place, path: string) => {
      place.write({ [path]: "private/\n" });
      Deno.chmodSync(place.at(path), 0o000);
    }],
  }),
};

const FILES = {
  "a.md": "open words",
  "private/a.md": "secret words",
  "私人/a.md": "秘密",
  "sub/a.md": "more words",
  "sub/private/b.md": "secret words",
  "sub/私人/b.md": "秘密",
};

function counts({ new: added, removed, unchanged, files, failed, skipped }: IngestSummary) {
  return {
    new: added,
    removed,
    unchanged,
    files,
    failed: failed.map(({ path }) => path),
    ignored: skipped.ignored,
  };
}

/** Links, pipes and modes are left out on Windows. */
function testOf(what: string): typeof posixTest {
  return /^(?:a link|a pipe|unreadable)/.test(what) ? posixTest : Deno.test;
}

for (const name of NAMES) {
  for (const [what, make] of Object.entries(OBEYED)) {
    testOf(what)(`${name} is obeyed: ${what}`, async () => {
      using place = new Place();
      place.write(FILES);
      make(place, name);
      const { ignored, failed } = counts(await place.ingest(NO_VECTORS));
      deepEqual({ ignored, failed }, { ignored: 4, failed: [] });
      equal(await new CurrentRules(place.root, OPTIONS).leftOut("sub/private/b.md"), "ignored");
      equal(await new CurrentRules(place.root, OPTIONS).leftOut("sub/a.md"), null);
    });
  }
  for (const [what, [key, make]] of Object.entries(REFUSED)) {
    testOf(what)(`an unusable ${name} stops the run: ${what}`, async () => {
      using place = new Place();
      place.write(FILES);
      await place.ingest(NO_VECTORS);
      const before = place.indexBytes();
      make(place, name);
      const { params } = await assertUserError(() => place.ingest(NO_VECTORS), key);
      equal(params["path"], place.at(name));
      deepEqual(place.indexBytes(), before);
      equal(await new CurrentRules(place.root, OPTIONS).leftOut("a.md"), "ignore_file_unusable");
      const without = { ...NO_VECTORS, files: { ignore_files: false } };
      equal((await place.ingest(without)).failed.length, 0);
      equal(await new CurrentRules(place.root, { ...OPTIONS, ignoreFiles: false }).leftOut("a.md"), null);
    });

    testOf(what)(
      `an unusable sub/${name} excludes its folder: ${what}`,
      async () => {
        using place = new Place();
        place.write(FILES);
        await place.ingest(NO_VECTORS);
        make(place, `sub/${name}`);
        const summary = await place.ingest(NO_VECTORS);
        deepEqual(counts(summary), {
          new: 0,
          removed: 3,
          unchanged: 3,
          files: 3,
          failed: ["sub"],
          ignored: undefined,
        });
        equal(summary.failed[0]!.reason.includes(place.at(`sub/${name}`)), true);
        equal((await place.ingest(NO_VECTORS)).written, false);
        equal(
          await new CurrentRules(place.root, OPTIONS).leftOut("sub/private/b.md"),
          "ignore_file_unusable",
        );
        equal(await new CurrentRules(place.root, OPTIONS).leftOut("private/a.md"), null);

        Deno.removeSync(place.at(`sub/${name}`), { recursive: true });
        deepEqual(counts(await place.ingest(NO_VECTORS)), {
          new: 3,
          removed: 0,
          unchanged: 3,
          files: 6,
          failed: [],
          ignored: undefined,
        });
      },
    );
  }
}
