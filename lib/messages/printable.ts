/** C0 but tab and line feed, DEL and C1: they move a terminal's cursor, set its title, colour what follows. */
const CONTROLS = "\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f";

/**
 * Invisible characters that reorder, break or hide what is shown: marks of the writing direction, line and paragraph
 * separators, deprecated format characters, the byte order mark, interlinear annotations, tag characters, and variation
 * selectors beyond the first, which hold no meaning and can carry a hidden text. Joiners, soft hyphens and zero-width spaces
 * are part of many scripts' words and stay.
 */
const FORGING =
  "\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u206f\\ufeff\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}";
const SELECTORS = "[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]";

const IN_TEXT = new RegExp(`[${CONTROLS}${FORGING}]|(?<=${SELECTORS})${SELECTORS}`, "gu");
const IN_NAME = new RegExp(`[\\t\\n${CONTROLS}${FORGING}]|(?<=${SELECTORS})${SELECTORS}`, "gu");

/**
 * A name (of a file, a section …) fit for one line of a text: characters that could move a terminal's cursor, set its title,
 * turn the direction of what follows or forge lines are made visible. C0 and DEL become their Unicode control pictures
 * (ESC `␛`), C1 becomes `�`, invisible format characters become `<U+202E>`. Letters of every script stay.
 */
export function printable(name: string): string {
  return name.replace(IN_NAME, visible);
}

/** A text of several lines fit for a terminal: as {@linkcode printable}, but tabs and line feeds stay. */
export function printableText(text: string): string {
  return text.replace(IN_TEXT, visible);
}

/** JSON without characters that a terminal acts on: they are written as `\u202e`, which is the same value. */
export function printableJson(json: string): string {
  // line feeds are between the values, never in them
  return json.replace(IN_TEXT, (character) => {
    const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
    return units.map((unit) => `\\u${hex(unit, 4)}`).join("");
  });
}

/** The same of TOML whose strings are in double quotes. */
export function printableToml(toml: string): string {
  return toml.replace(IN_TEXT, (character) => `\\U${hex(character.codePointAt(0)!, 8)}`);
}

function visible(character: string): string {
  const code = character.codePointAt(0)!;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  return code < 0xa0 ? "\ufffd" : `<U+${hex(code, 4).toUpperCase()}>`;
}

function hex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, "0");
}
