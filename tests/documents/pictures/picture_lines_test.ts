import { deepEqual, equal } from "node:assert/strict";
import { type Document, withPictureLines } from "#documents/mod.ts";

const EMPTY: Document = { text: "", sections: [] };

Deno.test("a picture without text is a document with one line, its name", () => {
  const picture = { ...EMPTY, pages: [{ number: 1, start: 0, end: 0 }], emptyPages: [1] };
  deepEqual(withPictureLines(picture, { path: "a/pump [1].png" }, "image"), {
    text: "![pump 1.png]()\n",
    sections: [],
    pages: [{ number: 1, start: 0, end: 16 }],
    images: [{ at: 0, page: 1, caption: "pump 1.png" }],
    emptyPages: [1],
  });
});

Deno.test("a picture with a recognised text keeps it, and has itself as its picture", () => {
  const text = { text: "Pump\n", sections: [], pages: [{ number: 1, start: 0, end: 5 }] };
  deepEqual(withPictureLines(text, { path: "a.png" }, "image"), { ...text, images: [{ at: 0, page: 1 }] });
});

Deno.test("a scan without a text gets a line on each page that has a picture", () => {
  const pages = [1, 2, 3].map((number) => ({ number, start: 0, end: 0 }));
  const images = [{ at: 0, page: 1 }, { at: 0, page: 3 }];
  const { text, ...rest } = withPictureLines({ ...EMPTY, pages, images }, { path: "scan.pdf" }, "pdf");
  equal(text, "![scan.pdf 1]()\n\n![scan.pdf 3]()\n");
  deepEqual(rest.pages, [{ number: 1, start: 0, end: 16 }, { number: 2, start: 16, end: 16 }, {
    number: 3,
    start: 16,
    end: 33,
  }]);
  deepEqual(rest.images?.map(({ at, page }) => [at, page]), [[0, 1], [17, 3]]);
});

Deno.test("documents with a text, and those without pictures, stay as they are", () => {
  const text = { text: "Tea\n", sections: [], images: [{ at: 4 }] };
  equal(withPictureLines(text, { path: "a.docx" }, "docx"), text);
  equal(withPictureLines(EMPTY, { path: "a.docx" }, "docx"), EMPTY);
});
