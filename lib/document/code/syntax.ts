import type { Language as Grammar, Node, Parser, Query, QueryCapture } from "web-tree-sitter";
import { grammarBytes, parserBytes } from "./grammar.ts";
import type { Language } from "./languages.ts";
import { QUERIES } from "./queries.ts";
import type { Definition } from "./types.ts";

/** UTF-16 units given to the parser at once. Its buffer holds 5,120. */
const PORTION = 4096;
/** Definitions kept per file. */
const MOST_DEFINITIONS = 100_000;
const LONGEST_NAME = 120;
/** Nodes around a definition that belong to it: decorators, `export`, `template <…>`, `const … =`. */
const WRAPPERS = new Set([
  "decorated_definition",
  "export_statement",
  "ambient_declaration",
  "template_declaration",
  "lexical_declaration",
  "variable_declaration",
  "expression_statement",
  "type_declaration",
  "type_definition",
]);

/** Finds the definitions in source code with tree-sitter. A grammar is loaded when a text first needs it. */
export class SyntaxParser {
  #ready: Promise<{ parser: Parser; module: typeof import("web-tree-sitter") }> | undefined;
  readonly #grammars = new Map<Language, Promise<{ grammar: Grammar; query: Query }>>();

  /**
   * Returns the definitions in a text, ordered by start, outer ones first. `undefined` if that takes more than `limit`
   * milliseconds.
   */
  async definitions(text: string, language: Language, limit: number): Promise<Definition[] | undefined> {
    const { parser } = await (this.#ready ??= init());
    let loading = this.#grammars.get(language);
    if (loading === undefined) this.#grammars.set(language, loading = this.#load(language));
    const { grammar, query } = await loading;
    const end = performance.now() + limit;
    const progressCallback = () => performance.now() > end;
    parser.setLanguage(grammar);
    const tree = parser.parse((at) => text.slice(at, at + PORTION), null, { progressCallback });
    if (tree === null) {
      parser.reset();
      return undefined;
    }
    try {
      const matches = query.matches(tree.rootNode, { progressCallback, matchLimit: 10_000 });
      if (progressCallback()) return undefined;
      const found = matches.slice(0, MOST_DEFINITIONS).map(({ captures }) => definition(captures, text));
      return found.sort((a, b) => a.start - b.start || b.end - a.end);
    } finally {
      tree.delete();
    }
  }

  async #load(language: Language) {
    const { module } = await this.#ready!;
    const grammar = await module.Language.load(await grammarBytes(language));
    return { grammar, query: new module.Query(grammar, QUERIES[language]) };
  }
}

async function init() {
  const module = await import("web-tree-sitter");
  await module.Parser.init({ wasmBinary: await parserBytes() });
  return { parser: new module.Parser(), module };
}

function definition(captures: readonly QueryCapture[], text: string): Definition {
  const nodes = new Map(captures.map(({ name, node }) => [name, node]));
  const { name: kind, node } = captures.find(({ name }) => name !== "name" && name !== "receiver")!;
  const named = nodeOfName(nodes.get("name")!);
  const around = withWrappers(node);
  return {
    start: around.startIndex,
    end: around.endIndex,
    nameAt: named.startIndex,
    kind,
    name: nameOf(kind, node, named, nodes.get("receiver"), text),
  };
}

/** Follows the declarators of C to the name, as in `*(*name(int))[3]`. */
function nodeOfName(node: Node): Node {
  for (;;) {
    const next = node.childForFieldName("declarator") ??
      (/^(?:parenthesized|reference|attributed)_declarator$/.test(node.type) ? node.firstNamedChild : null);
    if (next === null) return node;
    node = next;
  }
}

function withWrappers(node: Node): Node {
  for (;;) {
    const parent = node.parent;
    if (parent === null || !WRAPPERS.has(parent.type)) return node;
    // The statement does not belong to one of several definitions in it.
    if (
      parent.type.endsWith("_declaration") &&
      parent.namedChildren.filter((one) => one?.type === node.type).length > 1
    ) {
      return node;
    }
    node = parent;
  }
}

function nameOf(kind: string, node: Node, named: Node, receiver: Node | undefined, text: string): string {
  let name = text.slice(named.startIndex, named.endIndex);
  if (kind === "impl") {
    const of = node.childForFieldName("trait");
    if (of !== null) name = `${text.slice(of.startIndex, of.endIndex)} for ${name}`;
  }
  const type = receiver === undefined
    ? undefined
    : /(\w+)(?:\[[^\]]*\])?\s*\)$/.exec(text.slice(receiver.startIndex, receiver.endIndex))?.[1];
  if (type !== undefined) name = `${type}.${name}`;
  return name.replace(/\s+/g, " ").replace(/^(["'`])(.*)\1$/, "$2").slice(0, LONGEST_NAME);
}
