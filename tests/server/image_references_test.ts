import { deepEqual } from "node:assert/strict";
import { htmlImages, imageReferences } from "#server/tools/hit_images.ts";

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
