import { deepEqual } from "node:assert/strict";
import { ingest } from "#library/ingest/mod.ts";
import { shellWord } from "#foundation/messages/mod.ts";
import { config, Place } from "../ingest/_place.ts";

const UTF32 = Uint8Array.fromHex("fffe0000610000006200000063000000");

Deno.test("a search without a good hit has a notice about the documents that were not read", async () => {
  using place = new Place();
  // without an extractor no PDF is read
  place.write({
    "note.md": "Tomato soup wants onions.",
    "large.txt": "long ".repeat(300),
    "photo.jpg": Uint8Array.of(1),
    "thesis.caj": Uint8Array.of(1),
    "papers/a.pdf": "%PDF-1.4",
    "papers/b.pdf": "%PDF-1.4",
    "bad.txt": UTF32,
  });
  const settings = await config({ files: { max_file_mb: 0.001 } });
  await ingest(place.root, settings, place.context);
  const library = await place.library({ config: settings });
  const notices = async (query: string, dirPath?: string) =>
    (await library.search({ query, ...(dirPath === undefined ? {} : { dirPath }) })).notices;
  const all = "5 documents were not read: 2 PDFs not read because the reading process did not start, " +
    "1 file in an unsupported encoding, 1 file over the size limit, 1 file in an unsupported format. " +
    `To list them, run muxue_rag status --files --failed --dir ${shellWord(place.root)}`;
  deepEqual(await notices("zeppelin"), [all]);
  deepEqual(await notices("zeppelin"), [all]);
  deepEqual(await notices("tomato soup"), []);
  // nothing but a weak match
  const weak = await library.search({ query: "airship zeppelin hangar mooring mast soup" });
  deepEqual(weak.hits.map(({ degree }) => degree), ["low"]);
  deepEqual(weak.notices, [all]);
  deepEqual(await notices("zeppelin", place.at("papers")), [
    `No file in ${
      place.at("papers")
    } is indexed. To list the files there, run muxue_rag status --files --dir ${shellWord(place.root)}`,
    "2 documents were not read: 2 PDFs not read because the reading process did not start. " +
    `To list them, run muxue_rag status --files --failed --dir ${shellWord(place.root)}`,
  ]);
  deepEqual(await notices("zeppelin type:nothing"), [
    "No document matches all filters. Documents that match each one alone: type: nothing (0). Remove one and try again",
  ]);
});

Deno.test("a search in a folder without indexed files has a notice about the files there", async () => {
  using place = await Place.indexed({
    "a.jpg": Uint8Array.of(1),
    "b.jpg": Uint8Array.of(1),
    "c.rar": Uint8Array.of(1),
    "d.txt": UTF32,
  });
  const notices = async () => {
    const library = await place.library();
    const { hits, notices } = await library.search({ query: "soup" });
    return [hits.length, ...notices];
  };
  deepEqual(await notices(), [
    0,
    `${place.root} contains no file that can be searched: 2 images, 1 file in an unsupported encoding, 1 archive. ` +
    `To list them, run muxue_rag status --files --dir ${shellWord(place.root)}`,
  ]);
  for (const name of ["a.jpg", "b.jpg", "c.rar", "d.txt"]) Deno.removeSync(place.at(name));
  await place.ingest();
  deepEqual(await notices(), [0, `${place.root} is empty, so there is nothing to search`]);
});
