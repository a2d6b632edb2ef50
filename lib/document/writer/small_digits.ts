const RAISED = new Map([..."0123456789+-=()n"].map((char, i) => [char, [..."⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ"][i]!]));
const LOWERED = new Map([..."0123456789+-=()"].map((char, i) => [char, [..."₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎"][i]!]));

/**
 * Returns raised or lowered text in Unicode's small digits, so that 10⁶ does not become 106 and H₂O is still found as H2O.
 * Text with other characters, such as the `st` of 1st, stays as it is. `script`: `superscript` or `subscript`.
 */
export function scripted(text: string, script: string | undefined): string {
  const table = script === "superscript" ? RAISED : script === "subscript" ? LOWERED : undefined;
  if (table === undefined || text.length > 20) return text;
  const chars = [...text];
  return chars.every((char) => table.has(char)) ? chars.map((char) => table.get(char)!).join("") : text;
}
