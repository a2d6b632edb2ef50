import { deepEqual, equal } from "node:assert/strict";
import { Place } from "./_place.ts";

Deno.test("a file of the same size and time with another content is found by its change time", {
  ignore: Deno.build.os === "windows",
}, async () => {
  using place = new Place();
  const path = place.at("a.txt");
  const time = new Date(2026, 0, 1);
  const write = async (text: string) => {
    // the change time has whole seconds
    await new Promise((resolve) => setTimeout(resolve, 1100));
    Deno.writeTextFileSync(path, text);
    Deno.utimeSync(path, time, time);
  };
  await write("alpha");
  await place.ingest();
  await write("gamma");
  const library = await place.library();
  const answer = await library.search({ query: "alpha" });
  equal(answer.notices.some((notice) => notice.includes(path)), true, answer.notices.join());
  const { changed, written } = await place.ingest();
  deepEqual({ changed, written }, { changed: 1, written: true });
  equal((await library.search({ query: "gamma" })).hits.length, 1);

  // a change of permissions alone makes one run read the file, and store its new change time
  await new Promise((resolve) => setTimeout(resolve, 1100));
  Deno.chmodSync(path, 0o600);
  deepEqual((await library.search({ query: "gamma" })).notices, []);
  const read = await place.ingest();
  deepEqual([read.changed, read.unchanged, read.bytesRead], [0, 1, 5]);
  equal((await place.ingest()).bytesRead, 0);
});
