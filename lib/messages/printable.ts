/**
 * A name (of a file, a section …) fit for one line of a text: control characters, which could move a terminal's cursor, set
 * its title or forge lines, are made visible. C0 and DEL become their Unicode control pictures (ESC `␛`), C1 becomes `�`.
 */
export function printable(name: string): string {
  // deno-lint-ignore no-control-regex -- they are what is looked for
  return name.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, picture);
}

/** A text of several lines fit for a terminal: as {@linkcode printable}, but tabs and line feeds stay. */
export function printableText(text: string): string {
  // deno-lint-ignore no-control-regex -- they are what is looked for
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, picture);
}

function picture(control: string): string {
  const code = control.charCodeAt(0);
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? "\u2421" : "\ufffd";
}
