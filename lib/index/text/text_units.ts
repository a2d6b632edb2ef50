/** Units that the array has room for at first. */
const FIRST_ROOM = 1 << 12;

/**
 * The UTF-16 units of a text as an array. A text is often a part of a large string, whose single units take V8 three to four
 * times as long to read as those of an array, and each unit is read several times.
 */
export class TextUnits {
  units = new Uint16Array(FIRST_ROOM);
  #bytes = new Uint8Array(FIRST_ROOM);
  readonly #encoder = new TextEncoder();

  /** Loads a text into {@linkcode units}, followed by a 0. Returns whether the text is ASCII. */
  load(text: string): boolean {
    const length = text.length;
    if (length >= this.units.length) {
      this.units = new Uint16Array(length * 2);
      this.#bytes = new Uint8Array(length * 2);
    }
    const units = this.units, bytes = this.#bytes;
    units[length] = 0;
    // One look tells most Chinese texts, which are not worth the try.
    if (text.charCodeAt(length >> 1) < 0x80) {
      const { read, written } = this.#encoder.encodeInto(text, bytes);
      if (read === length && written === length) {
        for (let i = 0; i < length; i++) units[i] = bytes[i]!;
        return true;
      }
    }
    for (let i = 0; i < length; i++) units[i] = text.charCodeAt(i);
    return false;
  }
}
