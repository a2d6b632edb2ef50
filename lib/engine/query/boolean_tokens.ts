/**
 * The parts of a boolean query, from its text.
 */
import { UNSPACED } from "#engine/index/mod.ts";
import type { QueryExpression, Token } from "./boolean_query.ts";
import { conditionAt, fieldAt, filterAt, type FilterName, quotedAt, wordCondition } from "./typed_parts.ts";
import type { MetadataCondition, QueryFilters } from "./types.ts";

/** Makes the filters of one typed filter. */
export interface FilterMaker {
  filter(name: FilterName, value: string, negated: boolean): QueryFilters;
  condition(condition: MetadataCondition): QueryFilters;
}

/** Blanks, and punctuation that ends a Chinese word. */
const BREAK = /[\s，。；、！？：…《》]/;
const OPEN = /[(（]/;
const CLOSE = /[)）]/;
/** `NEAR/FAR` is a word, but `NEAR/` and `NEAR/x` are mistakes. */
const OPERATOR = /^(AND|OR|NOT|NEAR\/(?:-?\d*|[a-z]))(?=[\s()（）]|$)/;
const WORD = /[\p{L}\p{N}]/u;
const UNSPACED_CHARACTER = new RegExp(`[${UNSPACED}]`, "u");
/** A minus that excludes what follows; see `exclusionAt()`. */
const MINUS = /^[-－](?=["“「『＂(（]|\p{L}(?![^\p{L}\p{N}\p{M}]|$)|\p{Lo})/u;

/** Returns the parts of a query. Throws the errors of filters. */
export function tokensOf(text: string, filters: FilterMaker): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length;) {
    const character = text.charAt(at);
    const rest = text.slice(at, at + MAX_OPERATOR);
    if (BREAK.test(character)) {
      at++;
      continue;
    }
    const [, operator] = OPERATOR.exec(rest) ?? [];
    const operand = operator === undefined ? operandAt(text, at, filters) : undefined;
    if (OPEN.test(character)) tokens.push({ kind: "open", at: at++, typed: character });
    else if (CLOSE.test(character)) tokens.push({ kind: "close", at: at++, typed: character });
    else if (operator !== undefined) {
      tokens.push(operatorToken(operator, at));
      at += operator.length;
    } else if (operand !== undefined) {
      if (operand.negated) tokens.push({ kind: "not", at, typed: "-" });
      const { expression } = operand;
      const typed = expression.kind === "words" ? expression.typed : text.slice(at, operand.end);
      tokens.push({ kind: "operand", expression, isWord: false, at, typed });
      at = operand.end;
    } else if (MINUS.test(rest)) tokens.push({ kind: "not", at: at++, typed: "-" });
    else {
      const typed = text.slice(at, wordEnd(text, at));
      if (WORD.test(typed)) {
        tokens.push({
          kind: "operand",
          expression: wordCondition(typed, undefined),
          isWord: true,
          at,
          typed,
        });
      } else tokens.push({ kind: "sign", at, typed });
      at += typed.length;
    }
  }
  return tokens;
}

/** The longest operator with the character after it, and more. */
const MAX_OPERATOR = 12;

function operatorToken(typed: string, at: number): Token {
  if (!typed.startsWith("NEAR")) return { kind: typed.toLowerCase() as "and" | "or" | "not", at, typed };
  const distance = /^NEAR\/\d{1,4}$/.test(typed) ? Number(typed.slice(5)) : undefined;
  return { kind: "near", distance, at, typed };
}

interface Operand {
  readonly expression: QueryExpression;
  readonly negated: boolean;
  readonly end: number;
}

/** Returns the phrase, field, filter or condition on metadata that begins at `at`. */
function operandAt(whole: string, at: number, filters: FilterMaker): Operand | undefined {
  const quoted = quotedAt(whole, at);
  if (quoted !== undefined) {
    return { expression: wordCondition("", quoted.inner), negated: false, end: quoted.end };
  }
  if (!NAME.test(whole.slice(at, at + MAX_NAME))) return undefined;
  // A bracket may follow the value at once.
  const end = valueEnd(whole.slice(0, at + MAX_VALUE), at);
  const text = whole.slice(0, end);
  const typed = text.slice(at);
  const field = fieldAt(text, at);
  if (field !== undefined) return { ...field, expression: field.condition };
  const filter = filterAt(text, at);
  if (filter !== undefined) {
    const test = filters.filter(filter.name, filter.value, filter.negated);
    return {
      expression: { kind: "test", test, typed: text.slice(at, filter.end) },
      negated: false,
      end: filter.end,
    };
  }
  const condition = conditionAt(text, at);
  if (condition === undefined) return undefined;
  const test = filters.condition(condition.condition);
  return { ...condition, expression: { kind: "test", test, typed: typed.replace(/^[-－](?=.*\.\.)/, "") } };
}

const NAME = /^[-－]?[\p{L}\p{N}_.-]+[:：]/u;
/** A colon after a name is looked for in so many UTF-16 units, and a value has no more: a query may have thousands of names. */
const MAX_NAME = 100;
const MAX_VALUE = 1000;

/** Returns the end of a word: at a blank, a quote, a bracket that begins a group, or one that the word does not open. */
function wordEnd(text: string, at: number): number {
  return endOf(text, at, (to) => BREAK.test(text.charAt(to)) || to > at && quotedAt(text, to) !== undefined);
}

/** Returns the end of a value: like that of a word, but quotes belong to it. */
function valueEnd(text: string, at: number): number {
  return endOf(text, at, (to) => quotedAt(text, to)?.end ?? /\s/.test(text.charAt(to)));
}

/** `stop`: whether the word ends at a place, or the end of the quote there, which belongs to the word. */
function endOf(text: string, at: number, stop: (to: number) => boolean | number): number {
  let depth = 0, to = at;
  while (to < text.length) {
    const stopped = stop(to);
    if (stopped === true) break;
    const character = text.charAt(to);
    if (typeof stopped === "number") to = stopped;
    else {
      // `main()` is a word, but after a Chinese character a bracket begins a group.
      if (character === "（" || character === "(" && UNSPACED_CHARACTER.test(text.charAt(to - 1))) break;
      if (character === "(") depth++;
      else if (CLOSE.test(character) && --depth < 0) break;
      to++;
    }
  }
  return to;
}
