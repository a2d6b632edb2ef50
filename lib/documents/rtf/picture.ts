/** The bytes of a picture in RTF: hexadecimal digits or raw bytes, between control words and groups about it. */

const [OPEN, CLOSE, BACKSLASH, BLANK] = [0x7b, 0x7d, 0x5c, 0x20];
/** Matches a control word at the place where it is looked for. */
const WORD = /\\([a-zA-Z]{1,40})(-?\d{1,10})?|\\./ys;
/** Bytes that are decoded to look for a control word. */
const LONGEST_WORD = 60;

/** Returns the bytes of the picture in a group that begins with `\\pict`; `undefined` if it has none. Takes linear time. */
export function pictureIn(group: Uint8Array): Uint8Array | undefined {
  const latin1 = new TextDecoder("latin1");
  const bytes = new Uint8Array(group.length);
  let [length, depth, high] = [0, 0, -1];
  for (let at = 0; at < group.length;) {
    const byte = group[at]!;
    if (byte === OPEN) depth++;
    else if (byte === CLOSE) depth--;
    else if (byte === BACKSLASH) {
      WORD.lastIndex = 0;
      const [word, name, value] = WORD.exec(latin1.decode(group.subarray(at, at + LONGEST_WORD))) ?? ["\\"];
      at += word.length;
      if (name !== undefined && group[at] === BLANK) at++;
      if (name !== "bin") continue;
      const end = at + Math.max(0, Number(value ?? 0));
      if (depth === 0) return group.subarray(at, end);
      at = end;
      continue;
    } else if (depth === 0) {
      const digit = digitOf(byte);
      if (digit >= 0 && high >= 0) {
        bytes[length++] = high * 16 + digit;
        high = -1;
      } else if (digit >= 0) high = digit;
    }
    at++;
  }
  return length === 0 ? undefined : bytes.slice(0, length);
}

function digitOf(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
