/** The WHATWG label of a Windows code page, or nothing for one that `TextDecoder` does not have. */
export function codePageLabel(page: number): string | undefined {
  if (page >= 1250 && page <= 1258) return `windows-${page}`;
  return LABELS[page];
}

const LABELS: Readonly<Record<number, string>> = {
  866: "ibm866",
  874: "windows-874",
  932: "shift_jis",
  936: "gb18030",
  949: "euc-kr",
  950: "big5",
  1200: "utf-16le",
  10000: "macintosh",
  10007: "x-mac-cyrillic",
  20866: "koi8-r",
  20932: "euc-jp",
  20936: "gb18030",
  21866: "koi8-u",
  28592: "iso-8859-2",
  28595: "iso-8859-5",
  28597: "iso-8859-7",
  54936: "gb18030",
  65001: "utf-8",
};
