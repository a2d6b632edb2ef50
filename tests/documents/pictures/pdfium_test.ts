import { equal, throws } from "node:assert/strict";
import { PdfiumDocument } from "#documents/pdfium/pdfium.ts";

/** Calls of a document with one page. */
const CALLS = [
  "__wasm_call_ctors PDFiumExt_Init malloc FPDF_LoadMemDocument FPDF_GetPageCount FPDF_LoadPage FPDF_ClosePage",
  "FPDF_GetPageWidthF FPDF_GetPageHeightF FPDFPage_CountObjects FPDFPage_GetObject FPDFPageObj_GetType",
  "FPDFPath_CountSegments",
].join(" ").split(" ");

/** Returns a stand-in for PDFium whose functions return 2, but for one that gives up, by a trap or by a jump of C. */
function failing(failing: string, way: "trap" | "jump"): WebAssembly.Module {
  const size = (length: number) => length < 128 ? [length] : [length % 128 + 128, length >> 7];
  const text = (name: string) => [name.length, ...new TextEncoder().encode(name)];
  const section = (id: number, ...content: number[]) => [id, ...size(content.length), ...content];
  const [jump, two, trap, jumper] = [0, 1, 2, 3];
  const kinds = CALLS.map((
    name,
  ) => [...text(name), 0, name !== failing ? two : way === "trap" ? trap : jumper]);
  return new WebAssembly.Module(Uint8Array.of(
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    // All functions are of the type without parameters that returns a number.
    ...section(1, 1, 0x60, 0, 1, 0x7f),
    ...section(2, 1, ...text("env"), ...text("_emscripten_throw_longjmp"), 0, 0),
    ...section(3, 3, 0, 0, 0),
    ...section(5, 1, 0, 1),
    ...section(7, ...size(CALLS.length + 1), ...text("memory"), 2, 0, ...kinds.flat()),
    ...section(10, 3, ...[4, 0, 0x41, 2, 0x0b], ...[3, 0, 0, 0x0b], ...[4, 0, 0x10, jump, 0x0b]),
  ));
}

Deno.test("a page is too complex wherever PDFium gives up", () => {
  const use = (module: WebAssembly.Module) => {
    const page = new PdfiumDocument(module, new Uint8Array(4)).page(1);
    const count = page.countSegments(3);
    page[Symbol.dispose]();
    return count;
  };
  equal(use(failing("", "trap")), 4);

  for (const name of CALLS) {
    for (const way of ["trap", "jump"] as const) {
      throws(
        () => use(failing(name, way)),
        { name: "DocumentError", problem: "too_complex" },
        `${name} ${way}`,
      );
    }
  }
});
