/** The least of numbers, of which there may be more than a call can take; infinite where there is none. */
export function least(values: Iterable<number>): number {
  let found = Infinity;
  for (const value of values) if (value < found) found = value;
  return found;
}
