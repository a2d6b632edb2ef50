import type { FileName, Loader } from "../loader.ts";
import { decodeText } from "../reader/decode_text.ts";
import type { Document } from "../types.ts";
import { codeKind } from "./languages.ts";
import { outlineCode } from "./outline.ts";
import { definitionSections } from "./sections.ts";
import { SyntaxParser } from "./syntax.ts";

/**
 * Longer texts, in UTF-16 units, are not parsed: they are rarely written by hand, and their syntax trees would take hundreds
 * of megabytes.
 */
const LONGEST_PARSED = 4_000_000;
/**
 * Time limit for parsing in milliseconds: a fixed part and a part per million UTF-16 units. Both are about 20 times what
 * parsing usually takes.
 */
const LIMIT = { fixed: 3_000, perMillion: 10_000 };

/** Returns source code with the definitions found by keywords and indentation, without a parser. Takes linear time. */
export function loadCode(path: string, text: string): Document {
  return {
    text,
    sections: definitionSections(text, outlineCode(path, text), codeKind(path, text) ?? "other"),
  };
}

/**
 * Reads source code. The text stays as it is; every function, class, method … becomes a section: `class Cart › method add`.
 * The definitions are found by tree-sitter's grammars for fourteen languages. Keywords and indentation are used for all
 * other languages, and if parsing fails or takes too long.
 */
export class CodeLoader implements Loader {
  readonly #parser = new SyntaxParser();

  async load(bytes: Uint8Array<ArrayBuffer>, file: FileName): Promise<Document> {
    return await this.loadText(file.path, await decodeText(bytes, file));
  }

  /** Like {@linkcode load}, for a text that is already decoded. */
  async loadText(path: string, text: string): Promise<Document> {
    const kind = codeKind(path, text) ?? "other";
    const parsed = kind === "other" || text.length > LONGEST_PARSED
      ? undefined
      : await this.#parse(text, kind);
    return { text, sections: definitionSections(text, parsed ?? outlineCode(path, text), kind) };
  }

  async #parse(text: string, kind: Parameters<SyntaxParser["definitions"]>[1]) {
    try {
      return await this.#parser.definitions(text, kind, LIMIT.fixed + text.length / 1e6 * LIMIT.perMillion);
    } catch {
      // The text can still be outlined by its lines.
      return undefined;
    }
  }
}

export const loader: Loader = new CodeLoader();
