/**
 * C0 except tab and line feed, DEL and C1. A terminal reacts to them: they move the cursor, set the title, change colours.
 */
const CONTROLS = "\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f";

/**
 * Invisible characters that reorder, break or hide text: marks of the writing direction, line and paragraph separators,
 * deprecated format characters, the byte order mark, interlinear annotations, tag characters, and every variation selector
 * after another one, which has no meaning and can carry hidden text. Joiners, soft hyphens and zero-width spaces are
 * allowed, because words of many scripts contain them.
 */
const FORGING =
  "\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u206f\\ufeff\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}";
const SELECTORS = "[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]";

const IN_TEXT = new RegExp(`[${CONTROLS}${FORGING}]|(?<=${SELECTORS})${SELECTORS}`, "gu");
const IN_NAME = new RegExp(`[\\t\\n${CONTROLS}${FORGING}]|(?<=${SELECTORS})${SELECTORS}`, "gu");

/**
 * Makes a name (of a file, a section and so on) safe within one line of text. Characters that could move a terminal's
 * cursor, set its title, reverse the writing direction or fake new lines become visible ones: C0 and DEL become their
 * Unicode control pictures (ESC `␛`), C1 becomes `�`, and invisible format characters become `<U+202E>`. Letters of all
 * scripts are unchanged.
 */
export function printable(name: string): string {
  return name.replace(IN_NAME, visible);
}

/** Makes a text of several lines safe for a terminal, like {@linkcode printable}, but keeps tabs and line feeds. */
export function printableText(text: string): string {
  return text.replace(IN_TEXT, visible);
}

/** Makes JSON safe for a terminal: writes characters that a terminal reacts to as `\u202e`, which is the same value. */
export function printableJson(json: string): string {
  // JSON has line feeds only between values, never inside them.
  return json.replace(IN_TEXT, (character) => {
    const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
    return units.map((unit) => `\\u${hex(unit, 4)}`).join("");
  });
}

/** Makes TOML safe for a terminal, like {@linkcode printableJson}. Its strings must be in double quotes. */
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
