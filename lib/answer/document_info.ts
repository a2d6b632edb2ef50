import * as z from "zod";
import { type Language, message, pageList } from "../messages.ts";
import type { ServedDocument } from "../search/mod.ts";

/** Shape of `file_info` in the answers about a document. */
export const DOCUMENT_INFO = z.object({
  file_path: z.string(),
  file_name: z.string(),
  format: z.string(),
  file_size: z.int(),
  modify_time: z.string(),
  create_time: z.string().optional(),
  create_time_by: z.enum(["file_system", "document"]).optional(),
  title: z.string().optional(),
  author: z.string().optional(),
  date: z.string().optional(),
  language: z.string().optional(),
  tags: z.array(z.string()).optional(),
  description: z.string().optional(),
  pages: z.int().optional(),
  empty_pages: z.array(z.int()).optional(),
  recognised_pages: z.array(z.int()).optional(),
});

/** The facts about a document that its answers give beside its text. */
export function documentInfo(served: ServedDocument): z.output<typeof DOCUMENT_INFO> {
  const { document, format, path, name, size, modified } = served;
  const { title, metadata = {}, pages, emptyPages, recognised } = document;
  const { tags, created: _, ...facts } = metadata;
  const created = creationOf(served);
  return {
    file_path: path,
    file_name: name,
    format,
    file_size: size,
    modify_time: modified.toISOString(),
    ...(created === undefined ? {} : { create_time: created.time, create_time_by: created.by }),
    ...(title === undefined ? {} : { title }),
    ...facts,
    ...(tags === undefined ? {} : { tags: [...tags] }),
    ...(pages === undefined ? {} : { pages: pages.length }),
    ...(emptyPages === undefined ? {} : { empty_pages: [...emptyPages] }),
    ...(recognised === undefined ? {} : { recognised_pages: [...recognised] }),
  };
}

/** When a document was created in ISO 8601: the file by the file system, else the document by its own account. */
export function creationOf(
  { created, document }: ServedDocument,
): { readonly time: string; readonly by: "file_system" | "document" } | undefined {
  if (created !== undefined) return { time: created.toISOString(), by: "file_system" };
  const time = document.metadata?.created;
  return time === undefined ? undefined : { time, by: "document" };
}

/** A line that names the pages without text, which may be scans, and one for those whose text was recognised in scans. */
export function scannedPagesLines(
  { emptyPages, recognised }: ServedDocument["document"],
  language: Language,
): string[] {
  const line = (key: "document_empty_pages" | "document_recognised_pages", pages: readonly number[] = []) =>
    pages.length === 0 ? [] : [message(language, key, { pages: pageList(pages) })];
  return [...line("document_empty_pages", emptyPages), ...line("document_recognised_pages", recognised)];
}
