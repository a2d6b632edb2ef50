/**
 * The calls that show originals. Files are read through the library, so its limits hold; only PDFs go to the browser as they are, and
 * pictures are made anew.
 */
import { Hono } from "hono/tiny";
import * as z from "zod";
import { characterMap } from "#documents/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { documentPart, Lines } from "#library/search/mod.ts";
import { readPicture } from "#library/answer/mod.ts";
import { bodyOf } from "../answers.ts";
import { PATH } from "../forms.ts";
import type { PagesParts } from "../parts.ts";
import type { CMapCall, OpenedOriginal, OpenOriginalCall, PdfCall, PictureCall } from "../wire/originals.ts";

/** Bytes of a PDF. The browser holds it in memory. */
const MOST_PDF_BYTES = 128 * 1024 * 1024;
/** UTF-16 units of the text in one answer, and lines before the wanted one in a longer text. */
const MOST_TEXT = 2_000_000, LINES_BEFORE = 2_000;
const MOST_SECTIONS = 5_000;
/** Pixels of the longer side of a picture, and its bytes. */
const PICTURE = { side: 1_600, bytes: 2_000_000, isPlain: true } as const;

const PDF = z.object({ path: PATH.min(1) }) satisfies z.ZodType<PdfCall>;
const OPEN = PDF.extend({
  line: z.int().min(1).optional(),
  asText: z.boolean().optional(),
}) as z.ZodType<OpenOriginalCall>;
const PICTURE_CALL: z.ZodType<PictureCall> = PDF.extend({ number: z.int().min(1) });
const CMAP: z.ZodType<CMapCall> = z.object({ name: z.string().regex(/^[\w-]{1,64}$/) });

export function originalsRoutes({ library }: PagesParts): Hono {
  return new Hono()
    .post("/open", async (c) => {
      const { path, line, asText = false } = await bodyOf(c, OPEN);
      const { signal } = c.req.raw;
      if (!asText && /\.pdf$/i.test(path)) {
        const { bytes, name, size } = await library.readOriginal(path, MOST_PDF_BYTES, signal);
        if (isPdf(bytes)) {
          return c.json({ kind: "pdf", name, size } satisfies OpenedOriginal);
        }
      }
      const { document, format, name, size, path: real } = await library.readDocument(path, signal);
      if (!asText && format === "pdf") return c.json({ kind: "pdf", name, size } satisfies OpenedOriginal);
      const lines = new Lines(document.text);
      const isShort = document.text.length <= MOST_TEXT;
      const startLine = isShort ? 1 : Math.max(1, Math.min(line ?? 1, lines.count) - LINES_BEFORE);
      const part = documentPart(document, { startLine }, MOST_TEXT, real);
      const opened: OpenedOriginal = {
        kind: "text",
        name,
        format,
        size,
        text: part.text,
        firstLine: part.startLine,
        totalLines: part.totalLines,
        sections: document.sections.filter(({ title }) => title !== "").slice(0, MOST_SECTIONS)
          .map(({ level, title, start }) => ({ level, title, line: lines.at(start) })),
        pictures: document.images?.length ?? 0,
      };
      return c.json(opened);
    })
    .post("/pdf", async (c) => {
      const { path } = await bodyOf(c, PDF);
      const { bytes, path: real } = await library.readOriginal(path, MOST_PDF_BYTES, c.req.raw.signal);
      if (!isPdf(bytes)) throw new UserError("document_unsupported", { path: real, error: "no %PDF" });
      return bytesAnswer(bytes, "application/pdf");
    })
    .post("/picture", async (c) => {
      const { path, number } = await bodyOf(c, PICTURE_CALL);
      const read = await library.readPictures(
        path,
        { want: "pictures", numbers: [number], ...PICTURE },
        c.req.raw.signal,
      );
      const { given } = readPicture(read, { number });
      if (given === undefined) throw new UserError("image_not_found", { path: read.path, number });
      return bytesAnswer(read.contents[0]!, given.mediaType);
    })
    .post("/cmap", async (c) => {
      const { name } = await bodyOf(c, CMAP);
      const map = await characterMap(name);
      if (map === undefined) throw new UserError("pages_bad_call", { reason: "name" });
      return bytesAnswer(map, "application/octet-stream");
    });
}

/** Whether bytes are a PDF, whatever the name of their file: it may begin behind some other bytes. */
function isPdf(bytes: Uint8Array): boolean {
  return new TextDecoder("latin1").decode(bytes.subarray(0, 1024)).includes("%PDF-");
}

function bytesAnswer(bytes: Uint8Array, type: string): Response {
  return new Response(Uint8Array.from(bytes), { headers: { "Content-Type": type } });
}
