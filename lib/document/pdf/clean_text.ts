/** Matches bullets of the fonts Symbol and Wingdings in the private use area. */
const BULLETS = /[\uF0A7\uF0B7\uF076\uF0D8\uF0FC\uF06E\uF06C\uF09F\uF0A8\uF071]/g;

/**
 * Returns text without control characters, with normal blanks, bullets and mathematical letters. Soft hyphens stay, since a
 * line may end in one.
 */
export function cleanText(text: string): string {
  return text
    // deno-lint-ignore no-control-regex -- these are meant
    .replace(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\uFFFE\uFFFF\u200B\u2060\uFEFF]/g, "")
    .replace(BULLETS, "•")
    .replace(/[\u{1D400}-\u{1D7FF}]/gu, (letter) => letter.normalize("NFKC"))
    .replace(/[\u00A0\u2000-\u200A\u202F\u205F\u3000\t\n]/g, " ")
    // The stroke that lengthens Arabic words.
    .replace(/(?<=[\u0620-\u06D3])\u0640+/g, "")
    .replace(/[\u202A-\u202E\u2066-\u2069\u200E\u200F]/g, "")
    .toWellFormed();
}

/** Matches characters of scripts without blanks between words. */
export const CJK =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303F\uFF00-\uFFEF\u2018\u2019\u201C\u201D\u2026\u2014]/u;
const STRICTLY_CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303F\uFF01-\uFF60]/u;

/** Returns whether the last character of a text belongs to a script without blanks between words. */
export function endsWithCjk(text: string): boolean {
  return STRICTLY_CJK.test(Array.from(text.slice(-2)).at(-1) ?? "");
}

export function startsWithCjk(text: string): boolean {
  return STRICTLY_CJK.test(String.fromCodePoint(text.codePointAt(0) ?? 32));
}
