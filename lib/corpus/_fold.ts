/** The form in which names and patterns are compared: NFC (`é` as one code point) and, with `ignoreCase`, case-folded. */
export function fold(text: string, ignoreCase: boolean): string {
  if (isAscii(text)) return ignoreCase ? text.toLowerCase() : text;
  const composed = text.normalize("NFC");
  // One character at a time: the lower case of `Σ` depends on the next letter, which a pattern may not have.
  return ignoreCase ? Array.from(composed, foldCharacter).join("") : composed;
}

/** Folds through the upper case, which `σ` and `ς` share. */
function foldCharacter(character: string): string {
  return character.toUpperCase().toLowerCase();
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}
