/** A generator of pseudo-random numbers, the same for the same seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns a whole number from 0 to `end` (exclusive). */
  below(end: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor(((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000 * end);
  }

  /** Returns the numbers from 0 to `end` (exclusive) in random order. */
  order(end: number): number[] {
    const numbers = Array.from({ length: end }, (_, i) => i);
    for (let i = end - 1; i > 0; i--) {
      const other = this.below(i + 1);
      [numbers[i], numbers[other]] = [numbers[other]!, numbers[i]!];
    }
    return numbers;
  }

  /** Returns one of the values. */
  of<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }
}

/** Returns a Markdown table, in which columns of numbers are flush right. */
export function markdownTable(head: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const marks = head.map((_, i) => typeof rows[0]?.[i] === "number" ? "--:" : "---");
  return [head, marks, ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}
