import { makePdf } from "../documents/pdf/make_pdf.ts";

/** No password opens it, because the hashes belong to no password. */
const LOCK = {
  dictionary: `<< /Filter /Standard /V 1 /R 2 /P -4 /O <${"11".repeat(32)}> /U <${"22".repeat(32)}> >>`,
  id: `<${"00".repeat(16)}>`,
  cipher: (data: Uint8Array) => new Uint8Array(data),
};

/** Returns the bytes of a PDF with a page for each text. An empty text makes a page without text, like a scan. */
export function pdfOf(pages: readonly string[], { locked = false } = {}): Uint8Array<ArrayBuffer> {
  return makePdf({
    pages: pages.map((text) => text === "" ? "" : `BT /F1 12 Tf 72 700 Td (${text}) Tj ET`),
    ...(locked && { encrypt: LOCK }),
  });
}
