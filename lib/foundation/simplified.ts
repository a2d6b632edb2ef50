/**
 * Traditional Chinese as simplified, so that a question in one script finds texts in the other.
 * One unit becomes one unit: offsets in a text stay valid.
 */
import { SIMPLIFIED, TRADITIONAL } from "./traditional_characters.ts";

let forms: Uint16Array | undefined;

/** The simplified form of each UTF-16 unit that is a traditional or variant character, 0 for the others. */
function buildForms(): Uint16Array {
  const forms = new Uint16Array(0x10000);
  for (let i = 0; i < TRADITIONAL.length; i++) forms[TRADITIONAL.charCodeAt(i)] = SIMPLIFIED.charCodeAt(i);
  return forms;
}

/** No character before is traditional. */
const FIRST = 0x3400;

/** Returns the simplified form of a UTF-16 unit: the unit itself, unless it is a traditional or variant character. */
export function simplifiedUnit(unit: number): number {
  // A text without Chinese does not need the table.
  return unit < FIRST ? unit : (forms ??= buildForms())[unit]! || unit;
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
  let simplified = "";
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const form = simplifiedUnit(unit);
    if (form === unit) continue;
    simplified += text.slice(from, i) + String.fromCharCode(form);
    from = i + 1;
  }
  return from === 0 ? text : simplified + text.slice(from);
}
