/** Why a document is not in an answer: the gates in their order, and what is said of each. */
import type { SearchMode } from "#engine/rank/types.ts";
import type { MatchDegree, SearchRequest } from "../request.ts";

/** The gates that a document passes on its way into an answer, in this order. */
export const GATES = [
  /** The walk of the folder finds it: inside of the folders, left out by no rule. */
  "found",
  /** Its text could be read. */
  "read",
  /** The index has it as it is now. */
  "indexed",
  /** The sentence stands in what was read. */
  "text",
  /** It has words of the question, or words like them. */
  "terms",
  /** It meets the conditions of the request. */
  "filter",
  /** A leg of the ranking proposes it. */
  "candidates",
  /** Its score is enough. */
  "fusion",
  /** The reranker leaves it there. */
  "rerank",
  /** Its file has not used up its places. */
  "file_limit",
  /** No other document stands for it. */
  "duplicate",
  /** Its degree is high enough. */
  "degree",
  /** The answer has room for its text. */
  "budget",
] as const;

/** One of {@linkcode GATES}. */
export type Gate = typeof GATES[number];

/** The reasons for which each gate stops a document, and `shown` for one that is in the answer. */
export const REASONS = {
  found: [
    ...["outside", "missing", "gone", "folder", "unknown_chunk", "ignored", "excluded", "not_included"],
    ...[
      "removed",
      "hidden",
      "own",
      "link",
      "link_outside",
      "special",
      "too_large",
      "archive",
      "inner_rules",
      "unreadable",
    ],
  ],
  read: ["by_type", "by_content", "failed", "old_text"],
  indexed: ["no_index", "unusable", "new", "changed", "settings"],
  text: ["not_there", "nowhere", "unread_pages"],
  terms: ["no_words"],
  filter: ["condition", "out_of_scope"],
  candidates: ["below_lists"],
  fusion: ["below_last", "recency"],
  rerank: ["moved_down"],
  "file_limit": ["file_full"],
  duplicate: ["same_text", "older_text", "twice"],
  degree: ["low"],
  budget: ["full"],
  shown: ["shown", "joined"],
} as const satisfies Readonly<Record<Gate | "shown", readonly string[]>>;

/** A question, and what was expected in its answer: at least one of `path`, `chunk` and `text`. */
export interface WhyNotRequest {
  /** The search as it was asked. `offset`, `explain` and `marks` do not count. */
  readonly search: SearchRequest;
  /** A file as `readRawFile` takes it; with lines (`path:12-40`), the chunks there. */
  readonly path?: string | undefined;
  /** The name of a chunk. */
  readonly chunk?: string | undefined;
  /** A sentence that should have been found. */
  readonly text?: string | undefined;
}

/** A chunk as it is told to a user. */
export interface PlaceOfChunk {
  readonly path: string;
  readonly chunk: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly section: readonly string[];
  readonly page?: number;
}

/** A word of the question, and how a chunk has it. */
export interface WordHeld {
  readonly word: string;
  readonly has: "same" | "similar" | "translated" | "absent";
  /** The word that the chunk has for it. Absent without one. */
  readonly form?: string;
  /** Cosine of the two words, or how sure the translation is, from 0 to 1. Absent for the same word. */
  readonly likeness?: number;
  /** Number of chunks that hold the word. */
  readonly chunks: number;
}

/** The place of a chunk in the list of a leg. */
export interface LegPlace {
  readonly leg: "keyword" | "vector" | "neural";
  /** Counted from 1. Absent beyond {@linkcode within}. */
  readonly rank?: number;
  /** Number of chunks that were ranked to find the place. */
  readonly within: number;
  /** Number of candidates that the leg proposes. */
  readonly limit: number;
}

/** Figures and names; which ones a gate has follows from its reason. */
export interface GateFacts {
  /** The rule that leaves a file out: its pattern, and where it stands. */
  readonly rule?: { readonly pattern: string; readonly file?: string; readonly line?: number };
  /** The file or the folder that a rule leaves out, if it is not the file itself. */
  readonly at?: string;
  /** Paths with a similar name. */
  readonly nearest?: readonly string[];
  /** Bytes of a file, and the most that are read. */
  readonly bytes?: number;
  readonly mostBytes?: number;
  /** Name of the reason of a file that was not read, and the parameters of its message. */
  readonly problem?: string;
  readonly detail?: Readonly<Record<string, string | number>>;
  readonly format?: string;
  readonly pages?: number;
  readonly emptyPages?: readonly number[];
  /** Chunks of the document in the index, and when that was written, ISO 8601. */
  readonly chunks?: number;
  readonly indexedAt?: string;
  /** State of an index that cannot be searched. */
  readonly state?: string;
  /** The keys of settings with which the index was made otherwise. */
  readonly keys?: string;
  /** The passage that is nearest to the sentence, and the share of the sentence that it has, from 0 to 1. */
  readonly passage?: PlaceOfChunk & { readonly text: string };
  readonly share?: number;
  readonly words?: readonly WordHeld[];
  /** The words are not needed: the mode is `semantic`, or the query is boolean. */
  readonly needless?: true;
  /** Conditions that the chunk does not meet; of a gate that was passed, those that it meets. */
  readonly conditions?: readonly string[];
  readonly legs?: readonly LegPlace[];
  /** Place in the order of all candidates, and score. */
  readonly rank?: number;
  readonly score?: number;
  /** The last passage of the answer. */
  readonly last?: { readonly rank: number; readonly score: number };
  /** Rank before the reranker or the dates. */
  readonly rankBefore?: number;
  /** Id of the reranker. */
  readonly reranker?: string;
  /** Number of passages of the file before this one, and the most. */
  readonly ofFile?: number;
  readonly most?: number;
  /** The passage that stands for it, with the rank of its hit if it is shown. */
  readonly instead?: PlaceOfChunk & { readonly hit?: number };
  readonly degree?: MatchDegree;
  readonly wanted?: MatchDegree;
  /** Rank of the hit. */
  readonly hit?: number;
}

/** The part of a request that a user may change to see another answer. `null` removes a limit. */
export interface RequestChange extends Pick<SearchRequest, "topK" | "mode" | "minDegree" | "ranking"> {
  readonly wholeScope?: true;
}

/** The setting that decides at a gate. */
export interface SettingAtGate {
  /** Key of the configuration, or name of a part of the request: `min_degree`, `dir_path`. */
  readonly key: string;
  readonly value?: string | number | boolean;
  /** The value that would let it pass. Absent if that is not known or not possible. */
  readonly needed?: string | number | boolean;
  /** The request with that value. Absent for settings that a request cannot set. */
  readonly change?: RequestChange;
}

/** A gate that was passed. */
export interface PassedGate {
  readonly gate: Gate;
  readonly by: GateFacts;
}

/** The first gate that stopped a document, or `shown`. */
export interface WhyNot {
  readonly gate: Gate | "shown";
  readonly reason: typeof REASONS[keyof typeof REASONS][number];
  readonly by: GateFacts;
  readonly setting?: SettingAtGate;
  /** In their order. */
  readonly passed: readonly PassedGate[];
  /** The file as it was named or found. Absent if a sentence was found nowhere. */
  readonly path?: string;
  /** Real path of its folder. Absent where the file is in none. */
  readonly root?: string;
  /** The chunk of it that came furthest. Absent if there is none. */
  readonly place?: PlaceOfChunk;
  /** The mode in which was searched. Absent if nothing was. */
  readonly mode?: SearchMode;
}
