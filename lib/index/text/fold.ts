import { SIMPLIFIED, TRADITIONAL } from "./traditional_characters.ts";

/** The simplified form of every UTF-16 unit: itself, but for traditional and variant Chinese characters. */
export function buildFoldTable(): Uint16Array {
  const fold = Uint16Array.from({ length: 0x10000 }, (_, unit) => unit);
  for (let i = 0; i < TRADITIONAL.length; i++) fold[TRADITIONAL.charCodeAt(i)] = SIMPLIFIED.charCodeAt(i);
  return fold;
}
