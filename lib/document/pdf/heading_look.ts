import type { Block, TextBlock } from "./blocks.ts";
import { isCaption } from "./captions.ts";
import { LEADERS } from "./leaders.ts";
import { textOf } from "./line_text.ts";
import { listMarker } from "./list_marker.ts";
import { styleOf, type TextStyle } from "./text_style.ts";

/** Matches a number or letter at the start of a heading. */
const NUMBERED =
  /^(?:(?:chapter|appendix|part|section|annex)\s+[\dA-Z]+\b|\d{1,2}(?:\.\d{1,3}){0,5}\.?\s+\S|[A-Z](?:\.\d{1,3})+\.?\s|[IVX]{1,5}\.\s|第\s*[\d一二三四五六七八九十百零]+\s*[章节節篇部条編编]|[一二三四五六七八九十]{1,3}[、.．]|附录)/i;

/** Matches the label of a chapter on a line by itself. Its title is the heading. */
const LABEL =
  /^(?:(?:chapter|part|appendix|section|kapitel|chapitre)(?:\s+(?:\d+|[ivxlc]+|[a-z]))?|\d+|[ivxlc]+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|第\s*[\d一二三四五六七八九十百]+\s*[章部编編篇])$/i;

/** Returns whether a block looks like a heading, compared with the body text and the blocks around it. */
export function looksLikeHeading(
  block: TextBlock,
  text: string,
  before: Block | undefined,
  after: Block | undefined,
  body: TextStyle,
): boolean {
  if (block.lines.length > 3 || !/\p{L}{2}|\p{Script=Han}/u.test(text) || isCaption(text)) return false;
  if (/[。；]/.test(text.slice(0, -1)) || /[.。,，;；]$/.test(text)) return false;
  if (LEADERS.test(text)) return false;
  if (LABEL.test(text)) return false;
  const style = styleOf(block);
  const numbered = NUMBERED.test(text);
  const marker = listMarker(text);
  if (marker?.bullet) return false;
  const isFollowed = after !== undefined;
  const larger = style.size / body.size;
  if (/[:：]$/.test(text) && larger < 1.15 && !numbered) return false;
  if (larger >= 1.15) return text.length <= 150;
  if (larger < 0.85 || !isFollowed) return false;
  const line = block.lines[0]!;
  const isShort = line.right - line.left < 0.85 * (block.column.right - block.column.left);
  const hasEnded = before?.kind === "text" && /[.!?:。！？：]["”’)）]?$/.test(textOf(before.lines.at(-1)!));
  const apart = block.gap > 1.35 || before === undefined || before.kind !== "text" ||
    before.size > block.size * 1.1 ||
    isShort && hasEnded;
  const strong = style.bold && !body.bold && isMostly(block, "bold");
  if (strong && block.lines.length <= 2) return apart || numbered;
  if (larger < 0.92 && !style.italic) return false;
  if (larger >= 1.08 && apart && block.lines.length <= 2) return true;
  const alone = block.lines.length === 1 && text.length <= 70 && apart && after.kind === "text";
  if (style.italic && !body.italic && isMostly(block, "italic") && alone) {
    return /^[\p{Lu}\d\p{Lo}]/u.test(text);
  }
  if (alone && /^[^\p{Ll}]*$/u.test(text) && /\p{Lu}{4}/u.test(text)) return true;
  return false;
}

/** Returns whether at least nine tenths of the characters are bold or italic. */
function isMostly(block: TextBlock, key: "bold" | "italic"): boolean {
  let all = 0, yes = 0;
  for (const { runs } of block.lines) {
    for (const { face, text } of runs) {
      all += text.length;
      if (face[key]) yes += text.length;
    }
  }
  return yes >= 0.9 * all;
}
