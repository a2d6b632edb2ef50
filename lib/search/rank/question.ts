import type { GroupScores, QueryLists } from "../../index/mod.ts";
import { queryWords, type QueryWord } from "./query_words.ts";
import { type Translated, translate } from "./translation.ts";
import { LEG_NAMES, type LegName, type RankRequest } from "./types.ts";

const ALL_LEGS: ReadonlySet<LegName> = new Set(LEG_NAMES);

/** What of a question does not depend on the chunks that are looked at: worked out once. */
export class Question {
  readonly legs: ReadonlySet<LegName>;
  /** Its terms in the collection. */
  readonly lists: QueryLists;
  /** Its vector, if there is any. */
  readonly vector: Float32Array | undefined;
  /** Its words, where the built-in table knows words. */
  readonly words: readonly QueryWord[];
  readonly translated: Translated | undefined;
  /** What the translated question gives every chunk, reader by reader. */
  readonly groups: readonly GroupScores[] | undefined;

  constructor(readonly request: RankRequest) {
    const { collection, terms, text, mode, meaning } = request;
    this.legs = request.legs ?? ALL_LEGS;
    this.lists = collection.lookUp(terms);
    const means = mode !== "keyword" && meaning !== undefined;
    this.vector = mode === "keyword" ? undefined : request.queryVector ?? meaning?.analyzer.analyze(text).vector;
    this.words = means ? queryWords(text, terms, collection, meaning) : [];
    this.translated = means && this.legs.has("translation") ? translate(text, terms, collection, meaning) : undefined;
    this.groups = this.translated === undefined ? undefined : collection.scoreGroups(this.translated.groups);
  }
}
