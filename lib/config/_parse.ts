import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, visit } from "yaml";
import type { Document, Node, Pair, YAMLError, YAMLMap } from "yaml";
import type { MessageKey } from "../messages.ts";
import { type Entry, mismatch, type Phrase, type Place, type Problem } from "./_entry.ts";
import { jsonSyntaxError } from "./_json_syntax.ts";
import { nearest } from "./nearest.ts";
import { SECTIONS } from "./schema.ts";

/** What a configuration file says. */
export interface Reading {
  readonly entries: readonly Entry[];
  readonly problems: readonly Problem[];
  /** False when the text holds something, but none of our top-level keys: another program's file. */
  readonly ours: boolean;
}

// Only plain values are ever followed, so aliases cannot multiply; the limit keeps their resolving cheap.
const MAX_ALIASES = 100;

const TOP_KEYS = ["language", ...Object.keys(SECTIONS)];

/**
 * Reads YAML, or JSON by the same reader so that positions are known. Unknown and doubled keys and broken syntax are
 * problems; whether the values fit is not looked at.
 *
 * @param name the file's name as people should see it
 */
export function parseConfig(text: string, name: string, format: "yaml" | "json"): Reading {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { text: `${name}:${Math.max(1, line)}:${Math.max(1, col)}`, order: offset };
  };
  const syntax = format === "json" ? jsonProblems(text, placeAt) : [];
  if (syntax.length === 0) syntax.push(...yamlProblems(document, lines, placeAt));

  const walk = new Walk(document, lines, placeAt);
  // Aliases that lead nowhere.
  syntax.push(...walk.problems);
  walk.file();
  const { entries, problems, ours } = walk;
  if (syntax.length === 0) return { entries, problems, ours };
  // What else a broken text seems to say would only mislead; its language is wanted to say so.
  return { entries: entries.filter(({ section }) => section === undefined), problems: syntax, ours };
}

function jsonProblems(text: string, placeAt: (offset: number) => Place): Problem[] {
  const error = text.trim() === "" ? null : jsonSyntaxError(text);
  if (error === null) return [];
  const found = text.codePointAt(error.offset);
  const phrase: Phrase = {
    key: "config_json_syntax",
    params: {
      expected: { key: error.expected },
      found: found === undefined ? { key: "config_json_end" } : {
        key: "config_found_plain",
        params: { value: String.fromCodePoint(found) },
      },
    },
  };
  return [{ place: placeAt(error.offset), path: "", phrase }];
}

function yamlProblems(
  document: Document,
  lines: LineCounter,
  placeAt: (offset: number) => Place,
): Problem[] {
  const seen = new Set<number>();
  const problems: Problem[] = [];
  for (const error of document.errors) {
    // One slip makes the reader stumble several times: the first stumble in a line is told.
    const { line } = lines.linePos(error.pos[0]);
    if (seen.has(line)) continue;
    seen.add(line);
    problems.push({ place: placeAt(error.pos[0]), path: "", phrase: syntaxPhrase(error) });
  }
  return problems;
}

/** The reader's own texts are English, and some quote the file, which may hold secrets. */
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
  readonly entries: Entry[] = [];
  readonly problems: Problem[] = [];
  ours = false;
  readonly #document: Document;
  readonly #lines: LineCounter;
  readonly #placeAt: (offset: number) => Place;
  readonly #targets: ReadonlyMap<Node, Node>;

  constructor(document: Document, lines: LineCounter, placeAt: (offset: number) => Place) {
    this.#document = document;
    this.#lines = lines;
    this.#placeAt = placeAt;
    this.#targets = this.#resolveAliases();
  }

  /** The target of every alias, found in one pass. */
  #resolveAliases(): Map<Node, Node> {
    const anchors = new Map<string, Node>();
    const targets = new Map<Node, Node>();
    let count = 0;
    visit(this.#document, {
      Alias: (_, alias) => {
        const at = this.#placeAt(offsetOf(alias));
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
      this.#report(this.#placeAt(offsetOf(contents)), "", this.#noSection("", contents));
      return;
    }
    for (const [key, keyAt, value] of this.#pairs(contents, undefined)) {
      if (key === "language") {
        this.ours = true;
        this.#add(undefined, key, keyAt, value);
      } else if (Object.hasOwn(SECTIONS, key)) {
        this.ours = true;
        this.#section(key, value);
      } else this.#unknown(undefined, key, keyAt);
    }
  }

  #section(section: string, node: Node | null): void {
    const value = this.#follow(node);
    // `search:` with every key commented out is an empty section.
    if (value === null || (isScalar(value) && value.value === null)) return;
    if (!isMap(value)) {
      this.#report(this.#placeAt(offsetOf(node)), section, this.#noSection(section, value));
      return;
    }
    const known: Record<string, unknown> = SECTIONS[section as keyof typeof SECTIONS];
    for (const [key, keyAt, item] of this.#pairs(value, section)) {
      if (Object.hasOwn(known, key)) this.#add(section, key, keyAt, item);
      else this.#unknown(section, key, keyAt);
    }
  }

  #noSection(key: string, node: Node): Phrase {
    return mismatch(key, { key: "config_expect_section" }, this.#plain(node));
  }

  /** Keys, their offsets and values; doubled keys are reported and left out. */
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
        this.#report(this.#placeAt(at), section === undefined ? key : `${section}.${key}`, phrase);
      }
    }
  }

  #add(section: string | undefined, key: string, keyAt: number, node: Node | null): void {
    const place = this.#placeAt(node?.range ? offsetOf(node) : keyAt);
    const followed = this.#follow(node);
    const items = isSeq(followed)
      ? followed.items.map((item) => this.#placeAt(offsetOf(item as Node)))
      : undefined;
    const value = this.#plain(followed);
    this.entries.push({ section, key, value, place, ...(items && { items }), origin: "file" });
  }

  #unknown(section: string | undefined, key: string, at: number): void {
    const known = section === undefined ? TOP_KEYS : Object.keys(SECTIONS[section as keyof typeof SECTIONS]);
    const near = nearest(key, known);
    const suggestion = near === undefined
      ? elsewhere(key)
      : section === undefined
      ? near
      : `${section}.${near}`;
    const phrase: Phrase = suggestion === undefined
      ? { key: "config_unknown_key", params: { known: known.join(", ") } }
      : { key: "config_unknown_key_suggest", params: { suggestion } };
    this.#report(this.#placeAt(at), section === undefined ? key : `${section}.${key}`, phrase);
  }

  #follow(node: Node | null): Node | null {
    return node !== null && isAlias(node) ? this.#targets.get(node) ?? null : node;
  }

  /** Scalars, lists of scalars, and lists of those; anything deeper is only told apart, never unfolded. */
  #plain(node: Node | null, depth = 2): unknown {
    const value = this.#follow(node);
    if (value === null) return null;
    if (isScalar(value)) return value.value;
    if (!isSeq(value)) return {};
    return depth === 0 ? [] : value.items.map((item) => this.#plain(item as Node | null, depth - 1));
  }

  #report(place: Place, path: string, phrase: Phrase): void {
    this.problems.push({ place, path, phrase });
  }
}

function offsetOf(node: Node | null): number {
  return node?.range?.[0] ?? 0;
}

/** A key that stands in the wrong section, or in none. */
function elsewhere(key: string): string | undefined {
  for (const [section, keys] of Object.entries(SECTIONS)) {
    const near = Object.keys(keys).find((name) => nearest(key, [name]) === name && name.length > 3);
    if (near !== undefined) return `${section}.${near}`;
  }
  return undefined;
}
