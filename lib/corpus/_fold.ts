/**
 * The form in which names and patterns are compared: composed (`é` as one character however it was typed) and, with
 * `ignoreCase`, without upper and lower case.
 */
export function fold(text: string, ignoreCase: boolean): string {
  if (isAscii(text)) return ignoreCase ? text.toLowerCase() : text;
  const composed = text.normalize("NFC");
  // character by character: what `Σ` becomes in a whole word depends on what follows it, which a pattern does not show
  return ignoreCase ? Array.from(composed, foldCharacter).join("") : composed;
}

/** By way of the upper case, which `σ` and `ς` share. */
function foldCharacter(character: string): string {
  return character.toUpperCase().toLowerCase();
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}
