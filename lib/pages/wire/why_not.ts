/** `POST /api/why-not/ask`: the first gate that kept a file, a chunk or a sentence out of an answer. */
import type { Degree, SearchCall, WireRanking } from "./search.ts";

/** At least one of `file`, `chunk` and `text`. */
export interface WhyNotCall {
  readonly search: Omit<SearchCall, "offset" | "firstTopK"> & {
    /** Settings of the ranking for this call alone. */
    readonly ranking?: WireRanking;
  };
  /** A file, also with lines: `notes/a.md:12-40`. */
  readonly file?: string;
  /** The id of a chunk. */
  readonly chunk?: string;
  /** A sentence. */
  readonly text?: string;
}

/** A gate in words. */
export interface WireGate {
  readonly gate: string;
  readonly name: string;
  /** The event at the gate; empty where there is nothing to say. */
  readonly text: string;
  readonly state: "passed" | "stopped" | "not_reached";
}

/** How a chunk has a word of the question. */
export interface WireWord {
  readonly word: string;
  readonly has: "same" | "similar" | "translated" | "absent";
  readonly form?: string;
  readonly likeness?: number;
  /** Number of chunks that hold the word. */
  readonly chunks: number;
}

/** The place of a chunk in the list of a leg, counted from 1; absent beyond `within`. */
export interface WireLeg {
  readonly leg: "keyword" | "vector" | "neural";
  readonly rank?: number;
  readonly within: number;
  readonly limit: number;
}

/** Changes to a call that may lead to another answer. */
export interface WireChange {
  readonly topK?: number;
  readonly mode?: "hybrid" | "keyword" | "semantic";
  readonly minDegree?: Degree;
  readonly ranking?: WireRanking;
  /** The search is not limited to a folder. */
  readonly wholeScope?: true;
}

export interface WhyNotAnswer {
  /** Name of the gate that stopped it, or `shown`, and why. Neither changes with the language. */
  readonly gate: string;
  readonly reason: string;
  /** The reason in words, and what to do. */
  readonly text: string;
  readonly hint: string;
  /** All gates in their order. */
  readonly gates: readonly WireGate[];
  /** The file or chunk in question. Absent where a sentence was found nowhere. */
  readonly file?: {
    readonly path: string;
    readonly shownPath: string;
    readonly chunk?: string;
    readonly startLine?: number;
    readonly endLine?: number;
    readonly section: readonly string[];
  };
  readonly words: readonly WireWord[];
  readonly legs: readonly WireLeg[];
  /** The setting that decides at the gate, as it is now, and the value that would let it pass. */
  readonly setting?: {
    readonly key: string;
    readonly value?: string | number | boolean;
    readonly needed?: string | number | boolean;
    /** Absent for a setting that a call cannot set. */
    readonly change?: WireChange;
  };
}
