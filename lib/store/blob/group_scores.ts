import { GroupMerger, type GroupPostings, type IndexReader, K1, PostingList } from "../../index/mod.ts";
import type { ChunkScores, GroupQuery, TermGroup } from "../open_index.ts";

/** BM25 of groups of terms in an index, where a group counts as one term. Keeps what a query needs more than once. */
export class GroupScores {
  readonly #reader: IndexReader;
  readonly #languages: Uint8Array;
  readonly #postings = new WeakMap<
    TermGroup,
    { readonly language: number; readonly postings: GroupPostings }
  >();
  readonly #scores = new WeakMap<GroupQuery, ChunkScores>();
  #merger: GroupMerger | undefined;

  /** `languages`: the language of each chunk; that of a chunk which must not be found is no language. */
  constructor(reader: IndexReader, languages: Uint8Array) {
    this.#reader = reader;
    this.#languages = languages;
  }

  /** The chunks of a language that hold a group, and how often. */
  postingsOf(group: TermGroup, language: number): GroupPostings {
    const known = this.#postings.get(group);
    if (known?.language === language) return known.postings;
    const { dictionary, postings: all, chunks } = this.#reader;
    const members = group.members.flatMap(({ terms, score }) => {
      const ids = terms.map((term) => dictionary.find(term));
      return ids.includes(-1) ? [] : [{ lists: ids.map((id) => new PostingList(all, id)), score }];
    });
    const postings = members.length === 0
      ? { chunks: new Int32Array(0), frequencies: new Float64Array(0) }
      : (this.#merger ??= new GroupMerger(chunks.length)).merge(members, this.#languages, language);
    this.#postings.set(group, { language, postings });
    return postings;
  }

  /** The scores of all chunks, by their numbers. */
  of(query: GroupQuery): ChunkScores {
    const known = this.#scores.get(query);
    if (known !== undefined) return known;
    const { codes, values } = this.#reader.norms(query.averageTokens);
    const scores = new Float64Array(this.#reader.chunks.length);
    const covered = new Float64Array(this.#reader.chunks.length);
    for (const { group, weight } of query.groups) {
      const { chunks, frequencies } = this.postingsOf(group, query.language);
      const factor = weight * (K1 + 1);
      for (let i = 0; i < chunks.length; i++) {
        const chunk = chunks[i]!, tf = frequencies[i]!;
        scores[chunk]! += factor * tf / (tf + values[codes[chunk]!]!);
        covered[chunk]! += weight;
      }
    }
    const all = { scores, covered };
    this.#scores.set(query, all);
    return all;
  }
}
