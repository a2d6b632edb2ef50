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
  title: z.string().optional(),
  author: z.string().optional(),
  date: z.string().optional(),
  language: z.string().optional(),
  tags: z.array(z.string()).optional(),
  pages: z.int().optional(),
  empty_pages: z.array(z.int()).optional(),
});

/** The facts about a document that its answers give beside its text. */
export function documentInfo({ document, format, path, name, size, modified }: ServedDocument): z.output<
  typeof DOCUMENT_INFO
> {
  const { title, metadata = {}, pages, emptyPages } = document;
  const { tags, ...facts } = metadata;
  return {
    file_path: path,
    file_name: name,
    format,
    file_size: size,
    modify_time: modified.toISOString(),
    ...(title === undefined ? {} : { title }),
    ...facts,
    ...(tags === undefined ? {} : { tags: [...tags] }),
    ...(pages === undefined ? {} : { pages: pages.length }),
    ...(emptyPages === undefined ? {} : { empty_pages: [...emptyPages] }),
  };
}

/** One line that names the pages without text, which may be scans; no line where there are no such pages. */
export function emptyPagesLines({ emptyPages }: ServedDocument["document"], language: Language): string[] {
  return emptyPages === undefined
    ? []
    : [message(language, "document_empty_pages", { pages: pageList(emptyPages) })];
}
