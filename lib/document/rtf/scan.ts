/** Receives the tokens of an RTF file. */
export interface Handler {
  open(): void;
  /** Returns `false` at the end of the document. */
  close(): boolean;
  /** A control word with its parameter: `\name12`. */
  word(name: string, value: number | undefined): void;
  /** A control symbol, such as `\~`. */
  symbol(char: string): void;
  /** A byte of text, as it is or written as `\'d6`. */
  byte(value: number): void;
}

const [OPEN, CLOSE, BACKSLASH] = [0x7b, 0x7d, 0x5c];
const MINUS = 0x2d;
/** Longest control word in characters. Real ones have about thirty letters. */
const LONGEST = 40;

/** Scans an RTF file once, up to the end of its outermost group. */
export function scan(bytes: Uint8Array, handler: Handler): void {
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at]!;
    if (byte === OPEN) handler.open();
    else if (byte === CLOSE) {
      if (!handler.close()) return;
    } else if (byte === BACKSLASH) {
      at = control(bytes, at + 1, handler);
      continue;
      // Line ends and zeros are not text.
    } else if (byte !== 0x0a && byte !== 0x0d && byte !== 0) handler.byte(byte);
    at++;
  }
}

/** Reads a control word or symbol after a backslash. Returns the offset behind it. */
function control(bytes: Uint8Array, at: number, handler: Handler): number {
  const first = bytes[at];
  if (first === undefined) return at;
  if (first === 0x27) {
    const value = parseInt(String.fromCharCode(bytes[at + 1] ?? 0, bytes[at + 2] ?? 0), 16);
    if (!Number.isNaN(value)) handler.byte(value);
    return at + 3;
  }
  if (!isLetter(first)) {
    // An escaped line end ends a paragraph.
    if (first === 0x0a || first === 0x0d) handler.word("par", undefined);
    else handler.symbol(String.fromCharCode(first));
    return at + 1;
  }
  let end = at;
  while (end < bytes.length && isLetter(bytes[end]!) && end - at < LONGEST) end++;
  const name = String.fromCharCode(...bytes.subarray(at, end));
  let digits = end;
  if (bytes[digits] === MINUS) digits++;
  const from = digits;
  while (digits < bytes.length && isDigit(bytes[digits]!) && digits - from < 12) digits++;
  const value = digits > from ? Number(String.fromCharCode(...bytes.subarray(end, digits))) : undefined;
  const next = digits > from ? digits : end;
  const after = bytes[next] === 0x20 ? next + 1 : next;
  // Pictures may contain raw bytes.
  if (name === "bin") return after + Math.max(0, value ?? 0);
  handler.word(name, value);
  return after;
}

function isLetter(byte: number): boolean {
  return (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a);
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}
