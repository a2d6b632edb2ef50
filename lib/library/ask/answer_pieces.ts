/**
 * The text of a model, as it arrives, in pieces that are complete: sentences, and lines of code. A piece is held back until it is known where
 * it ends, so that a link, a tag or a citation is never seen in part.
 */
import { sentencesOf, type Span } from "#engine/support/mod.ts";

/** A part of an answer. The pieces of an answer, one after the other, are its text. */
export interface Piece {
  /** With the marks, spaces and line ends around it. */
  readonly text: string;
  /** Whether it is a line of a block of code, or the fence of one. */
  readonly isCode: boolean;
}

/** UTF-16 units of a line without a line end, after which it is cut. */
const LONGEST_LINE = 4000;

/** Thoughts that a reasoning model writes before its answer. */
const THOUGHTS = ["think", "thinking", "reasoning", "thought"];

const FENCE = /^[\s>]{0,20}(`{3,}|~{3,})/;

/** The line above a list of sources. The program makes the list itself. */
const SOURCES =
  /^[\s>*_#-]*(?:sources?|references?|citations?|来源|出处|参考(?:资料|文献|来源)?|引用)(?:列表)?[*_]{0,2}\s*(?:[:：]|$)/iu;
const SOURCE = /^\s*(?:[-*+•]\s*)?(?:\[\^?\d|【\d|\d{1,3}[.)、]\s)|^\s*$/;

/** Constructs that no piece ends within: code, links, tags and addresses, also those that are not complete yet. */
const CONSTRUCTS =
  /`[^`]*(?:`|$)|!?\[[^[\]]*(?:$|\](?:\([^)]*(?:\)|$)|\[[^[\]]*(?:\]|$))?)|<(?=[a-z/!?])[^<>]*(?:>|$)|(?:\b[a-z][a-z0-9+.-]{1,20}:\/\/|\bwww\.)[^\s<>\u3000-\u303f\uff00-\uffef]*/gi;

/** Makes pieces of a text that arrives in parts. */
export class AnswerPieces {
  readonly #maxChars: number;
  /** The part of the last line that is in no piece yet. */
  #line = "";
  /** `undefined`: no text has arrived that is not a thought. */
  #state: "text" | "sources" | { readonly thought: string } | { readonly fence: string } | undefined;
  #taken = 0;
  /** Whether the text was longer than the limit, and its end was left out. */
  isCut = false;

  /** `maxChars`: UTF-16 units of an answer. The rest is left out. */
  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  /** Adds a part of the text and returns the pieces that are complete now. */
  add(part: string): Piece[] {
    if (this.isCut) return [];
    this.#line += part;
    this.#dropThoughts();
    if (this.#state === undefined || typeof this.#state === "object" && "thought" in this.#state) return [];
    const pieces: Piece[] = [];
    for (;;) {
      const end = this.#line.indexOf("\n") + 1;
      if (end === 0) break;
      const line = this.#line.slice(0, end);
      this.#line = this.#line.slice(end);
      pieces.push(...this.#wholeLine(line));
    }
    if (this.#line.length > LONGEST_LINE) {
      pieces.push(...this.#wholeLine(this.#line));
      this.#line = "";
    } else if (this.#state === "text" && !SOURCES.test(this.#line) && !/^[\s>]*(?:`|~)/.test(this.#line)) {
      const ready = piecesIn(this.#line).slice(0, -1);
      // A citation may follow a sentence.
      const last = this.#line.slice(ready.join("").length);
      if (/^\s*[[【［(（]/.test(last)) ready.pop();
      this.#line = this.#line.slice(ready.join("").length);
      pieces.push(...ready.map((text) => ({ text, isCode: false })));
    }
    return this.#within(pieces);
  }

  /** Returns the pieces that are left at the end of the text. */
  end(): Piece[] {
    if (this.isCut) return [];
    const isThought = typeof this.#state === "object" && "thought" in this.#state;
    const line = isThought ? "" : this.#line;
    this.#line = "";
    this.#state ??= "text";
    return line === "" ? [] : this.#within(this.#wholeLine(line));
  }

  #within(pieces: readonly Piece[]): Piece[] {
    return pieces.filter(({ text }) => {
      this.isCut ||= this.#taken + text.length > this.#maxChars;
      this.#taken += text.length;
      return !this.isCut;
    });
  }

  #dropThoughts(): void {
    for (;;) {
      const state = this.#state;
      if (typeof state === "object" && "thought" in state) {
        const end = this.#line.toLowerCase().indexOf(`</${state.thought}>`);
        if (end < 0) {
          this.#line = this.#line.slice(-20);
          return;
        }
        this.#line = this.#line.slice(end + state.thought.length + 3);
        this.#state = undefined;
      } else if (state !== undefined) return;
      const start = this.#line.trimStart().toLowerCase();
      const tags = THOUGHTS.map((name) => `<${name}>`);
      const tag = tags.find((tag) => start.startsWith(tag));
      if (tag === undefined) {
        if (start !== "" && !tags.some((tag) => tag.startsWith(start))) {
          this.#line = this.#line.trimStart();
          this.#state = "text";
        }
        return;
      }
      this.#line = this.#line.trimStart().slice(tag.length);
      this.#state = { thought: tag.slice(1, -1) };
    }
  }

  #wholeLine(line: string): Piece[] {
    const mark = FENCE.exec(line)?.[1];
    if (typeof this.#state === "object" && "fence" in this.#state) {
      if (mark?.startsWith(this.#state.fence)) this.#state = "text";
      return [{ text: line, isCode: true }];
    }
    if (mark !== undefined) {
      this.#state = { fence: mark };
      return [{ text: line, isCode: true }];
    }
    if (SOURCES.test(line)) this.#state = "sources";
    else if (this.#state === "sources" && !SOURCE.test(line)) this.#state = "text";
    if (this.#state === "sources") return [];
    return piecesIn(line).map((text) => ({ text, isCode: false }));
  }
}

/** Returns the sentences of a line with all that is between them: each begins where a sentence begins. */
function piecesIn(line: string): string[] {
  const constructs: Span[] = Array.from(
    line.matchAll(CONSTRUCTS),
    ({ 0: text, index }) => ({ start: index, end: index + text.length }),
  );
  let at = 0;
  const starts = sentencesOf(line).map(({ start }) => start).filter((start, i) => {
    while (at < constructs.length && constructs[at]!.end <= start) at++;
    const construct = constructs[at];
    return i > 0 && (construct === undefined || start <= construct.start);
  });
  return [0, ...starts].map((start, i) => line.slice(start, starts[i])).filter((text) => text !== "");
}
