/** A search as it is asked for, and the hits of its answer. */
import type { Config } from "#foundation/configuration/mod.ts";
import type { Span } from "#foundation/span.ts";
import type { PageUnit } from "#documents/mod.ts";
import type { Generated } from "#engine/index/mod.ts";
import type { SearchFilters } from "#engine/query/types.ts";
import type { SearchMode } from "#engine/rank/types.ts";
import type { BestRow } from "./best_row.ts";
import type { Mark } from "./find_marks.ts";

/** How well a hit covers the query: by its words, by words like them, or by their translations. */
export type MatchDegree = "high" | "medium" | "low";

/** Settings of the section `search` of the configuration that a request may set. */
export type RankingSettings = Readonly<
  Partial<Pick<Config["search"], "alpha" | "fts_topn" | "vec_topn" | "per_doc_limit">>
>;

/** One search. */
export interface SearchRequest {
  /** The question in plain words. It must not be empty. Text beyond {@linkcode MAX_QUERY_CHARS} is ignored. */
  readonly query: string;
  /** Maximum number of hits. Default: `search.top_k`. */
  readonly topK?: number;
  /** Number of the best hits to skip, because earlier answers had them. Default: 0. */
  readonly offset?: number;
  /** `topK` of the first of these answers. The same value for all answers after it continues one list. Default: `search.top_k`. */
  readonly firstTopK?: number;
  /** Settings of the ranking that hold for this search instead of those of the configuration. */
  readonly ranking?: RankingSettings;
  /** Earlier questions that this one follows on from, oldest first. Their words count a little. A boolean query ignores them. */
  readonly history?: readonly string[];
  /** The part of its time that a model gets to rewrite the question. Default: all of it. */
  readonly rewriteShare?: number;
  /** Default: `search.mode`. */
  readonly mode?: SearchMode;
  /**
   * A served folder, or one below: only files there are searched. A full path, a `file://` URL, or relative to one of
   * the served folders.
   */
  readonly dirPath?: string;
  /**
   * The names of served folders, or paths as in `dirPath`, separated by commas or line ends: only files there are searched.
   * `all` or blank: all. Used instead of `dirPath`.
   */
  readonly collections?: string;
  /** Which files and chunks may be found; as typed into the query (`type:md`) these must hold too. */
  readonly filters?: SearchFilters;
  /** Whether the answer explains its ranking. */
  readonly explain?: boolean;
  /** Only hits of this degree or a higher one. Default: all. */
  readonly minDegree?: MatchDegree;
  /** Whether the hits have marks, or a function that returns how many of the first hits have them, when the hits are known. */
  readonly marks?: boolean | ((hits: readonly Hit[]) => number);
  /** The stage of a trace that the search is a part of. Default: a trace of its own, if searches are traced. */
  readonly span?: Span | undefined;
  /** Name of the person or program that asks a server, for the trace. */
  readonly principal?: string | undefined;
  /** The `traceparent` of the client, a valid one: the parent of the trace in an export. */
  readonly traceParent?: string | undefined;
}

/** A part of a file: of another one with the same text as a hit, or the hit itself. */
export interface OtherLocation {
  /** Absolute path of the file, as the operating system writes it. */
  readonly filePath: string;
  /** First and last line, counted from 1. */
  readonly startLine: number;
  readonly endLine: number;
  /** Page, counted from 1, where the format has pages; of a hit that of the sentence that matches best. */
  readonly page?: number;
  /** The unit that `page` counts, such as sheets. Absent for pages. */
  readonly pageUnit?: PageUnit;
  /** The name that people cite the page by, if it has one: that of a sheet, the time of a subtitle. */
  readonly pageLabel?: string;
}

/** One chunk found. */
export interface Hit extends OtherLocation {
  /** Stable name of the chunk: 16 hexadecimal digits of a hash of path, section path and content. */
  readonly chunkId: string;
  /** The score of the ranking; comparable within one answer only. */
  readonly score: number;
  readonly degree: MatchDegree;
  /** The chunk's text, shortened only where the answer's character cap ends. */
  readonly content: string;
  /** The last line of the file that has text. Absent where it is not known. */
  readonly totalLines?: number;
  /** Headings that lead to the chunk, outermost first; empty outside of any section. */
  readonly section: readonly string[];
  /** First and last page of the passage, where the format has pages. */
  readonly pageStart?: number;
  readonly pageEnd?: number;
  /** First and last row of the sheet that the text shows, as the sheet's program numbers them. Absent for other texts. */
  readonly rows?: readonly [first: number, last: number];
  /** The row of a table that has most of the question's words, with its number in a sheet. Absent if the text has few rows, or several do. */
  readonly bestRow?: BestRow & { readonly row?: number };
  /** Text of the chunk was recognised in a picture, so it may contain errors. Absent otherwise. */
  readonly recognised?: true;
  /** Numbers of the pictures that stand in the chunk, as `list_images` counts them. Absent if there are none. */
  readonly images?: readonly number[];
  /** SHA-256 of the bytes in which these pictures were counted, in hexadecimal. Absent without them. */
  readonly sha256?: string;
  /** Texts that a language model wrote about the chunk: no part of the document, and not to be cited. Absent if there are none. */
  readonly generated?: HitGenerated;
  /** Parts of other files with the same text, which would have been separate hits. Absent if there are none. */
  readonly also?: readonly OtherLocation[];
  /** Where the words of the question, and words like them, stand in `content`. Absent unless the request asks for them. */
  readonly marks?: readonly Mark[];
  /** The same for each heading of `section`. */
  readonly sectionMarks?: readonly (readonly Mark[])[];
  /** The file has changed or is gone since it was indexed, so the text may be an old one. Absent otherwise. */
  readonly outdated?: true;
  /** The text was cut to fit an answer. Absent otherwise. */
  readonly truncated?: true;
}

/** The texts of a language model about a chunk. */
export interface HitGenerated extends Omit<Generated, "keys"> {
  /** The chunk was found by these texts alone: it has none of the question's words. Absent otherwise. */
  readonly isOnlyMatch?: true;
}
