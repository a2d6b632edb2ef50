/**
 * Returns the WHATWG label of a code page of Windows, DOS or Macintosh; `undefined` if `TextDecoder` does not support it.
 */
export function codePageLabel(page: number): string | undefined {
  if (Object.hasOwn(LABELS, page)) return LABELS[page];
  if (page >= 1250 && page <= 1258) return `windows-${page}`;
  // ISO 8859-12 does not exist.
  return page > 28590 && page <= 28606 && page !== 28602 ? `iso-8859-${page - 28590}` : undefined;
}

const LABELS: Readonly<Record<number, string>> = {
  866: "ibm866",
  874: "windows-874",
  932: "shift_jis",
  936: "gb18030",
  949: "euc-kr",
  950: "big5",
  1200: "utf-16le",
  1201: "utf-16be",
  10000: "macintosh",
  10001: "shift_jis",
  10002: "big5",
  10003: "euc-kr",
  10007: "x-mac-cyrillic",
  10008: "gb18030",
  20866: "koi8-r",
  20932: "euc-jp",
  20936: "gb18030",
  21866: "koi8-u",
  54936: "gb18030",
  65001: "utf-8",
};
