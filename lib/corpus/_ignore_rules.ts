import type { Patterns } from "./patterns.ts";

/** The rules of the ignore files that apply to a folder: its own, and those of its parents. */
export class IgnoreRules {
  /** The parents' rules first. */
  readonly #layers: readonly Patterns[];

  private constructor(layers: readonly Patterns[]) {
    this.#layers = layers;
  }

  /** No rules. */
  static none(): IgnoreRules {
    return new IgnoreRules([]);
  }

  /** Adds the rules of the folder's own ignore files, which take precedence. */
  with(own: Patterns): IgnoreRules {
    return own.isEmpty ? this : new IgnoreRules([...this.#layers, own]);
  }

  /** The rules for the entries of a subfolder. */
  below(folder: string): IgnoreRules {
    const layers = this.#layers.map((layer) => layer.below(folder)).filter(({ isEmpty }) => !isEmpty);
    return new IgnoreRules(layers);
  }

  /** Whether an entry of the folder is excluded. */
  matches(name: string, isFolder: boolean): boolean {
    for (let at = this.#layers.length - 1; at >= 0; at--) {
      const verdict = this.#layers[at]!.verdict(name, isFolder);
      if (verdict !== undefined) return verdict;
    }
    return false;
  }
}
