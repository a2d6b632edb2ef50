/** Returns the letters of a column: 0 is `A`, 27 is `AB`. */
export function columnLetters(column: number): string {
  const first = Math.floor(column / 26);
  return (first > 0 ? columnLetters(first - 1) : "") + String.fromCharCode(65 + column % 26);
}
