import { deepEqual } from "node:assert/strict";
import {
  type Document,
  type ListedPicture,
  mayHoldPictures,
  MOST_PICTURES,
  picturesToRecognise,
} from "#documents/mod.ts";

/** Two pages, of which the first has a text of its own. */
const DOCUMENT: Document = {
  text: `${"word ".repeat(20)}\n`,
  sections: [],
  pages: [{ number: 1, start: 0, end: 101 }, { number: 2, start: 101, end: 101 }],
};

/** The numbers of the pictures that are chosen, and how many the limits leave out. */
function chosen(pictures: readonly Partial<ListedPicture>[], format = "docx", drawn: readonly number[] = []) {
  const listed = pictures.map((picture, i): ListedPicture => ({
    number: i + 1,
    line: 1,
    section: [],
    width: 400,
    height: 100,
    mediaType: "image/png",
    sha256: `${i}`,
    ...picture,
  }));
  const { pictures: found, left } = picturesToRecognise(DOCUMENT, listed, format, new Set(drawn));
  return [...found.map(({ number }) => number), ...left === 0 ? [] : [{ left }]];
}

Deno.test("icons, rules and bullets are taken to be decoration", () => {
  const sizes = [[400, 100], [96, 96], [2_000, 20], [23, 5_000], [100, 100]];
  deepEqual(chosen(sizes.map(([width, height]) => ({ width: width!, height: height! }))), [1, 5]);
});

Deno.test("a picture that a document repeats is chosen where it stands first", () => {
  deepEqual(chosen([{ sha256: "logo" }, {}, { sha256: "logo" }]), [1, 2]);
});

Deno.test("only pictures that can be read are chosen", () => {
  deepEqual(
    chosen([
      { mediaType: "image/tiff", problem: "unsupported" },
      { mediaType: "image/emf", problem: "unsupported" },
      { mediaType: "image/svg+xml" },
      { problem: "missing", mediaType: undefined!, sha256: undefined! },
    ]),
    [1],
  );
});

Deno.test("in a PDF, the ground of a page with text and the pictures of a page that is recognised as a whole are left out", () => {
  const box = { left: 0, top: 0, width: 595, height: 842 };
  const small = { ...box, height: 300 };
  const pictures = [{ page: 1, box }, { page: 1, box: small }, { page: 2, box }];
  deepEqual(chosen(pictures, "pdf"), [2, 3]);
  deepEqual(chosen(pictures, "pdf", [2]), [2]);
  deepEqual(chosen(pictures, "pptx"), [1, 2, 3]);
});

Deno.test("a document has a limit of pictures and of pixels", () => {
  const numbers = Array.from({ length: MOST_PICTURES }, (_, i) => i + 1);
  deepEqual(chosen([...numbers, 0, 0].map(() => ({}))), [...numbers, { left: 2 }]);
  const large = { width: 15_000, height: 10_000 };
  deepEqual(chosen([large, large, large, {}]), [1, 2, 4, { left: 1 }]);
});

Deno.test("texts that keep their form and pictures have no pictures inside of them", () => {
  const images = [{ at: 0 }];
  deepEqual(
    ["docx", "text", "code", "image", undefined].map((format) => mayHoldPictures({ images }, format)),
    [
      true,
      false,
      false,
      false,
      false,
    ],
  );
  deepEqual(mayHoldPictures({}, "docx"), false);
});
