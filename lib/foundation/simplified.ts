/**
 * Traditional Chinese as simplified, so that a question in one script finds texts in the other.
 * One unit becomes one unit: offsets in a text stay valid.
 */
import { SIMPLIFIED, TRADITIONAL } from "./traditional_characters.ts";

let units: Uint16Array | undefined;

/** Returns the simplified form of each UTF-16 unit: the unit itself, unless it is a traditional or variant character. */
export function simplifiedUnits(): Uint16Array {
  if (units === undefined) {
    units = Uint16Array.from({ length: 0x10000 }, (_, unit) => unit);
    for (let i = 0; i < TRADITIONAL.length; i++) units[TRADITIONAL.charCodeAt(i)] = SIMPLIFIED.charCodeAt(i);
  }
  return units;
}

/**
 * Returns the text with each traditional or variant character replaced by its simplified form. The length stays the same.
 *
 * ```ts
 * import { toSimplified } from "./simplified.ts";
 * import { equal } from "node:assert/strict";
 *
 * equal(toSimplified("資料庫 (DB) 的備份"), "资料库 (DB) 的备份");
 * ```
 */
export function toSimplified(text: string): string {
  const forms = simplifiedUnits();
  let simplified = "";
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (forms[unit] === unit) continue;
    simplified += text.slice(from, i) + String.fromCharCode(forms[unit]!);
    from = i + 1;
  }
  return from === 0 ? text : simplified + text.slice(from);
}
