import type { TextLoader } from "./loader.ts";
import { loadAsciiDoc } from "./markup/asciidoc.ts";
import { codeKind, loadCode } from "./code/mod.ts";
import { dataLoader } from "./data/mod.ts";
import { loadLatex } from "./markup/latex.ts";
import { loadMarkdown } from "./markup/markdown.ts";
import { loadOrg } from "./markup/org.ts";
import { loadPlain } from "./plain.ts";
import { loadRestructuredText } from "./markup/restructured_text.ts";
import type { Document } from "./types.ts";

/** Loader by extension, in lower case; every other text is plain. */
const LOADERS: Readonly<Record<string, TextLoader>> = {
  md: loadMarkdown,
  markdown: loadMarkdown,
  mdown: loadMarkdown,
  mkd: loadMarkdown,
  mkdn: loadMarkdown,
  mdx: loadMarkdown,
  mdc: loadMarkdown,
  qmd: loadMarkdown,
  rmd: loadMarkdown,
  rst: loadRestructuredText,
  rest: loadRestructuredText,
  adoc: loadAsciiDoc,
  asciidoc: loadAsciiDoc,
  asc: loadAsciiDoc,
  org: loadOrg,
  tex: loadLatex,
  latex: loadLatex,
};

/** `README`, also with a language: `README.zh`, `README_zh-CN`. */
const README = /^readme(?:[._-](?:zh|cn|tw|en|ja|jp|ko|kr|de|fr|es|pt|ru|it)(?:[-_][a-z]{2,4})?)?$/i;

/**
 * The outline of a decoded text. The format is chosen by the extension of `path` (either separator), a README
 * without one is Markdown; source code is outlined by its keywords and indentation. Takes linear time and copies no lines.
 */
export function loadDocument(path: string, text: string): Document {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  const dot = name.lastIndexOf(".");
  const extension = dot < 0 ? "" : name.slice(dot + 1).toLowerCase();
  if (Object.hasOwn(LOADERS, extension)) return LOADERS[extension]!(text);
  if (README.test(name)) return loadMarkdown(text);
  if (codeKind(path, text) !== undefined) return loadCode(path, text);
  return (dataLoader(path, text) ?? loadPlain)(text);
}
