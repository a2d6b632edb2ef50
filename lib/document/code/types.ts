/** A definition in source code: a function, a class … */
export interface Definition {
  /** UTF-16 offsets of the definition and its body. The end is exclusive. */
  readonly start: number;
  readonly end: number;
  /** Offset of the name, within its line. */
  readonly nameAt: number;
  /** The language's own word for it: `function`, `class`, `trait` … */
  readonly kind: string;
  /** At most one line. */
  readonly name: string;
}
