/**
 * Boolean queries: `AND OR NOT ( )` and `NEAR/n` between words, from the strongest to the weakest: NEAR, NOT, AND, OR. Neighbours without an
 * operator are joined by AND.
 */
import { UserError } from "#foundation/errors.ts";
import type { Expression, WordCondition } from "#engine/index/mod.ts";
import type { QueryFilters } from "./types.ts";
import { STOP_WORDS } from "./query_terms.ts";

/** A condition on chunks as a query says it. */
export type QueryExpression = Expression<QueryFilters>;

/** A part of a boolean query with its place in the text. */
export type Token =
  & {
    /** UTF-16 offset. */
    readonly at: number;
    readonly typed: string;
  }
  & (
    | { readonly kind: "and" | "or" | "not" | "open" | "close" }
    | { readonly kind: "near"; readonly distance: number | undefined }
    | { readonly kind: "operand"; readonly expression: QueryExpression; readonly isWord: boolean }
    /** Signs without a letter, which a boolean query ignores. */
    | { readonly kind: "sign" }
  );

/** Matches questions. In these, AND or NOT in capitals only stresses the word. */
const QUESTION =
  /^\s*(?:what|which|who|whom|whose|when|where|why|how|do|does|did|is|are|was|were|can|could|should|will|would)\s(?!\s*(?:AND|OR)\s)|[?？]\s*$/i;
const CHINESE_QUESTION =
  /什么|什麼|怎么|怎麼|怎样|怎樣|如何|为何|為何|为啥|哪[个些里儿種种]|哪裡|是谁|誰|是否|能否|多少|[吗嗎呢]\s*$/;
/** Matches signs and words that occur in source code only. */
const CODE = /[;{}=<>]|::|->|\b(?:SELECT|INSERT|UPDATE|DELETE|WHERE|FROM)\b/;
const SMALL = /[\p{Ll}\p{Lo}]/u;
const CAPITALS = /^[A-Z][A-Z0-9_]+$/;
const CAPITAL = /^[A-Z]$/;

/**
 * Returns whether a query is boolean: it has a NEAR/n, a prefix, or AND, OR, NOT where they join words, and it is neither a question
 * nor source code. These do not make a query boolean: operators in a query without small letters, unless they stand in brackets; AND
 * and OR between single capitals (`R AND D`); NOT before a word in capitals (`NOT NULL`) or a stop word (`must NOT be`).
 */
export function isBoolean(tokens: readonly Token[], text: string): boolean {
  if (tokens.some(({ kind }) => kind === "near")) return true;
  const plain = tokens.filter((token) => token.kind === "sign" || token.kind === "operand" && token.isWord)
    .map(({ typed }) => typed).join(" ");
  if (QUESTION.test(text) || CHINESE_QUESTION.test(text) || CODE.test(plain)) return false;
  const isShouted = !SMALL.test(plain);
  let depth = 0;
  return tokens.filter(({ kind }) => kind !== "sign").some((token, i, all) => {
    if (token.kind === "open") depth++;
    if (token.kind === "close") depth--;
    if (isPrefix(token)) return true;
    return isJoining(all[i - 1], token, all[i + 1]) && (!isShouted || depth > 0);
  });
}

function isPrefix(token: Token): boolean {
  return token.kind === "operand" && token.expression.kind === "words" &&
    token.expression.form === "prefix" &&
    token.expression.words.length >= SHORTEST_PREFIX;
}

/** Whether an operator joins what stands beside it, rather than being a word of a sentence. */
function isJoining(before: Token | undefined, { kind, typed }: Token, after: Token | undefined): boolean {
  const ends = before?.kind === "operand" || before?.kind === "close";
  const next = after?.typed ?? "";
  if (kind === "not") {
    const begins = after?.kind === "operand" || after?.kind === "open";
    // A minus is an operator of questions too.
    return typed === "NOT" && begins && !CAPITALS.test(next) && !STOP_WORDS.has(next);
  }
  if (kind !== "and" && kind !== "or") return false;
  // Nobody ends a sentence with AND, but `Portland OR` is a town.
  if (after === undefined) return ends && kind === "and";
  return ends && after.kind !== "close" && !(CAPITAL.test(before.typed) && CAPITAL.test(next));
}

/** Words and filters that a query may have, and brackets and NOTs within each other. */
const MAX_OPERANDS = 200;
const MAX_DEPTH = 50;
/** Letters that a prefix must have. In scripts without spaces, a character is a word. */
const SHORTEST_PREFIX = 2;
const UNCASED = /\p{Lo}/u;

/**
 * Returns the expression that the tokens of a boolean query say. Throws `UserError` with the column: `query_unclosed`, `query_unopened`,
 * `query_no_operand`, `query_near_distance`, `query_near_group`, `query_prefix_short`, `query_too_complex`.
 */
export function parseExpression(tokens: readonly Token[], text: string): QueryExpression {
  return new Parser(tokens.filter(({ kind }) => kind !== "sign"), text).parse();
}

class Parser {
  readonly #tokens: readonly Token[];
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], text: string) {
    this.#tokens = tokens;
    this.#text = text;
  }

  parse(): QueryExpression {
    const operands = this.#tokens.filter(({ kind }) => kind === "operand");
    if (operands.length > MAX_OPERANDS) this.#fail("query_too_complex", operands[MAX_OPERANDS]!);
    const expression = this.#or();
    const left = this.#next;
    if (left !== undefined) this.#fail("query_unopened", left);
    return expression;
  }

  get #next(): Token | undefined {
    return this.#tokens[this.#at];
  }

  #or(): QueryExpression {
    const parts = [this.#and()];
    while (this.#next?.kind === "or") {
      this.#at++;
      parts.push(this.#and());
    }
    return joined("or", parts);
  }

  #and(): QueryExpression {
    const parts = [this.#not()];
    for (
      let next = this.#next;
      next !== undefined && next.kind !== "or" && next.kind !== "close";
      next = this.#next
    ) {
      if (next.kind === "and") this.#at++;
      parts.push(this.#not());
    }
    return joined("and", parts);
  }

  #not(): QueryExpression {
    if (this.#next?.kind !== "not") return this.#near();
    return this.#within(this.#tokens[this.#at++]!, () => ({ kind: "not", part: this.#not() }));
  }

  #near(): QueryExpression {
    let left = this.#operand();
    const pairs: QueryExpression[] = [];
    for (let next = this.#next; next?.kind === "near"; next = this.#next) {
      const { distance } = next;
      if (distance === undefined) this.#fail("query_near_distance", next);
      this.#at++;
      const right = this.#operand();
      if (!isPlace(left) || !isPlace(right)) this.#fail("query_near_group", next);
      pairs.push({ kind: "near", distance, parts: [left, right] });
      left = right;
    }
    return pairs.length === 0 ? left : joined("and", pairs);
  }

  #operand(): QueryExpression {
    const token = this.#next;
    if (token?.kind === "operand") {
      const { expression } = token;
      if (expression.kind === "words" && isTooShort(expression)) this.#fail("query_prefix_short", token);
      this.#at++;
      return expression;
    }
    if (token?.kind !== "open") {
      // The operator that lacks words: the one before, or the one here if nothing is before it.
      const before = this.#tokens[this.#at - 1];
      this.#fail("query_no_operand", before === undefined || before.kind === "operand" ? token! : before);
    }
    this.#at++;
    return this.#within(token, () => {
      const inner = this.#or();
      if (this.#next === undefined) this.#fail("query_unclosed", token);
      this.#at++;
      return inner;
    });
  }

  #within(token: Token, parse: () => QueryExpression): QueryExpression {
    if (++this.#depth > MAX_DEPTH) this.#fail("query_too_complex", token);
    const expression = parse();
    this.#depth--;
    return expression;
  }

  #fail(
    key:
      | "query_unclosed"
      | "query_unopened"
      | "query_no_operand"
      | "query_near_distance"
      | "query_near_group"
      | "query_prefix_short"
      | "query_too_complex",
    { at, typed }: Token,
  ): never {
    const column = Array.from(this.#text.slice(0, at)).length + 1;
    throw new UserError(key, { column, typed, query: this.#text, most: MAX_OPERANDS, depth: MAX_DEPTH });
  }
}

function joined(kind: "and" | "or", parts: readonly QueryExpression[]): QueryExpression {
  return parts.length === 1 ? parts[0]! : { kind, parts };
}

function isPlace(expression: QueryExpression): expression is WordCondition {
  return expression.kind === "words" && expression.within === undefined;
}

function isTooShort({ form, words }: WordCondition): boolean {
  return form === "prefix" && words.length < SHORTEST_PREFIX && !UNCASED.test(words);
}

/** Returns the conditions on words that a chunk is to meet, in their order; those after NOT are missing. */
export function positiveWords(expression: QueryExpression, isWanted = true): WordCondition[] {
  switch (expression.kind) {
    case "and":
    case "or":
      return expression.parts.flatMap((part) => positiveWords(part, isWanted));
    case "not":
      return positiveWords(expression.part, !isWanted);
    case "near":
      return isWanted ? [...expression.parts] : [];
    case "words":
      return isWanted ? [expression] : [];
    case "test":
      return [];
  }
}

/** Returns an expression as it could be typed, with every AND and only the brackets that it needs. */
export function expressionText<Test>(expression: Expression<Test>): string {
  switch (expression.kind) {
    case "and":
      return expression.parts.map((part) =>
        part.kind === "or" ? `(${expressionText(part)})` : expressionText(part)
      )
        .join(" AND ");
    case "or":
      return expression.parts.map(expressionText).join(" OR ");
    case "not": {
      const { part } = expression;
      return `NOT ${
        part.kind === "and" || part.kind === "or" ? `(${expressionText(part)})` : expressionText(part)
      }`;
    }
    case "near":
      return expression.parts.map(({ typed }) => typed).join(` NEAR/${expression.distance} `);
    case "words":
    case "test":
      return expression.typed;
  }
}
