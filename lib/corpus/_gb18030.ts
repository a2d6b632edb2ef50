import { isCommonChinese } from "./_common_hanzi.ts";

/** Non-ASCII characters that are examined. */
const MAX_CHARACTERS = 4_000;

/** Evidence that bytes are Chinese text in GB18030, which includes GBK and GB2312. Shares are from 0 to 1. */
export interface GbEvidence {
  /** Number of non-ASCII characters examined. */
  readonly characters: number;
  /** Share of them in GB2312, which has nearly all characters of modern simplified text. */
  readonly gb2312Share: number;
  /** Share of them that are common hanzi. */
  readonly commonShare: number;
}

/** Examines the first non-ASCII characters. The bytes may contain invalid sequences. */
export function gbEvidence(bytes: Uint8Array): GbEvidence {
  let first = 0;
  while (first < bytes.length && bytes[first]! < 0x80) first++;

  let characters = 0;
  let gb2312 = 0;
  let at = first;
  while (at < bytes.length && characters < MAX_CHARACTERS) {
    const lead = bytes[at]!;
    if (lead < 0x80) {
      at++;
      continue;
    }
    const trail = bytes[at + 1] ?? 0;
    characters++;
    // Rows 1 to 9 are symbols, 16 to 87 hanzi.
    if (
      trail >= 0xa1 && trail <= 0xfe && ((lead >= 0xa1 && lead <= 0xa9) || (lead >= 0xb0 && lead <= 0xf7))
    ) gb2312++;
    at += trail >= 0x30 && trail <= 0x39 ? 4 : 2;
  }

  let common = 0;
  for (const char of new TextDecoder("gb18030").decode(bytes.subarray(first, at))) {
    if (isCommonChinese(char.codePointAt(0)!)) common++;
  }
  return {
    characters,
    gb2312Share: characters === 0 ? 0 : gb2312 / characters,
    commonShare: characters === 0 ? 0 : common / characters,
  };
}
