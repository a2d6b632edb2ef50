// deno-lint-ignore no-control-regex -- the escape character that begins a colour sequence
const COLOURS = /\u001b\[[0-9;]*m/g;

/** Blocks that terminals draw two columns wide: CJK, kana, Hangul, full-width forms, pictographs (Unicode TR 11). */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** Columns that a text takes on a terminal. Colour sequences take none. */
export function displayWidth(text: string): number {
  let columns = 0;
  for (const char of text.replace(COLOURS, "")) {
    columns += WIDE.test(char) ? 2 : /\p{M}|\u200d/u.test(char) ? 0 : 1;
  }
  return columns;
}

/** The end of `text` in at most `columns`; `…` stands for a start that was cut. */
export function cutStartToWidth(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  const chars = [...text];
  let used = 1;
  let from = chars.length;
  while (from > 0 && used + displayWidth(chars[from - 1]!) <= columns) used += displayWidth(chars[--from]!);
  return `…${chars.slice(from).join("")}`;
}

/** The start of `text` in at most `columns`; `…` stands for an end that was cut. */
export function cutToWidth(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let cut = "";
  let used = 1;
  for (const char of text) {
    used += displayWidth(char);
    if (used > columns) break;
    cut += char;
  }
  return `${cut}…`;
}
