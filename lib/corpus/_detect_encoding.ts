/** A guess: a label of `TextDecoder`, and the confidence from 0 to 1. */
export interface Detection {
  readonly encoding: string;
  readonly confidence: number;
}

/** Bytes given to the detector. More bytes take longer and do not change the result. */
const SAMPLE = 65_536;
/** ASCII bytes kept before the first non-ASCII byte. */
const CONTEXT = 256;

/** The encodings to detect: the detector's names and the labels of `TextDecoder`. */
const LABELS: Readonly<Record<string, string>> = {
  "big5": "big5",
  "big5-hkscs": "big5",
  "big5hkscs": "big5",
  "gb18030": "gb18030",
  "cp932": "shift_jis",
  "shift_jis": "shift_jis",
  "euc-jp": "euc-jp",
  "cp949": "euc-kr",
  "euc-kr": "euc-kr",
  "windows-1250": "windows-1250",
  "windows-1251": "windows-1251",
  "windows-1252": "windows-1252",
  "windows-1253": "windows-1253",
  "windows-1254": "windows-1254",
  "windows-1255": "windows-1255",
  "windows-1256": "windows-1256",
  "windows-1257": "windows-1257",
  "windows-1258": "windows-1258",
  "windows-874": "windows-874",
  "cp874": "windows-874",
  "koi8-r": "koi8-r",
  "koi8-u": "koi8-u",
};

/**
 * Guesses the encoding of bytes that are neither UTF-8 nor clearly GB18030; null without a guess. The library takes 100 ms
 * to load, so the first such file loads it.
 */
export async function detectEncoding(bytes: Uint8Array): Promise<Detection | null> {
  const { detect } = await import("jschardet");
  const first = Math.max(0, bytes.findIndex((byte) => byte >= 0x80) - CONTEXT);
  const { encoding, confidence } = detect(bytes.subarray(first, first + SAMPLE), {
    detectEncodings: Object.keys(LABELS),
  });
  const label = encoding === null ? undefined : LABELS[encoding.toLowerCase()];
  return label === undefined ? null : { encoding: label, confidence };
}
