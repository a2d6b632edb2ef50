import type { Similarity } from "../chunk/mod.ts";
import { type LazyTable, TextAnalyzer } from "../embedding/mod.ts";

/**
 * Returns a function that computes the cosines of neighbouring texts with the built-in table; 0 for texts without a vector.
 */
export function similarityBy(table: LazyTable): Similarity {
  return (texts) => {
    const analyzer = new TextAnalyzer(table.get());
    const cosines = new Float32Array(Math.max(0, texts.length - 1));
    let before: Float32Array | undefined;
    for (const [i, text] of texts.entries()) {
      const vector = analyzer.analyze(text).vector.slice();
      if (before !== undefined) cosines[i - 1] = dot(before, vector);
      before = vector;
    }
    return cosines;
  };
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
