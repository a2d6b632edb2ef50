import { deepEqual } from "node:assert/strict";
import { type ListedPicture, picturesToCaption } from "#documents/mod.ts";

const PICTURE: ListedPicture = {
  number: 1,
  line: 1,
  section: [],
  width: 640,
  height: 480,
  mediaType: "image/png",
  sha256: "a",
  share: 0.2,
};

/** The numbers of the pictures that are to be described. */
function chosen(...pictures: Partial<ListedPicture>[]): number[] {
  const listed = pictures.map((picture, i) => ({ ...PICTURE, number: i + 1, sha256: `${i}`, ...picture }));
  return picturesToCaption(listed).pictures.map(({ number }) => number);
}

Deno.test("a picture of less than 5 % of its page is left out", () => {
  deepEqual(chosen({ share: 0.049 }, { share: 0.05 }, { share: 1 }), [2, 3]);
});

Deno.test("without a place, the page has the pixels of A4 at 96 in an inch", () => {
  const { share: _, ...unplaced } = PICTURE;
  const listed = [[200, 200], [220, 220]].map(([width, height], i) => ({
    ...unplaced,
    number: i + 1,
    sha256: `${i}`,
    width: width!,
    height: height!,
  }));
  deepEqual(picturesToCaption(listed), { pictures: [{ number: 2, sha256: "1" }], left: 0 });
});

Deno.test("rules, banners and bullets are left out at any share", () => {
  deepEqual(chosen({ width: 640, height: 40 }, { width: 1_000, height: 99 }, { width: 990, height: 99 }), [
    3,
  ]);
});

Deno.test("a picture that stands in three places is furniture; in two places it is described once", () => {
  deepEqual(chosen({ sha256: "logo" }, { sha256: "logo" }, { sha256: "logo" }, {}), [4]);
  deepEqual(chosen({ sha256: "plan" }, { sha256: "plan" }), [1]);
});

Deno.test("pictures that cannot be read, of unknown size and of huge sides are left out", () => {
  const { width: _, height: __, ...unsized } = PICTURE;
  deepEqual(
    chosen({ problem: "damaged" }, { width: 100_000, height: 20_000 }, { width: 20_000, height: 2_501 }),
    [],
  );
  deepEqual(picturesToCaption([unsized]).pictures, []);
});

Deno.test("a document that is a picture is described although it is small; at most 100 pictures of a document are", () => {
  const small = { ...PICTURE, share: 0.001 };
  deepEqual(picturesToCaption([small], { isPicture: true }).pictures, [{ number: 1, sha256: "a" }]);
  const many = Array.from({ length: 130 }, (_, i) => ({ ...PICTURE, number: i + 1, sha256: `${i}` }));
  const { pictures, left } = picturesToCaption(many);
  deepEqual([pictures.length, left], [100, 30]);
});
