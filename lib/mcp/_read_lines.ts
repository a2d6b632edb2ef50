/** Stands for a line that was longer than allowed and was dropped. */
export const LINE_TOO_LONG = Symbol("line too long");

const NEWLINE = 10;

/**
 * Splits a byte stream at newlines. Yields each complete line without its newline, and {@linkcode LINE_TOO_LONG} once for a
 * line of more than `maxBytes`; the rest of that line is read and dropped. Bytes after the last newline are an incomplete
 * message and are dropped. The time is linear in the number of bytes, because the chunks of a line are joined once, at its
 * end.
 */
export async function* readLines(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array | typeof LINE_TOO_LONG, void, void> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  let skipping = false;
  while (true) {
    const { done, value } = await reader.read();
    if (done) return;
    let start = 0;
    while (start < value.length) {
      const newline = value.indexOf(NEWLINE, start);
      const end = newline < 0 ? value.length : newline;
      if (!skipping) {
        length += end - start;
        if (length > maxBytes) {
          skipping = true;
          pieces = [];
          yield LINE_TOO_LONG;
        } else if (end > start) {
          pieces.push(value.subarray(start, end));
        }
      }
      if (newline < 0) break;
      if (!skipping) yield join(pieces, length);
      pieces = [];
      length = 0;
      skipping = false;
      start = newline + 1;
    }
  }
}

function join(pieces: readonly Uint8Array[], length: number): Uint8Array {
  if (pieces.length === 1) return pieces[0]!;
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}
