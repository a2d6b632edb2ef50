/** The marker of a list item. */
export interface ListMarker {
  /** Whether it is a bullet. Otherwise it is a number or letter. */
  readonly bullet: boolean;
  readonly number?: number;
  /** Length of the marker with the blanks after it. */
  readonly length: number;
}

const BULLET = /^(?:[•‣◦▪▫●○■□◆◇►▶⁃∙·➢➤✓✔☐☑☒❑❖]|[-–—*](?=\s))\s*/u;
const NUMBER = /^(\d{1,3})[.)](?:\s+|(?=\p{Script=Han}))(?!\d)/u;
const LETTER = /^(?:\((?:\d{1,3}|[a-z]|[ivx]{1,4})\)|[a-z]\)|（[一二三四五六七八九十\d]{1,3}）|[①-⑳])\s*/u;

/** Matches a line that consists of a bullet or the number of an item. */
export const BARE_BULLET = /^(?:[•‣◦▪▫●○■□◆◇►▶⁃∙·➢➤✓✔☐☑☒❑❖*–-]|\d{1,3}[.)])$/u;

/** Returns the list marker at the start of a text, if there is one. */
export function listMarker(text: string): ListMarker | undefined {
  const bullet = BULLET.exec(text);
  if (bullet !== null && bullet[0].length < text.length) return { bullet: true, length: bullet[0].length };
  const number = NUMBER.exec(text);
  if (number !== null && number[0].length < text.length) {
    return { bullet: false, number: Number(number[1]), length: number[0].length };
  }
  const letter = LETTER.exec(text);
  if (letter !== null && letter[0].length < text.length) return { bullet: false, length: 0 };
  return undefined;
}
