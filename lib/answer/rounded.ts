/** Returns a number with three decimal places, as explanations show it. */
export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
