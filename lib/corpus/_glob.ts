import type { CharacterSet } from "./_character_set.ts";

/** An element of a glob: a code point, a set, `?` or `*`. */
export type Piece = number | CharacterSet | "?" | "*";

/** A folded name, with its code points on demand. */
export class Name {
  #codes: readonly number[] | undefined;

  /** `text`: the folded name. */
  constructor(readonly text: string) {}

  get codes(): readonly number[] {
    return this.#codes ??= Array.from(this.text, (character) => character.codePointAt(0)!);
  }
}

/** A pattern for one name of a path. */
export class Glob {
  /** Without adjacent stars. */
  readonly #pieces: readonly Piece[];
  /** Code points of the shortest name that matches. */
  readonly #shortest: number;
  /** Literal prefix and suffix of every name that matches. */
  readonly head: string;
  readonly tail: string;
  /** The longest literal part of every name that matches. */
  readonly run: string;
  /** Equal for equal globs. */
  readonly key: string;

  constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces.filter((piece, at) => piece !== "*" || pieces[at - 1] !== "*");
    this.#shortest = this.#pieces.filter((piece) => piece !== "*").length;
    const head = this.#pieces.findIndex((piece) => typeof piece !== "number");
    const tail = this.#pieces.findLastIndex((piece) => typeof piece !== "number");
    this.head = textOf(head < 0 ? this.#pieces : this.#pieces.slice(0, head));
    this.tail = textOf(this.#pieces.slice(tail + 1));
    this.run = longestRun(this.#pieces);
    this.key = this.#pieces.map(keyOf).join("");
  }

  /** Whether it matches only the name `head`. */
  get isLiteral(): boolean {
    return this.#pieces.every((piece) => typeof piece === "number");
  }

  /**
   * Whether it matches the whole name. After a mismatch only the last `*` takes one character more. Earlier ones never have
   * to change, because the pieces between them and the last one were found already. So the time is at most the product of
   * both lengths.
   *
   *     *a*b?   on   x a y b a b c
   *                  * a * b ?          "bc" is left over
   *                  * a * * * b ?      the last `*` takes more: it matches
   */
  matches({ codes }: Name): boolean {
    if (codes.length < this.#shortest) return false;
    const pieces = this.#pieces;
    let at = 0;
    let piece = 0;
    /** Index of the last star, and the end of the characters that it takes. */
    let star = -1;
    let taken = 0;
    while (at < codes.length) {
      if (pieces[piece] === "*") {
        star = piece++;
        taken = at;
      } else if (piece < pieces.length && fits(pieces[piece]!, codes[at]!)) {
        piece++;
        at++;
      } else if (star >= 0) {
        piece = star + 1;
        at = ++taken;
      } else return false;
    }
    if (pieces[piece] === "*") piece++;
    return piece === pieces.length;
  }
}

function fits(piece: Piece, code: number): boolean {
  if (typeof piece === "number") return piece === code;
  return piece === "?" || (piece !== "*" && piece.matches(code));
}

function textOf(pieces: readonly Piece[]): string {
  return pieces.map((piece) => String.fromCodePoint(piece as number)).join("");
}

function longestRun(pieces: readonly Piece[]): string {
  let longest = "";
  for (let at = 0; at < pieces.length; at++) {
    const start = at;
    while (typeof pieces[at] === "number") at++;
    const run = textOf(pieces.slice(start, at));
    if (run.length > longest.length) longest = run;
  }
  return longest;
}

function keyOf(piece: Piece): string {
  if (typeof piece === "number") return `\\${String.fromCodePoint(piece)}`;
  return typeof piece === "string" ? piece : piece.text;
}
