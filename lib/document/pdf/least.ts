/**
 * Returns the least of numbers, or infinity if there are none. `Math.min` takes fewer arguments than a page may have values.
 */
export function least(values: Iterable<number>): number {
  let found = Infinity;
  for (const value of values) if (value < found) found = value;
  return found;
}
