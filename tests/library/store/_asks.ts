import type { OpenIndex } from "#library/store/mod.ts";
import { metadataMask } from "#engine/query/mod.ts";
import { meaning } from "../../engine/rank/_collection.ts";

/** Words of the texts in tests that ask {@linkcode ASKS}. */
export const WORDS = [
  "apple",
  "pears",
  "river",
  "bridge",
  "database",
  "苹果",
  "数据库",
  "桥梁",
  "userName",
  "# Head",
];

const VOCABULARY = [
  ...new Set(
    [...WORDS, "pear", "head", "user"].flatMap((word) => meaning.tokenizer.queryTerms(word)).map(({ term }) =>
      term
    ),
  ),
];
const TERMS = VOCABULARY.map((term) => ({ term, weight: 1 + term.length / 8 }));
const GROUP = { members: [{ terms: ["数据"], score: 0.7 }, { terms: ["桥梁", "桥"], score: 0.5 }] };
const GROUPS = { groups: [{ group: GROUP, weight: 1.5 }], language: 2 };
const VECTOR = { vector: meaning.analyzer.analyze("apple bridge 数据库").vector, model: undefined };
const AVERAGE = { averageTokens: 9 };

const allOf = ({ statistics }: OpenIndex) => Int32Array.from({ length: statistics.chunks }, (_, i) => i);

/** Everything that can be asked of an open index, by name. Answers are equal for equal indexes. */
export const ASKS: Readonly<Record<string, (index: OpenIndex) => unknown>> = {
  // terms may be counted of which the last chunk is gone
  statistics: ({ statistics: { bytes: _, terms: __, ...statistics } }) => statistics,
  files: ({ files }) => files,
  root: ({ meta: { root, settings } }) => ({ root, settings }),
  vectors: ({ vectors }) => vectors,
  chunks: (index) => index.chunks(allOf(index)),
  texts: (index) => index.texts(allOf(index), Infinity),
  beginnings: (index) => index.texts(allOf(index), 7),
  identities: (index) => index.identities(allOf(index)),
  words: (index) => index.words(allOf(index)),
  documentFrequencies: async (index) => Array.from(await index.documentFrequencies(VOCABULARY)),
  groupFrequencies: async (index) => Array.from(await index.groupFrequencies([GROUP], 2)),
  byTerms: (index) => index.byTerms({ terms: TERMS, ...AVERAGE }, { limit: 4 }),
  filtered: (index) => index.byTerms({ terms: TERMS, ...AVERAGE }, { limit: 9, ...except(index) }),
  byGroups: (index) => index.byGroups({ ...GROUPS, ...AVERAGE }, { limit: 2 }),
  byVector: (index) => index.byVector(VECTOR, { limit: 5 }),
  filteredByVector: (index) => index.byVector(VECTOR, { limit: 3, ...except(index) }),
  byScores: (index) => index.byScores(scoresOf(index), { limit: 4 }),
  filteredByScores: (index) => index.byScores(scoresOf(index), { limit: 3, ...except(index) }),
  contentHashes: (index) => index.contentHashes(allOf(index)),
  languages: (index) => index.languages(allOf(index)),
  scoreTerms: (index) => index.scoreTerms({ terms: TERMS, ...AVERAGE }, allOf(index)),
  scoreGroups: (index) => index.scoreGroups({ ...GROUPS, ...AVERAGE }, allOf(index)),
  cosines: (index) => index.cosines(VECTOR, allOf(index)),
  fileMarks: (index) =>
    [{ key: "tags", none: ["docs"] } as const, { key: "meta.name", any: ["03.md", "a.md", "new"] } as const]
      .map((condition) => index.fileMarks((tables) => metadataMask(tables, [condition]))),
  passesAny: (index) => index.passesAny(except(index).filter),
};

/** A score for each chunk. */
const scoresOf = ({ statistics }: OpenIndex) =>
  Float64Array.from({ length: statistics.chunks }, (_, chunk) => (chunk * 7) % 5 / 4);

/** A filter that lets about half of the chunks pass. */
function except({ files }: OpenIndex) {
  const filter = {
    files: Uint8Array.from(files, (_, i) => i % 3 === 0 ? 0 : 1),
    phrases: [],
    excluded: ["apple"],
    excludedPhrases: ["river bridge"],
  };
  return { filter, exceptFiles: new Set(files.length > 1 ? [1] : []) };
}
