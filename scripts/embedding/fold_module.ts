/**
 * Returns the source of a module with the characters that differ from their simplified form. `forms`: the simplified form
 * of every UTF-16 unit.
 */
export function foldModule(forms: Uint16Array): string {
  const changed = [...forms.keys()].filter((unit) => forms[unit] !== unit);
  const text = (units: number[]) => `"${String.fromCharCode(...units)}"`;
  return `// Made by scripts/build_embedding.ts from CC-CEDICT (CC BY-SA 4.0, see NOTICE).

/** Traditional and variant characters. */
export const TRADITIONAL =
  ${text(changed)};

/** The simplified form of each, in the same order. */
export const SIMPLIFIED =
  ${text(changed.map((unit) => forms[unit]!))};
`;
}
