import { deepEqual, equal, match, ok } from "node:assert/strict";
import { openLibrary } from "#library/search/mod.ts";
import { KEY } from "../engine/index/_blob_forge.ts";
import { config, Place } from "../library/ingest/_place.ts";
import { callOnce, type Message } from "./_session.ts";
import { htmlImages, imageReferences } from "#server/tools/hit_images.ts";

const PNG = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
);

/** Images that differ, of so many bytes. */
function image(size: number, kind: number): Uint8Array {
  const bytes = new Uint8Array(size).fill(kind);
  bytes.set(PNG);
  return bytes;
}

async function ask(
  files: Record<string, string | Uint8Array>,
  args: Record<string, unknown>,
  use: (answer: Message, place: Place) => void,
): Promise<void> {
  using place = new Place();
  place.write({ "readme.txt": "Other things." });
  for (const [path, data] of Object.entries(files)) {
    Deno.mkdirSync(place.at(path).replace(/[\\/][^\\/]+$/, ""), { recursive: true });
    if (typeof data === "string") Deno.writeTextFileSync(place.at(path), data);
    else Deno.writeFileSync(place.at(path), data);
  }
  await place.ingest();
  const library = openLibrary([place.root], await config({ language: "en" }), { key: KEY });
  use(await callOnce("query_knowledge_hub", { query: "kettle", ...args }, { library }), place);
  library.close();
}

const images = (content: Message[]) => content.filter(({ type }) => type === "image");

const NOTE = "The kettle: ![blue](img/kettle.png), ![same](./img/kettle.png) and ![gone](gone.png).\n";

Deno.test("the images that a passage refers to follow the text, and the data says where they belong", async () => {
  const files = { "notes/tea.md": NOTE, "notes/img/kettle.png": PNG };
  await ask(files, { "include_images": true }, ({ content, structuredContent: { data, hints } }, place) => {
    deepEqual(images(content), [{ type: "image", data: PNG.toBase64(), mimeType: "image/png" }]);
    const path = place.at("notes/img/kettle.png");
    deepEqual(data.images, [{ ...data.images[0], citation: 1, media_type: "image/png", path }]);
    deepEqual(hints, ["Images follow this text, for passage 1"]);
    ok(!content[0].text.includes(PNG.toBase64()));
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

Deno.test("images beyond the limits are counted in a notice", async () => {
  const many = Array.from({ length: 7 }, (_, i) => `![](${i}.png)`).join(" ");
  const files = {
    "tea.md": `The kettle. ${many} ![](large.png)`,
    ...Object.fromEntries(Array.from({ length: 7 }, (_, i) => [`${i}.png`, image(1000, i)])),
    "large.png": image(2_000_001, 9),
  };
  await ask(files, { "include_images": true }, ({ content, structuredContent: { hints } }) => {
    equal(images(content).length, 5);
    match(hints[1], /^3 more images were left out \(at most 5, 5 MB together\)/);
  });
  const large = { "tea.md": "The kettle. ![](large.png)", "large.png": image(2_000_001, 9) };
  await ask(large, { "include_images": true }, ({ content, structuredContent: { hints } }) => {
    equal(images(content).length, 0);
    match(hints[0], /^1 image is larger than 2 MB and left out/);
  });
});

Deno.test("images are found in Markdown, HTML, reStructuredText, AsciiDoc and Org, in the order of the text", () => {
  const text = [
    '![A cup](img/cup.png) and ![](<with space.png> "title") and [no image](cup.png)',
    '<p><img alt="x" class=big src="kettle.jpg?size=2"></p>',
    ".. figure:: leaf.gif",
    "image::pot%20.webp[A pot] ![[wiki.png]]",
  ].join("\n");
  deepEqual(imageReferences(text), [
    ...["img/cup.png", "with space.png", "kettle.jpg", "leaf.gif", "pot .webp", "wiki.png"],
  ]);
});

Deno.test("addresses, data and absolute paths are no local images", () => {
  const text =
    "![](https://example.com/a.png) ![](data:image/png;base64,AA) ![](/etc/a.png) ![](//host/a.png) ![](C:\\a.png)";
  deepEqual(imageReferences(text), []);
  deepEqual(htmlImages('<img src="http://example.com/a.png" alt="A">'), []);
});

Deno.test("images of HTML have their alternative texts", () => {
  deepEqual(htmlImages(`<IMG src='a b.png' alt="Tea &amp;\n cake"><img src=c.png>`), [
    { reference: "a b.png", alternative: "Tea & cake" },
    { reference: "c.png", alternative: "" },
  ]);
});

Deno.test("texts that look like references without end take no long time", () => {
  for (const part of ["![", "<img ", "![a](<", "image:", ".. image::"]) imageReferences(part.repeat(50_000));
  for (const part of ["<img ", "<!-- <img", "<img src=a "]) htmlImages(part.repeat(2_000_000));
  for (const part of ["[[", "<img"]) imageReferences(part.repeat(500_000));
});

Deno.test("only the beginning of a long page is searched for images", () => {
  const image = '<img src="a.png" alt="A">';
  deepEqual(htmlImages("x".repeat(999_000) + image), [{ reference: "a.png", alternative: "A" }]);
  deepEqual(htmlImages("x".repeat(1_000_000) + image), []);
});
