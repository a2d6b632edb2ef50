import { isCommonChinese } from "./_common_hanzi.ts";

/** Characters that are judged: enough to be sure, few enough to cost nothing. */
const ENOUGH = 4_000;

/** How much some bytes look like Chinese in GB18030 (which contains GBK and GB2312). Shares are of 0 to 1. */
export interface GbEvidence {
  /** Non-ASCII characters judged. */
  readonly characters: number;
  /** Share of them in GB2312's own rows: modern simplified text keeps to those. */
  readonly gb2312Share: number;
  /** Share of them that Chinese text is mostly made of. */
  readonly commonShare: number;
}

/**
 * Gathers evidence from the first non-ASCII characters. The bytes need not be valid throughout.
 */
export function gbEvidence(bytes: Uint8Array): GbEvidence {
  let first = 0;
  while (first < bytes.length && bytes[first]! < 0x80) first++;

  let characters = 0;
  let gb2312 = 0;
  let at = first;
  while (at < bytes.length && characters < ENOUGH) {
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
