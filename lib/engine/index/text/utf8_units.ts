/**
 * Converts UTF-8 to UTF-16 units in NFKC, in two loops that run for every byte that is indexed. The normal forms of single units are
 * below.
 *
 * A string would take longer: each unit is read several times, which is slower from a string than from an array, and `normalize` copies
 * the text.
 */

/** Units that the array has room for at first. */
const FIRST_ROOM = 1 << 12;

/** Loads texts one after the other. */
export class Utf8Units {
  /** The units of the text loaded last, followed by a 0. */
  units = new Uint16Array(FIRST_ROOM);
  /** Their number. */
  length = 0;
  #normalForms: Uint16Array | undefined;

  /** Loads a text in valid UTF-8 without normalizing it. Returns whether it is ASCII, and therefore in NFKC. */
  load(bytes: Uint8Array): boolean {
    const end = bytes.length;
    // A unit takes one byte at least.
    if (end >= this.units.length) this.units = new Uint16Array(end * 2);
    const units = this.units;
    let at = 0;
    for (; at < end; at++) {
      const byte = bytes[at]!;
      if (byte > 0x7f) break;
      units[at] = byte;
    }
    let to = at;
    while (at < end) {
      const byte = bytes[at]!;
      if (byte < 0x80) {
        units[to++] = byte;
        at++;
      } else if (byte >= 0xe0 && byte < 0xf0) {
        units[to++] = (byte & 0x0f) << 12 | (bytes[at + 1]! & 0x3f) << 6 | bytes[at + 2]! & 0x3f;
        at += 3;
      } else if (byte < 0xe0) {
        units[to++] = (byte & 0x1f) << 6 | bytes[at + 1]! & 0x3f;
        at += 2;
      } else {
        const point = (byte & 0x07) << 18 | (bytes[at + 1]! & 0x3f) << 12 | (bytes[at + 2]! & 0x3f) << 6 |
          bytes[at + 3]! & 0x3f;
        units[to++] = 0xd800 + (point - 0x10000 >>> 10);
        units[to++] = 0xdc00 + (point & 0x3ff);
        at += 4;
      }
    }
    units[to] = 0;
    this.length = to;
    return to === end;
  }

  /** Loads a string. */
  loadString(text: string): void {
    const { length } = text;
    if (length >= this.units.length) this.units = new Uint16Array(length * 2);
    const units = this.units;
    for (let at = 0; at < length; at++) units[at] = text.charCodeAt(at);
    units[length] = 0;
    this.length = length;
  }

  /**
   * Puts the loaded text into NFKC, one unit at a time. Returns `false` if that is not enough, because the normal form of a character has
   * several units or may join the character before. The text is then half-done and must be loaded again.
   */
  normalize(): boolean {
    const { units, length } = this;
    const forms = this.#normalForms ??= buildNormalForms();
    for (let at = 0; at < length; at++) {
      const unit = units[at]!;
      const form = forms[unit]!;
      if (form === unit) continue;
      if (form !== 0) units[at] = form;
      else if (isInertPair(unit, units[at + 1]!)) at++;
      else return false;
    }
    return true;
  }
}

/** Whether two units are an emoji or an ideograph of plane 2 that NFKC leaves as it is. */
function isInertPair(unit: number, next: number): boolean {
  const isPictograph = unit === 0xd83c && next >= 0xdf00 || unit === 0xd83d ||
    unit === 0xd83e && next < 0xdff0;
  return isPictograph || unit >= 0xd840 && unit <= 0xd87a;
}

/** Characters that may join the one before: marks, and the vowels and final consonants of Hangul. Halves of pairs are unknown here. */
const JOINS = /[\p{M}\u1100-\u11ff\ud800-\udfff]/u;

/** Returns the NFKC of each unit, or 0 if it has several units or depends on the neighbours. Takes some milliseconds. */
function buildNormalForms(): Uint16Array {
  const forms = Uint16Array.from({ length: 0x10000 }, (_, unit) => unit);
  for (let unit = 0x80; unit < 0x10000; unit++) {
    // The ranges with the most characters, Chinese and Korean, are known without a test.
    if (unit >= 0x3400 && unit <= 0x9fff || unit >= 0xac00 && unit <= 0xd7a3) continue;
    const character = String.fromCharCode(unit);
    const form = character.normalize("NFKC");
    forms[unit] = form.length > 1 || JOINS.test(character) || JOINS.test(form) ? 0 : form.charCodeAt(0);
  }
  return forms;
}
