/** WHATWG labels of the code pages of Windows, DOS and Macintosh that have other names. */
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
  21866: "koi8-u",
  54936: "gb18030",
  65001: "utf-8",
};

/** Decodes the code pages of workbooks of Excel 95 and older by the runtime's own tables instead of the library's 470 KB. */
export const codePages = { utils: { decode, encode, hascp } };

function decode(codePage: number, data: string | readonly number[] | Uint8Array): string {
  const bytes = typeof data === "string"
    ? Uint8Array.from(data, (char) => char.charCodeAt(0))
    : Uint8Array.from(data);
  // In UTF-16 the library takes away one byte of the zero at the end.
  const length = codePage === 1200 || codePage === 1201 ? bytes.length & ~1 : bytes.length;
  return new TextDecoder(labelOf(codePage) ?? "windows-1252", { ignoreBOM: true }).decode(
    bytes.subarray(0, length),
  );
}

/** The library asks for it where it writes only. */
function encode(_codePage: number, text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function hascp(codePage: number): boolean {
  return labelOf(codePage) !== undefined;
}

function labelOf(codePage: number): string | undefined {
  if (Object.hasOwn(LABELS, codePage)) return LABELS[codePage];
  if (codePage >= 1250 && codePage <= 1258) return `windows-${codePage}`;
  return codePage > 28590 && codePage < 28607 ? `iso-8859-${codePage - 28590}` : undefined;
}
