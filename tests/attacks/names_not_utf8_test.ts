import { deepEqual, equal } from "node:assert/strict";
import { folderStatus } from "../../lib/ingest/mod.ts";
import { config, Place } from "../ingest/_place.ts";

const NO_VECTORS = { embedding: { provider: "none" } } as const;

Deno.test("files and folders with names that are not UTF-8 are counted and reported", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  using place = new Place();
  place.write({ "a.md": "open words" });
  const script =
    "printf x > $'caf\\xe8.txt'; printf x > $'caf\\xe9.txt'; mkdir $'d\\xe9r'; printf x > $'d\\xe9r/b.txt'";
  await new Deno.Command("bash", { args: ["-c", script], cwd: place.root }).output();
  const { failed } = await place.ingest(NO_VECTORS);
  const reason =
    "The name is not valid UTF-8, so the file cannot be opened (\ufffd stands for bytes that cannot be shown). Rename it";
  const names = ["caf\ufffd.txt", "caf\ufffd.txt (2)", "d\ufffdr"];
  deepEqual(failed, names.map((path) => ({ path, reason })));
  deepEqual((await folderStatus(place.root, await config(NO_VECTORS), place.context)).failed, failed);
  equal((await place.ingest(NO_VECTORS)).written, false);
});

Deno.test("each of 2,000 names that are listed as the same text is reported", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  using place = new Place();
  // Each name has two invalid bytes, so that all are listed as U+FFFD U+FFFD.
  const script = `for a in {128..159}; do for b in {128..190}; do printf -v name '\\\\x%x\\\\x%x' $a $b
    printf -v name "$name"; : > "$name"; done; done`;
  await new Deno.Command("bash", { args: ["-c", script], cwd: place.root, env: { LC_ALL: "C" } }).output();
  const { failed } = await place.ingest(NO_VECTORS);
  equal(failed.length, 32 * 63);
  equal(failed.at(-1)?.path, "\ufffd\ufffd (2016)");
});
