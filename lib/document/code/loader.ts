import { decodeText } from "../reader/decode_text.ts";
import type { FileName, Loader } from "../loader.ts";
import type { Document } from "../types.ts";
import { codeKind } from "./languages.ts";
import { outlineCode } from "./outline.ts";
import { definitionSections } from "./sections.ts";
import { SyntaxParser } from "./syntax.ts";

/** Longer texts are hardly written by hand; their syntax trees would take hundreds of megabytes. In UTF-16 units. */
const LONGEST_PARSED = 4_000_000;
/** Milliseconds that parsing may take: a fixed part and one for a million units; 20 times what it takes. */
const LIMIT = { fixed: 3_000, perMillion: 10_000 };

/** Source code with the definitions that its keywords and indentation show, without a parser. Takes linear time. */
export function loadCode(path: string, text: string): Document {
  return {
    text,
    sections: definitionSections(text, outlineCode(path, text), codeKind(path, text) ?? "other"),
  };
}

/**
 * Source code: its text as it is, with a section for each function, class, method …: `class Cart › method add`. Found by
 * tree-sitter's grammars for fourteen languages, by keywords and indentation for all others and where parsing fails or takes
 * too long.
 */
export class CodeLoader implements Loader {
  readonly #parser = new SyntaxParser();

  async load(bytes: Uint8Array<ArrayBuffer>, file: FileName): Promise<Document> {
    return await this.loadText(file.path, await decodeText(bytes, file));
  }

  /** {@linkcode load} for a text that is decoded already. */
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
      // a text that the parser breaks at still has lines
      return undefined;
    }
  }
}

export const loader: Loader = new CodeLoader();
