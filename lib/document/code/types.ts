/** A definition in a source text: a function, a class … */
export interface Definition {
  /** UTF-16 offsets of all that belongs to it, its body included; the end is exclusive. */
  readonly start: number;
  readonly end: number;
  /** Offset in the line that holds its name. */
  readonly nameAt: number;
  /** Its kind, as the language calls it: `function`, `class`, `trait` … */
  readonly kind: string;
  /** At most a line. */
  readonly name: string;
}
