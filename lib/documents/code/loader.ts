/**
 * Reads source code with the definitions that tree-sitter finds, or else by its keywords.
 * Below the loader: the parser, its grammars, and the queries that name the definitions of each language.
 */
import type { Language as Grammar, Node, Parser, Query, QueryCapture } from "web-tree-sitter";
import { codeKind, type Language } from "./languages.ts";
import { type Definition, definitionSections, outlineCode } from "./outline.ts";
import { type Document, type FileName, kept, type Loader, words } from "../types.ts";
import { bytesToText } from "../decode.ts";
import { unpacked } from "../packed.ts";

/** UTF-16 units given to the parser at once. Its buffer holds 5,120. */
const PORTION = 4096;
/** Definitions kept per file. */
const MOST_DEFINITIONS = 100_000;
const LONGEST_NAME = 120;
/** Nodes around a definition that belong to it: decorators, `export`, `template <…>`, `const … =`. */
const WRAPPERS = words(
  "decorated_definition export_statement ambient_declaration template_declaration lexical_declaration",
  "variable_declaration expression_statement type_declaration type_definition",
);

/** Finds the definitions in source code with tree-sitter. A grammar is loaded when a text first needs it. */
class SyntaxParser {
  #ready: Promise<{ parser: Parser; module: typeof import("web-tree-sitter") }> | undefined;
  readonly #grammars = new Map<Language, Promise<{ grammar: Grammar; query: Query }>>();

  /**
   * Returns the definitions in a text, ordered by start, outer ones first. `undefined` if that takes more than `limit`
   * milliseconds.
   */
  async definitions(text: string, language: Language, limit: number): Promise<Definition[] | undefined> {
    const { parser } = await (this.#ready ??= init());
    const { grammar, query } = await kept(this.#grammars, language, () => this.#load(language));
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
    const grammar = await module.Language.load(unpacked((await GRAMMARS[language]()).data));
    return { grammar, query: new module.Query(grammar, QUERIES[language]) };
  }
}

async function init() {
  const module = await import("web-tree-sitter");
  await module.Parser.init({ wasmBinary: unpacked((await import("./grammars/parser.ts")).data) });
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

/** Each grammar is a separate module, so that only the grammars of the files at hand are loaded. */
const GRAMMARS: Readonly<Record<Language, () => Promise<{ readonly data: string }>>> = {
  bash: () => import("./grammars/bash.ts"),
  c: () => import("./grammars/c.ts"),
  "c_sharp": () => import("./grammars/c_sharp.ts"),
  cpp: () => import("./grammars/cpp.ts"),
  go: () => import("./grammars/go.ts"),
  java: () => import("./grammars/java.ts"),
  javascript: () => import("./grammars/javascript.ts"),
  php: () => import("./grammars/php.ts"),
  powershell: () => import("./grammars/powershell.ts"),
  python: () => import("./grammars/python.ts"),
  ruby: () => import("./grammars/ruby.ts"),
  rust: () => import("./grammars/rust.ts"),
  tsx: () => import("./grammars/tsx.ts"),
  typescript: () => import("./grammars/typescript.ts"),
};

/**
 * The definitions of each language as tree-sitter queries. The capture of a pattern names the kind. `@name` holds the name,
 * or the first node of a declarator that leads to it. A `@function` inside a type with members is a method.
 */
const QUERIES: Readonly<Record<Language, string>> = {
  bash: `(function_definition name: (_) @name) @function`,
  c: c(),
  "c_sharp": `
    (namespace_declaration name: (_) @name) @namespace
    (class_declaration name: (_) @name) @class
    (struct_declaration name: (_) @name) @struct
    (record_declaration name: (_) @name) @record
    (interface_declaration name: (_) @name) @interface
    (enum_declaration name: (_) @name) @enum
    (method_declaration name: (_) @name) @function
    (constructor_declaration name: (_) @name) @constructor
    (local_function_statement name: (_) @name) @function`,
  cpp: `${c()}
    (class_specifier name: (_) @name body: (_)) @class
    (namespace_definition name: (_) @name) @namespace`,
  go: `
    (function_declaration name: (_) @name) @function
    (method_declaration receiver: (_) @receiver name: (_) @name) @method
    (type_spec name: (_) @name type: (struct_type)) @struct
    (type_spec name: (_) @name type: (interface_type)) @interface`,
  java: `
    (class_declaration name: (_) @name) @class
    (record_declaration name: (_) @name) @record
    (interface_declaration name: (_) @name) @interface
    (annotation_type_declaration name: (_) @name) @annotation
    (enum_declaration name: (_) @name) @enum
    (method_declaration name: (_) @name) @function
    (constructor_declaration name: (_) @name) @constructor`,
  javascript: javaScript("identifier", "field_definition property"),
  php: `
    (class_declaration name: (_) @name) @class
    (interface_declaration name: (_) @name) @interface
    (trait_declaration name: (_) @name) @trait
    (enum_declaration name: (_) @name) @enum
    (function_definition name: (_) @name) @function
    (method_declaration name: (_) @name) @function`,
  powershell: `
    (function_statement (function_name) @name) @function
    (class_statement . (simple_name) @name) @class
    (enum_statement (simple_name) @name) @enum
    (class_method_definition (simple_name) @name) @function`,
  python: `
    (class_definition name: (_) @name) @class
    (function_definition name: (_) @name) @function`,
  ruby: `
    (module name: (_) @name) @module
    (class name: (_) @name) @class
    (method name: (_) @name) @function
    (singleton_method name: (_) @name) @function`,
  rust: `
    (function_item name: (_) @name) @function
    (struct_item name: (_) @name) @struct
    (union_item name: (_) @name) @union
    (enum_item name: (_) @name) @enum
    (trait_item name: (_) @name) @trait
    (impl_item type: (_) @name) @impl
    (mod_item name: (_) @name body: (_)) @module
    (macro_definition name: (_) @name) @macro`,
  tsx: typeScript(),
  typescript: typeScript(),
};

function c(): string {
  return `
    (function_definition declarator: (_) @name) @function
    (struct_specifier name: (_) @name body: (_)) @struct
    (union_specifier name: (_) @name body: (_)) @union
    (enum_specifier name: (_) @name body: (_)) @enum
    (type_definition type: (struct_specifier body: (_)) declarator: (_) @name) @struct
    (type_definition type: (enum_specifier body: (_)) declarator: (_) @name) @enum
    (preproc_function_def name: (_) @name) @macro`;
}

function javaScript(className: string, field: string): string {
  const [fieldType, fieldName] = field.split(" ");
  const aFunction = "[(arrow_function) (function_expression) (generator_function)]";
  return `
    (class_declaration name: (${className}) @name) @class
    (function_declaration name: (_) @name) @function
    (generator_function_declaration name: (_) @name) @function
    (method_definition name: (_) @name) @function
    (variable_declarator name: (identifier) @name value: ${aFunction}) @function
    (variable_declarator name: (identifier) @name value: (class)) @class
    (assignment_expression left: (_) @name right: ${aFunction}) @function
    (assignment_expression left: (_) @name right: (class)) @class
    (pair key: (_) @name value: ${aFunction}) @function
    (${fieldType} ${fieldName}: (_) @name value: ${aFunction}) @function`;
}

function typeScript(): string {
  return `${javaScript("type_identifier", "public_field_definition name")}
    (abstract_class_declaration name: (_) @name) @class
    (interface_declaration name: (_) @name) @interface
    (type_alias_declaration name: (_) @name) @type
    (enum_declaration name: (_) @name) @enum
    (internal_module name: (_) @name) @namespace
    (module name: (_) @name) @module`;
}

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

/**
 * Reads source code. The text stays as it is; every function, class, method … becomes a section: `class Cart › method add`.
 * The definitions are found by tree-sitter's grammars for fourteen languages. Keywords and indentation are used for all
 * other languages, and if parsing fails or takes too long.
 */
export class CodeLoader implements Loader {
  readonly #parser = new SyntaxParser();

  async load(bytes: Uint8Array<ArrayBuffer>, file: FileName): Promise<Document> {
    return await this.loadText(file.path, (await bytesToText(bytes, file)).text);
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
