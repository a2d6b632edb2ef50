/**
 * JSON in the answer of a model that was only asked for it: after its thoughts, in a code block, between sentences, with single quotes
 * or a comma too many. All of it takes linear time, because an answer may be anything.
 */

/** UTF-16 units of an answer that are read. */
const MOST = 200_000;
/** Places in an answer where JSON is looked for. */
const MOST_PLACES = 20;
/** Lists and objects inside each other. */
const MOST_DEPTH = 64;

/** Tags around a model's thoughts. */
const OPENING = /<(?:think|thinking|reasoning|thought)>/i;
const CLOSING = /<\/(?:think|thinking|reasoning|thought)>/i;

/**
 * Returns an answer without the model's thoughts at its beginning; empty if they are all there is. The opening tag may be missing,
 * because some servers have it in the template of the model.
 */
export function withoutThoughts(answer: string): string {
  const opening = OPENING.exec(answer)?.index ?? Infinity;
  const isFirst = opening !== Infinity && answer.slice(0, opening).trim() === "";
  const closing = CLOSING.exec(answer);
  if (closing !== null && (isFirst || closing.index < opening)) {
    return answer.slice(closing.index + closing[0].length).trimStart();
  }
  return isFirst ? "" : answer;
}

/** Takes the thoughts at the beginning out of an answer that arrives in parts. */
export class ThoughtFilter {
  /** The beginning of the answer until it is known whether it is thoughts; `undefined` after that. */
  #held: string | undefined = "";
  /** Whether something has been shown; blanks before it are not. */
  #isShown = false;

  /** Returns what is to be shown of the next part. */
  next(part: string): string {
    if (this.#held === undefined) return this.#shown(part);
    this.#held = (this.#held + part).trimStart();
    if (!OPENING.test(this.#held.slice(0, LONGEST_TAG))) {
      const mayOpen = this.#held === "" || (this.#held.startsWith("<") && this.#held.length < LONGEST_TAG);
      return mayOpen ? "" : this.end();
    }
    const closing = CLOSING.exec(this.#held);
    if (closing !== null) {
      const rest = this.#held.slice(closing.index + closing[0].length);
      this.#held = undefined;
      return this.#shown(rest);
    }
    // Only the end can become a closing tag.
    this.#held = `${this.#held.slice(0, LONGEST_TAG)}${this.#held.slice(LONGEST_TAG).slice(-LONGEST_TAG)}`;
    return "";
  }

  /** Returns what is left to be shown at the end. */
  end(): string {
    const held = this.#held ?? "";
    this.#held = undefined;
    return this.#shown(withoutThoughts(held));
  }

  #shown(text: string): string {
    const shown = this.#isShown ? text : text.trimStart();
    this.#isShown ||= shown !== "";
    return shown;
  }
}

/** UTF-16 units of the longest of the tags. */
const LONGEST_TAG = "</reasoning>".length;

/**
 * Returns the objects in an answer, the likeliest first: the whole answer, then the object in each place that begins with a brace.
 * The caller takes the first one that has the form it wants.
 */
export function* objectsIn(answer: string): Generator<unknown> {
  const whole = strict(answer.slice(0, MOST));
  if (isObject(whole)) return yield whole;
  const text = withoutThoughts(answer.slice(0, MOST));
  let at = text.indexOf("{");
  for (let place = 0; at >= 0 && place < MOST_PLACES; place++) {
    const reader = new Reader(text, at);
    const value = reader.value(0);
    if (isObject(value)) yield value;
    // The inner objects of one that was read are no answers.
    at = text.indexOf("{", value === FAULT ? at + 1 : reader.at);
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function strict(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Stands for text that is not JSON. */
const FAULT: unique symbol = Symbol("fault");

/** Words that stand for values, also those of Python. */
const WORDS: Readonly<Record<string, unknown>> = {
  ...{ true: true, false: false, null: null, True: true, False: false, None: null, undefined: null },
};

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };

/** The quotation mark that ends a text, by the one that begins it. */
const QUOTES: Readonly<Record<string, string>> = { '"': '"', "'": "'", "“": "”", "‘": "’" };

/** Reads one value that begins at a place of a text. Reads each character once. */
class Reader {
  at: number;
  readonly #text: string;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  /** Returns the value at this place, or {@linkcode FAULT}. */
  value(depth: number): unknown {
    if (depth > MOST_DEPTH) return FAULT;
    this.#skip();
    const first = this.#text[this.at] ?? "";
    if (first === "{") return this.#object(depth);
    if (first === "[") return this.#list(depth);
    if (first in QUOTES) return this.#string(first);
    return this.#word();
  }

  #object(depth: number): unknown {
    const found: Record<string, unknown> = Object.create(null);
    this.at++;
    for (;;) {
      this.#skip();
      const next = this.#text[this.at] ?? "";
      if (next === "}") {
        this.at++;
        // A plain object, so that a key `__proto__` is only a key.
        return Object.fromEntries(Object.entries(found));
      }
      const key = next in QUOTES ? this.#string(next) : this.#name();
      if (key === FAULT) return FAULT;
      this.#skip();
      if (this.#text[this.at] !== ":") return FAULT;
      this.at++;
      const value = this.value(depth + 1);
      if (value === FAULT) return FAULT;
      found[String(key)] = value;
      if (!this.#separator("}")) return FAULT;
    }
  }

  #list(depth: number): unknown {
    const found: unknown[] = [];
    this.at++;
    for (;;) {
      this.#skip();
      if (this.#text[this.at] === "]") {
        this.at++;
        return found;
      }
      const value = this.value(depth + 1);
      if (value === FAULT) return FAULT;
      found.push(value);
      if (!this.#separator("]")) return FAULT;
    }
  }

  /** Reads the comma after an item; true also before the end. */
  #separator(end: string): boolean {
    this.#skip();
    const next = this.#text[this.at];
    if (next === "," || next === "，") this.at++;
    return next === "," || next === "，" || next === end;
  }

  #string(opening: string): unknown {
    const closing = QUOTES[opening]!;
    const parts: string[] = [];
    let from = ++this.at;
    for (; this.at < this.#text.length; this.at++) {
      const character = this.#text[this.at]!;
      if (character === "\\") {
        parts.push(this.#text.slice(from, this.at), this.#escape());
        from = this.at + 1;
      } else if (character === closing && this.#ends(opening)) {
        parts.push(this.#text.slice(from, this.at++));
        return parts.join("");
      }
    }
    return FAULT;
  }

  /** Whether a text in single quotes ends here: the apostrophe of a word does not end it. */
  #ends(opening: string): boolean {
    return opening !== "'" || !/[\p{L}\p{N}]/u.test(this.#text[this.at + 1] ?? "");
  }

  /** Reads an escape up to its last character. */
  #escape(): string {
    const sign = this.#text[++this.at] ?? "";
    if (sign !== "u") return ESCAPES[sign] ?? sign;
    const code = this.#text.slice(this.at + 1, this.at + 5);
    if (!/^[\da-f]{4}$/i.test(code)) return sign;
    this.at += 4;
    return String.fromCharCode(Number.parseInt(code, 16));
  }

  #name(): unknown {
    const match = this.#match(/[\p{L}_$][\p{L}\p{N}_$-]{0,200}/uy);
    return match ?? FAULT;
  }

  #word(): unknown {
    const number = this.#match(/[-+]?(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:e[-+]?\d{1,5})?/iy);
    if (number !== undefined) return Number(number);
    const word = this.#match(/[A-Za-z]{1,9}/y);
    return word !== undefined && Object.hasOwn(WORDS, word) ? WORDS[word] : FAULT;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.#text)?.[0];
    if (match !== undefined) this.at += match.length;
    return match;
  }

  /** Skips blanks and comments. */
  #skip(): void {
    this.#match(/(?:\s+|\/\/[^\n]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/)*/y);
  }
}
