import assert from "node:assert/strict";
import fc from "fast-check";
import { type Chunk, chunkDocument, type Similarity } from "#engine/chunk/mod.ts";
import { type Document, MarkdownBuilder } from "#documents/mod.ts";
import { loadDocument } from "#documents/read_document.ts";
import { fuzz } from "../../_fuzz.ts";
import { checkCoverage, checkSpans } from "./_spans.ts";
import { hardText } from "./_texts.ts";

const name = fc.constantFrom("a.md", "a.txt", "a.rst");
const packing = fc.tuple(hardText, name, fc.integer({ min: 2, max: 120 }), fc.integer({ min: 0, max: 60 }));

function pack(text: string, path: string, maxChars: number, overlap: number): [Document, Chunk[]] {
  const document = loadDocument(path, text);
  return [document, chunkDocument(document, { maxChars, overlap, chunksPerFile: "auto" })];
}

const STRATEGIES = ["auto", "structure", "recursive", "fixed", "semantic"] as const;
const TABLES = ["auto", "rows", "whole", "text"] as const;
/** Texts with pipe tables of one or two rows of names. */
const tableText = fc.array(
  fc.oneof(
    hardText,
    fc.nat(30).map((rows) => `\n\n| a | a |\n|---|---|\n| b | c |${"\n| 1 | two |".repeat(rows)}\n`),
  ),
  { maxLength: 5 },
).map((parts) => parts.join(""));

/** A similarity that depends only on the lengths of two sentences. */
const similarity: Similarity = (texts) =>
  texts.slice(1).map((one, at) => 1 / (1 + Math.abs(one.length - texts[at]!.length)));

Deno.test("with every strategy, chunks cover the text, are ordered, and fit the limit with their leads", () => {
  fc.assert(
    fc.property(packing, fc.constantFrom(...STRATEGIES), ([text, path, maxChars, overlap], strategy) => {
      const document = loadDocument(path, text);
      const chunks = chunkDocument(document, {
        maxChars,
        overlap,
        chunksPerFile: "auto",
        strategy,
        similarity,
      });
      checkSpans(text, chunks);
      checkCoverage(text, chunks);
      for (const { start, end, lead } of chunks) {
        assert.ok(end - start + (lead === undefined ? 0 : lead.length + 1) <= maxChars);
        assert.ok(lead === undefined || (lead !== "" && text.slice(0, start).includes(lead)));
      }
    }),
    fuzz(2000),
  );
});

Deno.test("with every way to cut tables, chunks cover the text, are ordered, and fit the limit unless a table is whole", () => {
  fc.assert(
    fc.property(
      tableText,
      fc.integer({ min: 2, max: 120 }),
      fc.constantFrom(...STRATEGIES),
      fc.constantFrom(...TABLES),
      (text, maxChars, strategy, tables) => {
        const options = {
          maxChars,
          overlap: 20,
          chunksPerFile: "auto",
          strategy,
          tables,
          similarity,
        } as const;
        const chunks = chunkDocument(loadDocument("a.md", text), options);
        checkSpans(text, chunks);
        checkCoverage(text, chunks);
        const most = tables === "whole" ? 9 * maxChars : maxChars;
        for (const { start, end, lead = "" } of chunks) assert.ok(end - start + lead.length <= most);
        if (tables === "text") assert.ok(chunks.every(({ lead }) => lead === undefined));
      },
    ),
    fuzz(2000),
  );
});

Deno.test("pages do not affect the cuts, and each chunk has the pages of all its characters", () => {
  fc.assert(
    fc.property(
      packing,
      fc.array(fc.nat(400)),
      fc.constantFrom(...STRATEGIES),
      ([text, path, maxChars, overlap], at, strategy) => {
        const document = loadDocument(path, text);
        const starts = [...new Set(at)].filter((start) => start <= text.length).sort((a, b) => a - b);
        const pages = starts.map((start, i) => ({ number: i + 1, start, end: starts[i + 1] ?? text.length }));
        const options = { maxChars, overlap, chunksPerFile: "auto", strategy, similarity } as const;
        const chunks = chunkDocument({ ...document, pages }, options);
        assert.deepEqual(
          chunks.map(({ page: _, pages: __, ...chunk }) => chunk),
          chunkDocument(document, options),
        );
        for (const [index, chunk] of chunks.entries()) {
          let own = Math.max(chunk.start, chunks[index - 1]?.end ?? 0);
          while (text[own]!.trim() === "") own++;
          assert.equal(chunk.page, pages.findLast(({ start }) => start <= own)?.number);
          const parts = pages.flatMap(({ number, start, end }) => {
            const from = Math.max(start, chunk.start);
            return text.slice(from, Math.min(end, chunk.end)).trim() === ""
              ? []
              : [{ number, at: from - chunk.start }];
          }).map((part, i) => i === 0 ? { ...part, at: 0 } : part);
          assert.deepEqual(chunk.pages ?? [], parts.length > 1 ? parts : []);
        }
      },
    ),
    fuzz(1000),
  );
});

Deno.test("a chunk that begins below the head of a table has a lead that fits", () => {
  const cell = fc.string({ unit: fc.constantFrom("a", "b", "中", " ", "。"), maxLength: 12 });
  const table = fc.integer({ min: 1, max: 8 }).chain((width) =>
    fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 2, maxLength: 12 })
  );
  fc.assert(
    fc.property(table, fc.integer({ min: 40, max: 200 }), (rows, maxChars) => {
      const builder = new MarkdownBuilder();
      builder.table(rows);
      const { text, sections } = builder.finish();
      const head = text.split("\n").slice(0, 2).join("\n");
      const chunks = chunkDocument({ text, sections }, { maxChars, overlap: 30, chunksPerFile: "auto" });
      for (const { start, end, lead, startLine } of chunks) {
        assert.ok(end - start + (lead === undefined ? 0 : lead.length + 1) <= maxChars);
        // A head may have two rows.
        const second = `${head}\n${text.split("\n")[2]}`;
        if (startLine > 2 && head.length < maxChars >> 1) assert.ok(lead === head || lead === second);
        if (startLine <= 2) assert.equal(lead, undefined);
      }
    }),
    fuzz(500),
  );
});

Deno.test("chunks overlap by at most `overlap` units, and never across a heading", () => {
  fc.assert(
    fc.property(packing, ([text, path, maxChars, overlap]) => {
      const [document, chunks] = pack(text, path, maxChars, overlap);
      for (const [index, chunk] of chunks.entries()) {
        const before = chunks[index - 1];
        if (before === undefined || chunk.start >= before.end) continue;
        assert.ok(before.end - chunk.start <= overlap);
        assert.ok(!document.sections.some(({ start }) => start >= chunk.start && start <= before.end));
      }
      if (overlap === 0) {
        for (const [index, chunk] of chunks.entries()) {
          assert.ok(chunk.start >= (chunks[index - 1]?.end ?? 0));
        }
      }
    }),
    fuzz(500),
  );
});

Deno.test("a chunk crosses a heading only if it is under a quarter full, and never one of a higher level", () => {
  fc.assert(
    fc.property(packing, ([text, path, maxChars, overlap]) => {
      const [document, chunks] = pack(text, path, maxChars, overlap);
      for (const chunk of chunks) {
        const began = document.sections.findLast(({ start }) => start <= chunk.start);
        let level = began?.level ?? 0;
        let headingsEnd = began !== undefined && chunk.start < began.headingEnd ? began.headingEnd : -1;
        for (const section of document.sections) {
          if (section.start <= chunk.start || section.start >= chunk.end) continue;
          const isHeadingOnly = headingsEnd >= 0 && text.slice(headingsEnd, section.start).trim() === "";
          if (isHeadingOnly) {
            headingsEnd = section.headingEnd;
            level = Math.min(level, section.level);
            continue;
          }
          const before = text.slice(chunk.start, section.start).trimEnd();
          assert.ok(before.length < maxChars >> 2);
          assert.ok(section.level >= level);
          headingsEnd = -1;
        }
      }
    }),
    fuzz(500),
  );
});

Deno.test("the section of a chunk is the deepest that contains all of it", () => {
  fc.assert(
    fc.property(packing, ([text, path, maxChars, overlap]) => {
      const [document, chunks] = pack(text, path, maxChars, overlap);
      for (const { start, end, section } of chunks) {
        const around = document.sections.findLast((one) => one.start <= start && end <= one.end);
        assert.deepEqual(section, around?.path ?? []);
      }
    }),
    fuzz(500),
  );
});

Deno.test("chunksPerFile N returns N pieces if the text has N characters", () => {
  fc.assert(
    fc.property(hardText, name, fc.integer({ min: 1, max: 40 }), (text, path, pieces) => {
      const document = loadDocument(path, text);
      const chunks = chunkDocument(document, { maxChars: 2, overlap: 1, chunksPerFile: pieces });
      const characters = [...text].filter((one) => one.trim() !== "").length;
      assert.equal(chunks.length, Math.min(pieces, characters));
      checkSpans(text, chunks);
      checkCoverage(text, chunks);
      // Each cut is at most a quarter of a piece away from its ideal place.
      for (const { start, end } of chunks) {
        const own = [...text.slice(start, end)].filter((one) => one.trim() !== "").length;
        assert.ok(own <= characters / chunks.length * 1.5 + 1 && own >= characters / chunks.length / 2 - 1);
      }
    }),
    fuzz(1000),
  );
});

Deno.test("a chunk does not end in a heading", () => {
  fc.assert(
    fc.property(packing, ([text, path, maxChars, overlap]) => {
      const [document, chunks] = pack(text, path, maxChars, overlap);
      for (const chunk of chunks.slice(0, -1)) {
        const last = document.sections.findLast(({ start }) => start > chunk.start && start < chunk.end);
        if (last === undefined || chunk.end !== last.headingEnd) continue;
        // Exception: the chunk has only headings, and the next character did not fit.
        const before = document.sections.findLast(({ start }) => start < last.start);
        assert.ok(before !== undefined && text.slice(before.headingEnd, last.start).trim() === "");
      }
    }),
    fuzz(500),
  );
});
