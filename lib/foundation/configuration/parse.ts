/**
 * Reading a configuration file in YAML or JSON: every value with its position, problems of syntax, unknown keys with suggestions.
 */
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  visit,
  type YAMLError,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import type { ParseError } from "jsonc-parser";
import type { MessageKey, Phrase } from "#foundation/messages/mod.ts";
import {
  COLLECTION_NAME,
  COLLECTION_SECTIONS,
  COLLECTIONS,
  collectionSection,
  keysOf,
  MAX_COLLECTIONS,
  RESERVED_NAMES,
  SECTIONS,
  subsections,
} from "./schema.ts";
import {
  type GivenValue,
  keyPath,
  mismatch,
  type PositionAt,
  type Problem,
  type SourcePosition,
} from "./given_value.ts";
import { REMOVED_LEGS } from "#foundation/constants.ts";
import { nearest } from "#foundation/edit_distance.ts";

/** The content of a configuration file. */
export interface Reading {
  readonly values: readonly GivenValue[];
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  readonly collections: readonly NamedCollection[];
  /** False if the text has content but no top-level key of this program, so it is another program's file. */
  readonly ours: boolean;
}

/** The name of a collection in a configuration file. */
export interface NamedCollection {
  readonly name: string;
  readonly position: SourcePosition;
}

/** Aliases cannot multiply, because only plain values are followed. The limit keeps the cost of resolving them low. */
const MAX_ALIASES = 100;

/**
 * Reads YAML, and JSON by the same parser so that positions are known. Reports broken syntax, unknown keys and duplicate
 * keys. The values are not checked.
 *
 * @param name the file's name as people see it
 */
export async function parseConfig(text: string, name: string, format: "yaml" | "json"): Promise<Reading> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  const positionAt: PositionAt = (offset) => {
    const { line, col } = lines.linePos(offset);
    return { text: `${name}:${Math.max(1, line)}:${Math.max(1, col)}`, order: offset };
  };
  const syntax = format === "json" ? await jsonProblems(text, positionAt) : [];
  if (syntax.length === 0) syntax.push(...yamlProblems(document, lines, positionAt));

  const walk = new Walk(document, lines, positionAt);
  // Aliases without an anchor.
  syntax.push(...walk.problems);
  walk.file();
  const { values, problems, warnings, collections, ours } = walk;
  if (syntax.length === 0) return { values, problems, warnings, collections, ours };
  // The rest of a broken text would only mislead. Its language is needed for the messages.
  const top = values.filter(({ section }) => section === undefined);
  return { values: top, problems: syntax, warnings, collections: [], ours };
}

function yamlProblems(document: Document, lines: LineCounter, positionAt: PositionAt): Problem[] {
  const seen = new Set<number>();
  const problems: Problem[] = [];
  for (const error of document.errors) {
    // One mistake can cause several errors in a line: only the first is reported.
    const { line } = lines.linePos(error.pos[0]);
    if (seen.has(line)) continue;
    seen.add(line);
    problems.push({ position: positionAt(error.pos[0]), path: "", phrase: syntaxPhrase(error) });
  }
  return problems;
}

/** The parser's own messages are English, and some quote the file, which may hold secrets. */
function syntaxPhrase(error: YAMLError): Phrase {
  const byCode: Partial<Record<YAMLError["code"], MessageKey>> = {
    "BAD_DQ_ESCAPE": "config_yaml_escape",
    "BAD_SCALAR_START": "config_yaml_start",
    "BLOCK_AS_IMPLICIT_KEY": "config_yaml_nested",
    "MULTIPLE_DOCS": "config_yaml_documents",
    "RESOURCE_EXHAUSTION": "config_yaml_depth",
    "TAB_AS_INDENT": "config_yaml_tab",
  };
  const known = byCode[error.code];
  if (known !== undefined) return { key: known };
  if (/closing|^Flow|end with a/.test(error.message)) return { key: "config_yaml_unclosed" };
  if (/^Implicit/.test(error.message)) return { key: "config_yaml_colon" };
  if (error.code === "BAD_INDENT") return { key: "config_yaml_indent" };
  return { key: "config_yaml_other", params: { code: error.code } };
}

class Walk {
  readonly values: GivenValue[] = [];
  readonly problems: Problem[] = [];
  readonly warnings: Problem[] = [];
  readonly collections: NamedCollection[] = [];
  ours = false;
  readonly #document: Document;
  readonly #lines: LineCounter;
  readonly #positionAt: PositionAt;
  readonly #targets: ReadonlyMap<Node, Node>;

  constructor(document: Document, lines: LineCounter, positionAt: PositionAt) {
    this.#document = document;
    this.#lines = lines;
    this.#positionAt = positionAt;
    this.#targets = this.#resolveAliases();
  }

  /** The target of every alias. */
  #resolveAliases(): Map<Node, Node> {
    const anchors = new Map<string, Node>();
    const targets = new Map<Node, Node>();
    let count = 0;
    visit(this.#document, {
      Alias: (_, alias) => {
        const at = this.#positionAt(offsetOf(alias));
        const target = anchors.get(alias.source);
        if (target === undefined) this.#report(at, "", { key: "config_alias_unresolved" });
        else targets.set(alias, target);
        if (++count <= MAX_ALIASES) return;
        this.#report(at, "", { key: "config_alias_too_many", params: { limit: MAX_ALIASES } });
        return visit.BREAK;
      },
      Value: (_, node) => {
        if (node.anchor !== undefined) anchors.set(node.anchor, node);
      },
    });
    return targets;
  }

  file(): void {
    const { contents } = this.#document;
    const empty = contents === null || (isScalar(contents) && contents.value === null);
    if (empty || (isMap(contents) && contents.items.length === 0)) {
      this.ours = true;
      return;
    }
    if (!isMap(contents)) {
      this.#report(this.#positionAt(offsetOf(contents)), "", this.#noSection("", contents));
      return;
    }
    for (const [key, keyAt, value] of this.#pairs(contents, undefined)) {
      if (key === "language") {
        this.ours = true;
        this.#add(undefined, key, keyAt, value);
      } else if (key === COLLECTIONS) {
        this.#collections(value);
      } else if (TOP_KEYS.includes(key)) {
        this.ours = true;
        this.#section(key, value);
      } else this.#unknown(undefined, key, keyAt);
    }
  }

  #collections(node: Node | null): void {
    const value = this.#follow(node);
    // A list under this key is another program's: Decap CMS has one in its `config.yml`.
    this.ours ||= !isSeq(value);
    if (value === null || (isScalar(value) && value.value === null)) return;
    if (!isMap(value)) {
      const phrase = mismatch(COLLECTIONS, { key: "config_expect_collections" }, this.#plain(value));
      this.#report(this.#positionAt(offsetOf(node)), COLLECTIONS, phrase);
      return;
    }
    const names = new Map<string, string>();
    for (const [name, nameAt, item] of this.#pairs(value, COLLECTIONS)) {
      const section = `${COLLECTIONS}.${name}`;
      const position = this.#positionAt(nameAt);
      const same = names.get(foldCase(name));
      if (!COLLECTION_NAME.test(name) || RESERVED_NAMES.includes(foldCase(name))) {
        this.#report(position, section, { key: "config_collection_name" });
      } else if (same !== undefined) {
        this.#report(position, section, { key: "config_collection_twice", params: { name: same } });
      } else {
        names.set(foldCase(name), name);
        this.collections.push({ name, position });
        // There are too many then, which is reported later.
        if (this.collections.length > MAX_COLLECTIONS) break;
        this.#section(section, item);
      }
    }
  }

  #section(section: string, node: Node | null): void {
    const value = this.#follow(node);
    // `search:` with every key commented out is an empty section.
    if (value === null || (isScalar(value) && value.value === null)) return;
    if (!isMap(value)) {
      this.#report(this.#positionAt(offsetOf(node)), section, this.#noSection(section, value));
      return;
    }
    const known = Object.keys(keysOf(section));
    const inside = sectionsIn(section);
    for (const [key, keyAt, item] of this.#pairs(value, section)) {
      if (known.includes(key)) this.#add(section, key, keyAt, item);
      else if (inside.includes(key)) this.#section(`${section}.${key}`, item);
      else this.#unknown(section, key, keyAt);
    }
  }

  #noSection(key: string, node: Node): Phrase {
    return mismatch(key, { key: "config_expect_section" }, this.#plain(node));
  }

  /** Keys, their offsets and values. Duplicate keys are reported and left out. */
  *#pairs(map: YAMLMap, section: string | undefined): Generator<[string, number, Node | null]> {
    const first = new Map<string, number>();
    for (const { key: keyNode, value } of map.items as Pair<Node, Node | null>[]) {
      const plain = this.#plain(keyNode);
      const key = typeof plain === "object" && plain !== null ? "?" : String(plain);
      const at = offsetOf(keyNode);
      const before = first.get(key);
      if (before === undefined) {
        first.set(key, at);
        yield [key, at, value];
      } else {
        const { line } = this.#lines.linePos(before);
        const phrase: Phrase = { key: "config_duplicate_key", params: { line } };
        this.#report(this.#positionAt(at), keyPath({ section, key }), phrase);
      }
    }
  }

  #add(section: string | undefined, key: string, keyAt: number, node: Node | null): void {
    const position = this.#positionAt(node?.range ? offsetOf(node) : keyAt);
    const followed = this.#follow(node);
    if (section === "search" && key === "legs" && isSeq(followed)) this.#dropRemovedLegs(followed);
    const items = isSeq(followed)
      ? followed.items.map((item) => this.#positionAt(offsetOf(item as Node)))
      : undefined;
    const isObject = section === "mcp" && OBJECTS.includes(key);
    const value = isObject
      ? followed?.toJS(this.#document, { maxAliasCount: MAX_ALIASES }) ?? null
      : this.#plain(followed);
    this.values.push({ section, key, value, position, ...(items && { items }), origin: "file" });
  }

  #dropRemovedLegs(legs: YAMLSeq): void {
    legs.items = legs.items.filter((item) => {
      const leg = this.#plain(item as Node);
      if (!REMOVED_LEGS.includes(leg)) return true;
      const phrase: Phrase = { key: "config_removed_leg", params: { leg: String(leg) } };
      this.warnings.push({ position: this.#positionAt(offsetOf(item as Node)), path: "search.legs", phrase });
      return false;
    });
  }

  #unknown(section: string | undefined, key: string, at: number): void {
    const known = section === undefined
      ? TOP_KEYS
      : [...Object.keys(keysOf(section)), ...sectionsIn(section)];
    const suggestion = suggestedKey(key, section, known);
    const phrase: Phrase = suggestion === undefined
      ? { key: "config_unknown_key", params: { known: known.join(", ") } }
      : { key: "config_unknown_key_suggest", params: { suggestion } };
    this.#report(this.#positionAt(at), keyPath({ section, key }), phrase);
  }

  #follow(node: Node | null): Node | null {
    return node !== null && isAlias(node) ? this.#targets.get(node) ?? null : node;
  }

  /** The value of a scalar, of a list of scalars, or of a list of those. Deeper nodes become `{}` or `[]`. */
  #plain(node: Node | null, depth = 2): unknown {
    const value = this.#follow(node);
    if (value === null) return null;
    if (isScalar(value)) return value.value;
    if (!isSeq(value)) return {};
    return depth === 0 ? [] : value.items.map((item) => this.#plain(item as Node | null, depth - 1));
  }

  #report(position: SourcePosition, path: string, phrase: Phrase): void {
    this.problems.push({ position, path, phrase });
  }
}

function foldCase(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

function offsetOf(node: Node | null): number {
  return node?.range?.[0] ?? 0;
}

/** The keys of `mcp` whose values are objects, or lists of them. */
const OBJECTS: readonly string[] = ["access", "tokens"];

/** The keys outside every section. */
const TOP_KEYS = ["language", COLLECTIONS, ...subsections()];

/** The sections inside a section of a file. */
function sectionsIn(section: string): string[] {
  const place = collectionSection(section);
  if (place === undefined) return subsections(section);
  return place.inner === "" ? Object.keys(COLLECTION_SECTIONS).filter((name) => name !== "") : [];
}

/** The path of the key that was probably meant by an unknown `key`: one of `known`, which may stand there, or one elsewhere. */
function suggestedKey(
  key: string,
  section: string | undefined,
  known: readonly string[],
): string | undefined {
  const near = nearest(key, known);
  if (near === undefined) return elsewhere(key, section);
  return section === undefined ? near : `${section}.${near}`;
}

/** Returns the path of the key that was probably meant by a key in the wrong section or outside of all sections. */
function elsewhere(key: string, from: string | undefined): string | undefined {
  const place = from === undefined ? undefined : collectionSection(from);
  for (const [section, keys] of Object.entries(place === undefined ? SECTIONS : COLLECTION_SECTIONS)) {
    const near = Object.keys(keys).find((name) => nearest(key, [name]) === name && name.length > 3);
    if (near === undefined) continue;
    const outer = place === undefined ? [] : [COLLECTIONS, place.name];
    return [...outer, section, near].filter((part) => part !== "").join(".");
  }
  return undefined;
}

/** The missing element for each error code of `jsonc-parser`. */
const JSON_EXPECTED: Readonly<Record<string, MessageKey>> = {
  ValueExpected: "config_json_value",
  PropertyNameExpected: "config_json_key",
  ColonExpected: "config_json_colon",
  CommaExpected: "config_json_comma",
  CloseBraceExpected: "config_json_brace",
  CloseBracketExpected: "config_json_bracket",
  EndOfFileExpected: "config_json_end",
  UnexpectedEndOfNumber: "config_json_digit",
};

/** Messages of its codes for faults inside a token. The others are characters that JSON does not have. */
const JSON_FAULTS: Readonly<Record<string, MessageKey>> = {
  UnexpectedEndOfString: "config_yaml_unclosed",
  InvalidEscapeCharacter: "config_json_escape",
  InvalidUnicode: "config_json_escape",
  InvalidCharacter: "config_json_control",
};

/**
 * The first syntax error of a JSON text. The YAML parser also accepts comments, trailing commas and bare words, and
 * `JSON.parse` does not always say where it stopped.
 */
async function jsonProblems(text: string, positionAt: PositionAt): Promise<Problem[]> {
  const { parse, printParseErrorCode } = await import("jsonc-parser");
  const errors: ParseError[] = [];
  try {
    parse(text, errors, { disallowComments: true, allowEmptyContent: true });
  } catch (error) {
    // A text this deep overflows the YAML parser too, which reports it.
    if (error instanceof RangeError) return [];
    throw error;
  }
  const [first] = errors;
  if (first === undefined) return [];
  const code = printParseErrorCode(first.error);
  const offset = code === "UnexpectedEndOfNumber" ? first.offset + first.length : first.offset;
  const character = text.codePointAt(offset);
  // The token as a whole could be a secret without quotes.
  const found: Phrase = character === undefined
    ? { key: "config_json_end" }
    : { key: "config_found_plain", params: { value: String.fromCodePoint(character) } };
  const expected = JSON_EXPECTED[code];
  const phrase: Phrase = expected === undefined
    ? { key: JSON_FAULTS[code] ?? "config_json_symbol", params: { found } }
    : { key: "config_json_syntax", params: { expected: { key: expected }, found } };
  return [{ position: positionAt(offset), path: "", phrase }];
}
