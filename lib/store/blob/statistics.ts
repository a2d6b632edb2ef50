import { type IndexReader, LANGUAGE_CODES } from "../../index/mod.ts";
import type { IndexStatistics } from "../open_index.ts";
import type { DeadChunks } from "./dead_chunks.ts";

/** Counts the chunks of an index that are alive. */
export function statisticsOf(reader: IndexReader, dead: DeadChunks | undefined): IndexStatistics {
  const { tokens, languages } = reader.chunks;
  const chunksOf = new Float64Array(256), tokensOf = new Float64Array(256);
  for (let i = 0; i < tokens.length; i++) {
    if (dead?.alive[i] === 0) continue;
    chunksOf[languages[i]!]!++;
    tokensOf[languages[i]!]! += tokens[i]!;
  }
  const sum = (numbers: Float64Array) => numbers.reduce((total, number) => total + number, 0);
  return {
    chunks: sum(chunksOf),
    terms: reader.dictionary.size,
    tokens: sum(tokensOf),
    languages: Object.values(LANGUAGE_CODES).filter((language) => chunksOf[language]! > 0)
      .map((language) => ({ language, chunks: chunksOf[language]!, tokens: tokensOf[language]! })),
    textBytes: reader.textBytes - (dead?.textBytes ?? 0),
    bytes: reader.size,
  };
}
