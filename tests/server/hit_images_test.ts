import { deepEqual, equal, match, ok } from "node:assert/strict";
import { createHash } from "node:crypto";
import { EXTRACT_ARGUMENT, Extractor } from "#library/extract/mod.ts";
import { ingest } from "#library/ingest/mod.ts";
import { openLibrary } from "#library/search/mod.ts";
import { KEY } from "../engine/index/_blob_forge.ts";
import { ownProcess } from "#foundation/boundary/mod.ts";
import { config, Place } from "../library/ingest/_place.ts";
import { makePng } from "../documents/pictures/make_png.ts";
import { callOnce, type Message } from "./_session.ts";

const PNG = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
);

/** The beginning of a picture that is too large to be given as it is. */
const BROKEN = makePng(1200, 400).slice(0, 60);

/** Images that differ, of so many bytes. */
function image(size: number, kind: number): Uint8Array {
  const bytes = new Uint8Array(size).fill(kind);
  bytes.set(PNG);
  return bytes;
}

interface Asking {
  readonly tool?: string;
  /** Changes the files after they were indexed. */
  readonly change?: (place: Place) => void;
}

async function ask(
  files: Record<string, string | Uint8Array>,
  args: Record<string, unknown>,
  use: (answer: Message, place: Place) => void,
  { tool = "query_knowledge_hub", change }: Asking = {},
): Promise<void> {
  using place = new Place();
  place.write({ "readme.txt": "Other things." });
  for (const [path, data] of Object.entries(files)) {
    Deno.mkdirSync(place.at(path).replace(/[\\/][^\\/]+$/, ""), { recursive: true });
    if (typeof data === "string") Deno.writeTextFileSync(place.at(path), data);
    else Deno.writeFileSync(place.at(path), data);
  }
  using extractor = new Extractor(ownProcess(EXTRACT_ARGUMENT, Deno.env.toObject()));
  const settings = await config({ language: "en" });
  await ingest(place.root, settings, { ...place.context, extractor });
  const library = openLibrary([place.root], settings, { key: KEY, extractor });
  change?.(place);
  const asked = tool === "search_rag" ? { keyword: "kettle" } : { query: "kettle" };
  use(await callOnce(tool, { ...asked, ...args }, { library }), place);
  library.close();
}

/** The id of the picture in the file with these bytes. */
function idOf(path: string, bytes: Uint8Array | string, number = 1): string {
  return `${path}#image=${number}.${createHash("sha256").update(bytes).digest("hex").slice(0, 8)}`;
}

const images = (content: Message[]) => content.filter(({ type }) => type === "image");

const NOTE = "The kettle: ![blue](img/kettle.png), ![same](./img/kettle.png) and ![gone](gone.png).\n";

Deno.test("the images that a passage refers to follow the text, and the data says where they belong", async () => {
  const files = { "notes/tea.md": NOTE, "notes/img/kettle.png": PNG };
  await ask(files, { "include_images": true }, ({ content, structuredContent: { data, hints } }, place) => {
    deepEqual(images(content), [{ type: "image", data: PNG.toBase64(), mimeType: "image/png" }]);
    const path = place.at("notes/img/kettle.png");
    deepEqual(data.images, [{
      citation: 1,
      image_id: idOf(path, PNG),
      path,
      media_type: "image/png",
      width: 1,
      height: 1,
      size: PNG.length,
    }]);
    deepEqual(hints, ["Images follow this text, for passage 1"]);
    ok(!content[0].text.includes(PNG.toBase64()));
    ok(content[0].text.includes(`\n[1] ${idOf(path, PNG)}  line 1  1 × 1 image/png\n`), content[0].text);
  });
});

Deno.test("without include_images no image is sent", async () => {
  await ask({ "notes/tea.md": NOTE, "notes/img/kettle.png": PNG }, {}, ({ content, structuredContent }) => {
    deepEqual([images(content), "images" in structuredContent.data], [[], false]);
  });
});

Deno.test("files that are no images, are hidden or lie outside of the folder are not given", async () => {
  const files = {
    "docs/tea.md": "kettle ![](text.png) ![](../../outside.png) ![](.secret/a.png) ![](ignored.png)",
    "docs/text.png": "not an image",
    "docs/.secret/a.png": PNG,
    "docs/ignored.png": PNG,
    "docs/.gitignore": "ignored.png\n",
    "../outside.png": PNG,
  };
  await ask(files, { "include_images": true }, ({ content, structuredContent: { data } }) => {
    deepEqual([images(content), data.images], [[], undefined]);
  });
});

Deno.test("images beyond the limit and those that cannot be shown are counted in notices", async () => {
  const many = Array.from({ length: 7 }, (_, i) => `![](${i}.png)`).join(" ");
  const files = {
    "tea.md": `The kettle. ${many}`,
    ...Object.fromEntries(Array.from({ length: 7 }, (_, i) => [`${i}.png`, image(1000, i)])),
  };
  await ask(files, { "include_images": true }, ({ content, structuredContent: { hints } }) => {
    equal(images(content).length, 5);
    match(hints[1], /^2 more images were left out \(at most 5\)/);
  });
  const broken = { "tea.md": "The kettle. ![](broken.png)", "broken.png": BROKEN };
  await ask(broken, { "include_images": true }, ({ content, structuredContent: { hints, data } }) => {
    equal(images(content).length, 0);
    deepEqual([hints, data.citations.length], [["1 image could not be shown: its bytes are damaged"], 1]);
  });
  const large = { "tea.md": "The kettle. ![](large.png)", "large.png": image(2_000_001, 9) };
  await ask(large, { "include_images": true }, ({ content }) => {
    ok(images(content)[0].data.length < 1000, "a file of many bytes is given as one of few");
  });
});

const page = (...pictures: string[]) => {
  const tags = pictures.map((src) => `<p>The kettle</p><img alt="A kettle" src="${src}">`);
  return `<!doctype html><title>Kettles</title><h1>Kettles</h1>${tags.join("")}`;
};
const dataOf = (bytes: Uint8Array) => `data:image/png;base64,${bytes.toBase64()}`;

Deno.test("pictures that stand in a document are given with their ids, captions and places, by every search", async () => {
  const large = makePng(1600, 800);
  const html = page(dataOf(large), "img/cup.png", "../outside.png", "https://example.com/a.png");
  const files = { "kettles.html": html, "img/cup.png": makePng(30, 20), "../outside.png": PNG };
  for (const tool of ["search_rag", "query_knowledge_hub", "search_by_keyword", "search_by_semantic"]) {
    await ask(
      files,
      { "include_images": true },
      ({ content, structuredContent: { data, hints } }, place) => {
        const path = place.at("kettles.html");
        const facts = { citation: 1, path, alt: "A kettle", section: ["Kettles"], "media_type": "image/png" };
        deepEqual(data.images.map(({ size: _, ...image }: Message) => image), [
          { ...facts, image_id: idOf(path, html, 1), width: 1000, height: 500, scaled: true },
          { ...facts, image_id: idOf(path, html, 2), width: 30, height: 20 },
        ]);
        equal(images(content).length, 2);
        deepEqual(hints, ["Images follow this text, for passage 1"]);
      },
      { tool },
    );
  }
});

Deno.test("the same picture in several places is given once, and others take the place of broken ones", async () => {
  const cups = Array.from({ length: 4 }, (_, i) => dataOf(makePng(10 + i, 10)));
  const broken = dataOf(BROKEN);
  const html = page(broken, cups[0]!, cups[0]!, broken, cups[1]!, cups[2]!, cups[3]!);
  await ask({ "a.html": html }, { "include_images": true }, ({ structuredContent: { data, hints } }) => {
    deepEqual(data.images.map(({ width }: Message) => width), [10, 11, 12, 13]);
    equal(hints[1], "2 images could not be shown: its bytes are damaged");
  });
});

Deno.test("a document that has changed since, or that is gone, gives no pictures under the old numbers", async () => {
  const html = page(dataOf(PNG));
  const changed = (place: Place) => Deno.writeTextFileSync(place.at("a.html"), page(dataOf(makePng(9, 9))));
  await ask({ "a.html": html }, { "include_images": true }, ({ content, structuredContent: { hints } }) => {
    const problem = "1 image could not be shown: the document has changed since it was indexed";
    deepEqual([images(content), hints], [[], [problem]]);
  }, { change: changed });
  const gone = (place: Place) => Deno.removeSync(place.at("a.html"));
  await ask({ "a.html": html }, { "include_images": true }, ({ content, structuredContent: { code } }) => {
    deepEqual([images(content), code], [[], 200]);
  }, { change: gone });
});
