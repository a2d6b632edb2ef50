import { codeKind } from "./code/languages.ts";
import { loadCode } from "./code/loader.ts";
import { dataLoader } from "./data/data_loader.ts";
import type { TextLoader } from "./loader.ts";
import { loadAsciiDoc } from "./markup/asciidoc.ts";
import { withFrontMatter } from "./markup/front_matter.ts";
import { loadLatex } from "./markup/latex.ts";
import { loadMarkdown } from "./markup/markdown.ts";
import { loadOrg } from "./markup/org.ts";
import { loadRestructuredText } from "./markup/restructured_text.ts";
import { extensionOf, fileName } from "./reader/file_name.ts";
import type { Document } from "./types.ts";

const markdown = withFrontMatter(loadMarkdown, true);

/** Loaders by extension, in lower case. Every other text is plain. */
const LOADERS: Readonly<Record<string, TextLoader>> = {
  md: markdown,
  markdown: markdown,
  mdown: markdown,
  mkd: markdown,
  mkdn: markdown,
  mdx: markdown,
  mdc: markdown,
  qmd: markdown,
  rmd: markdown,
  rst: withFrontMatter(loadRestructuredText),
  rest: withFrontMatter(loadRestructuredText),
  adoc: withFrontMatter(loadAsciiDoc),
  asciidoc: withFrontMatter(loadAsciiDoc),
  asc: withFrontMatter(loadAsciiDoc),
  org: withFrontMatter(loadOrg),
  tex: loadLatex,
  latex: loadLatex,
};

/** Matches `README`, also with a language: `README.zh`, `README_zh-CN`. */
const README = /^readme(?:[._-](?:zh|cn|tw|en|ja|jp|ko|kr|de|fr|es|pt|ru|it)(?:[-_][a-z]{2,4})?)?$/i;

/**
 * Returns a decoded text with its outline. The extension of `path` (with either separator) decides the format; a README
 * without an extension is Markdown. Source code is outlined by its keywords and indentation. Takes linear time and copies no
 * lines.
 *
 * ```ts
 * import { equal } from "node:assert/strict";
 *
 * const { sections } = loadDocument("notes.md", "# Keys\n\n## Rotation\n\nEvery 90 days.\n");
 * equal(sections[1]?.path.join(" > "), "Keys > Rotation");
 * ```
 */
export function loadDocument(path: string, text: string): Document {
  const extension = extensionOf(path);
  if (Object.hasOwn(LOADERS, extension)) return LOADERS[extension]!(text);
  if (README.test(fileName(path))) return markdown(text);
  if (codeKind(path, text) !== undefined) return loadCode(path, text);
  const load = dataLoader(path, text) ?? withFrontMatter((plain) => ({ text: plain, sections: [] }));
  return load(text);
}
