import { TopScores } from "../../index/mod.ts";

/**
 * Returns the `limit` chunks with the greatest scores above 0, in ascending order, with all chunks that tie with the last.
 */
export function bestChunks(scores: Float64Array, limit: number, allowed: Uint8Array | undefined): number[] {
  const top = new TopScores(limit);
  let threshold = 0;
  for (let chunk = 0; chunk < scores.length; chunk++) {
    if (scores[chunk]! <= threshold || allowed !== undefined && allowed[chunk] === 0) continue;
    threshold = top.offer(scores[chunk]!);
  }
  const chunks: number[] = [];
  for (let chunk = 0; chunk < scores.length; chunk++) {
    if (scores[chunk]! === 0 || scores[chunk]! < threshold) continue;
    if (allowed === undefined || allowed[chunk] === 1) chunks.push(chunk);
  }
  return chunks;
}
