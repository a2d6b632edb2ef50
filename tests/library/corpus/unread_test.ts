import { deepEqual, equal, ok } from "node:assert/strict";
import { FORMATS } from "#documents/formats.ts";
import { emptyPagesText, isUnread, kindsOf, kindText } from "#library/corpus/mod.ts";
import { type Language, message, MESSAGES } from "#foundation/messages/mod.ts";

Deno.test("isUnread() returns true for files that may contain an answer but could not be read", () => {
  const unread = (status: "indexed" | "skipped" | "failed", reason?: string) =>
    isUnread({ status, ...(reason === undefined ? {} : { reason }) });
  for (const reason of ["no_text", "no_loader", "too_large"]) equal(unread("skipped", reason), true);
  equal(unread("failed", "no_permission"), true);
  deepEqual(
    [
      unread("indexed"),
      unread("indexed", "no_permission"),
      unread("skipped", "hidden"),
      unread("skipped", "image"),
    ],
    [false, false, false, false],
  );
});

Deno.test("kindsOf() counts by reason and format and names the first files", () => {
  const scan = (path: string) => ({ path, reason: "no_text", format: "pdf" });
  deepEqual(
    kindsOf([{ path: "a", reason: "no_permission" }, ...["1", "2", "3", "4"].map(scan)]),
    [
      { reason: "no_text", format: "pdf", count: 4, paths: ["1", "2", "3"] },
      { reason: "no_permission", count: 1, paths: ["a"] },
    ],
  );
});

Deno.test("kindText() counts in words, in the singular and the plural", () => {
  const texts = (kind: { reason: string; format?: string }, language: Language) =>
    [1, 2].map((count) => kindText({ ...kind, count }, language)).join(" | ");
  equal(
    texts({ reason: "document_encrypted", format: "pdf" }, "en"),
    "1 PDF protected by a password | 2 PDFs protected by a password",
  );
  equal(texts({ reason: "archive" }, "en"), "1 archive | 2 archives");
  equal(texts({ reason: "audio" }, "zh"), "音频 1 个 | 音频 2 个");
  equal(
    texts({ reason: "document_damaged", format: "html" }, "zh"),
    "已损坏或不完整的网页 1 个 | 已损坏或不完整的网页 2 个",
  );
  equal(
    texts({ reason: "of a later version", format: "new" }, "en"),
    "1 file that could not be read | 2 files that could not be read",
  );
});

Deno.test("every format that a loader reads has a name in both languages", () => {
  for (const { name: format } of FORMATS) {
    for (const language of ["zh", "en"] as const) {
      ok(
        `format_${format}` in MESSAGES,
        `lib/foundation/messages/documents.ts has no message format_${format}`,
      );
      const name = message(language, `format_${format}`, { count: 2 });
      equal(kindText({ reason: "too_large", format, count: 2 }, language).includes(name), true, format);
    }
  }
});

Deno.test("emptyPagesText() lists pages, and only counts them if there are many", () => {
  equal(emptyPagesText([3], 9, "en"), "no text on page 3");
  equal(emptyPagesText([3, 4, 5, 6, 7], 9, "zh"), "第 3–7 页没有文字");
  equal(
    emptyPagesText(Array.from({ length: 30 }, (_, at) => 2 * at + 1), 60, "en"),
    "no text on 30 of 60 pages",
  );
});
