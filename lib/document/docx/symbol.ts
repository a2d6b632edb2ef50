/** Check boxes, bullets and signs of the font Wingdings and the like. */
const SYMBOLS: Readonly<Record<string, string>> = {
  F0FE: "☒",
  F0FD: "☒",
  F0FC: "✓",
  F0A8: "☐",
  F06F: "☐",
  F0E0: "→",
  F0B7: "•",
  F0A7: "▪",
  F0B0: "°",
  F0B1: "±",
  F0B4: "×",
};

/** Returns the character of `<w:sym>` by its hexadecimal code; empty for one that only its font knows. */
export function symbol(code = ""): string {
  const known = SYMBOLS[code.toUpperCase()];
  if (known !== undefined) return known;
  const value = parseInt(code, 16);
  const isPrivate = value >= 0xe000 && value <= 0xf8ff;
  return value > 0x20 && value < 0xd800 || value > 0xf8ff && value <= 0xffff && !isPrivate
    ? String.fromCharCode(value)
    : "";
}
