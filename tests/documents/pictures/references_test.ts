import { deepEqual } from "node:assert/strict";
import { imageReferences, localPath } from "#documents/mod.ts";

/** The local paths of the pictures that a text refers to. */
const pathsIn = (text: string) =>
  imageReferences(text).flatMap(({ reference }) => localPath(reference) ?? []);

Deno.test("images are found in Markdown, HTML, reStructuredText, AsciiDoc and Org, in the order of the text", () => {
  const text = [
    '![A cup](img/cup.png) and ![](<with space.png> "title") and [no image](cup.png)',
    '<p><img alt="x" class=big src="kettle.jpg?size=2"></p>',
    ".. figure:: leaf.gif",
    "image::pot%20.webp[A pot] ![[wiki.png]]",
  ].join("\n");
  deepEqual(pathsIn(text), [
    ...["img/cup.png", "with space.png", "kettle.jpg", "leaf.gif", "pot .webp", "wiki.png"],
  ]);
});

Deno.test("addresses, data and absolute paths are no local images", () => {
  const text =
    "![](https://example.com/a.png) ![](data:image/png;base64,AA) ![](/etc/a.png) ![](//host/a.png) ![](C:\\a.png)";
  deepEqual(pathsIn(text), []);
});

Deno.test("texts that look like references without end take no long time", () => {
  for (const part of ["![", "<img ", "![a](<", "image:", ".. image::"]) imageReferences(part.repeat(50_000));
  for (const part of ["[[", "<img"]) imageReferences(part.repeat(500_000));
});
