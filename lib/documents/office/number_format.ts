import { format as formatNumber } from "numfmt";

/** Longest number format in characters. Excel allows 255; a longer one is meant to cost time. */
const LONGEST_FORMAT = 500;

/**
 * Number formats that Excel knows by number. Dates that depend on the user's country are shown in ISO 8601. 27 to 58 are
 * those of China.
 */
export const BUILT_IN: Readonly<Record<number, string>> = {
  1: "0",
  2: "0.00",
  3: "#,##0",
  4: "#,##0.00",
  9: "0%",
  10: "0.00%",
  11: "0.00E+00",
  12: "# ?/?",
  13: "# ??/??",
  14: "yyyy-mm-dd",
  15: "d-mmm-yy",
  16: "d-mmm",
  17: "mmm-yy",
  18: "h:mm AM/PM",
  19: "h:mm:ss AM/PM",
  20: "h:mm",
  21: "h:mm:ss",
  22: "yyyy-mm-dd h:mm",
  27: 'yyyy"年"m"月"',
  28: 'm"月"d"日"',
  29: 'm"月"d"日"',
  30: "yyyy-mm-dd",
  31: 'yyyy"年"m"月"d"日"',
  32: 'h"时"mm"分"',
  33: 'h"时"mm"分"ss"秒"',
  34: 'h"时"mm"分"',
  35: 'h"时"mm"分"ss"秒"',
  36: 'yyyy"年"m"月"',
  37: "#,##0 ;(#,##0)",
  38: "#,##0 ;(#,##0)",
  39: "#,##0.00;(#,##0.00)",
  40: "#,##0.00;(#,##0.00)",
  45: "mm:ss",
  46: "[h]:mm:ss",
  47: "mm:ss.0",
  48: "##0.0E+0",
  50: 'yyyy"年"m"月"',
  51: 'm"月"d"日"',
  52: 'yyyy"年"m"月"',
  53: 'm"月"d"日"',
  54: 'm"月"d"日"',
  55: 'h"时"mm"分"',
  56: 'h"时"mm"分"ss"秒"',
  57: 'yyyy"年"m"月"',
  58: 'm"月"d"日"',
};

/**
 * Returns a number as its format shows it. If the format fails, hides the value or leaves nothing of it, returns the plain
 * number. `offset`: days to add to dates, 1462 if they count from 1904.
 */
export function shownNumber(value: number, pattern: string | undefined, offset = 0): string {
  const plain = String(Number(value.toPrecision(15)));
  if (pattern === undefined || /^(?:general|@)?$/i.test(pattern) || pattern.length > LONGEST_FORMAT) {
    return plain;
  }
  const isDate = offset !== 0 && /[dymhs]/i.test(pattern.replace(/"[^"]*"|\\.|\[[^\]]*\]/g, ""));
  const text = formatNumber(pattern, isDate ? value + offset : value, { throws: false, nbsp: false }).trim();
  return text === "" || /^#+$/.test(text) ? plain : text;
}
