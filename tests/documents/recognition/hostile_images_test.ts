import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { deflateSync } from "node:zlib";
import { DocumentError, joinedBytes } from "#documents/mod.ts";
import { packRequest, tiffPage, tiffPages, unpackRequest } from "#documents/recognition/request.ts";
import { TextEngine } from "#documents/recognition/text_engine.ts";
import { loader } from "#documents/recognition/loader.ts";
import { languageData } from "./_language_data.ts";
import { scanPdf } from "./_scan_pdf.ts";
import { sample } from "./_samples.ts";

const languages = (await languageData()).slice(0, 1);
const engine = await TextEngine.start(languages);

/** Returns a sample whose PNG says that it has other sides. */
function pngOf(width: number, height: number): Uint8Array<ArrayBuffer> {
  const png = sample("en.png");
  const view = new DataView(png.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  return png;
}

/** Returns the problem of an image, or its text. */
function outcome(image: Uint8Array): string {
  try {
    return engine.textIn(image);
  } catch (error) {
    return error instanceof DocumentError ? error.problem : String(error);
  }
}

Deno.test("an image with too many pixels is refused before it is decoded", () => {
  equal(outcome(pngOf(60_000, 60_000)), "too_complex");
  equal(outcome(pngOf(50_000_001, 1_000)), "too_complex");
});

Deno.test("damaged images are refused, and the next one is read", () => {
  const png = sample("en.png");
  equal(outcome(new Uint8Array()), "damaged");
  equal(outcome(new TextEncoder().encode("not an image")), "damaged");
  equal(outcome(png.subarray(0, 40)), "damaged");
  equal(outcome(pngOf(0, 0)), "damaged");
  equal(outcome(new TextEncoder().encode("P5\n10 10\n255\n")), "");
  match(engine.textIn(png), /^The warranty period begins/);
});

Deno.test("data of a language that cannot be used is reported", async () => {
  for (
    const bytes of [
      new Uint8Array(),
      languages[0]!.bytes.subarray(0, 100_000),
      new Uint8Array(5_000).fill(255),
    ]
  ) {
    await rejects(
      () => TextEngine.start([{ language: "eng", bytes }]),
      (error: DocumentError) => error.problem === "unsupported",
    );
  }
});

Deno.test("a request that is cut off is refused", () => {
  for (const length of [0, 3, 20]) {
    const packed = packRequest({ kind: "image", pages: [1], languages: [], document: new Uint8Array() });
    let problem = "";
    try {
      unpackRequest(packed.slice(0, Math.min(length, packed.length - 1)));
    } catch (error) {
      problem = (error as DocumentError).problem;
    }
    equal(problem, "damaged");
  }
});

Deno.test("the pages of a TIFF that form a circle are counted once", () => {
  const circle = Uint8Array.of(0x49, 0x49, 42, 0, 8, 0, 0, 0, 0, 0, 8, 0, 0, 0);
  equal(tiffPages(circle), 1);
  equal(tiffPage(circle, 2), undefined);
  equal(tiffPages(Uint8Array.of(0x4d, 0x4d, 0, 42, 0xff, 0xff, 0xff, 0xff)), 1);
  equal(tiffPages(sample("pages.tif")), 2);
});

Deno.test("an image of a PDF that unpacks to more pixels than allowed leaves its page empty", async () => {
  const data = deflateSync(new Uint8Array(100_000));
  const image = (size: number) => ({
    dictionary:
      `/Width ${size} /Height ${size} /BitsPerComponent 8 /ColorSpace /DeviceGray /Filter /FlateDecode`,
    data,
  });
  const page = { width: 600, height: 800 };
  const many = "q 600 0 0 800 0 0 cm /I0 Do Q ".repeat(20_000);
  for (
    const pdf of [
      scanPdf([page], [image(40_000)]),
      scanPdf([page], [image(7_000)]),
      scanPdf([{ ...page, content: many }], [image(30)]),
      scanPdf([{ ...page, width: 1e9 }], [image(30)]),
      scanPdf([{ ...page, content: "q 1e38 0 0 1e38 0 0 cm /I0 Do Q q 0 0 0 0 0 0 cm /I0 Do Q" }], [
        image(30),
      ]),
    ]
  ) {
    const request = packRequest({ kind: "pdf", pages: [1], languages, document: pdf });
    deepEqual(await loader.load(request, { path: "" }), {
      text: "",
      sections: [],
      pages: [{ number: 1, start: 0, end: 0 }],
    });
  }
});

Deno.test("a file that is no PDF is refused", async () => {
  const request = packRequest({ kind: "pdf", pages: [1], languages, document: joinedBytes([]) });
  await rejects(
    () => loader.load(request, { path: "" }),
    (error: DocumentError) => error.problem === "damaged",
  );
});
