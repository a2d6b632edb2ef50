import type { Patterns } from "./patterns.ts";

/** The rules of the ignore files that hold in a folder: its own, and those of the folders it is in. */
export class IgnoreRules {
  /** The folder's own last. */
  readonly #layers: readonly Patterns[];

  private constructor(layers: readonly Patterns[]) {
    this.#layers = layers;
  }

  /** No rules. */
  static none(): IgnoreRules {
    return new IgnoreRules([]);
  }

  /** These, and those of the folder's own ignore files, which overrule them. */
  with(own: Patterns): IgnoreRules {
    return own.isEmpty ? this : new IgnoreRules([...this.#layers, own]);
  }

  /** The rules for the content of a folder in this one. */
  below(folder: string): IgnoreRules {
    const layers = this.#layers.map((layer) => layer.below(folder)).filter(({ isEmpty }) => !isEmpty);
    return new IgnoreRules(layers);
  }

  /** Whether an entry of the folder is left out; nothing is asked about the folder itself. */
  matches(name: string, isFolder: boolean): boolean {
    for (let at = this.#layers.length - 1; at >= 0; at--) {
      const verdict = this.#layers[at]!.verdict(name, isFolder);
      if (verdict !== undefined) return verdict;
    }
    return false;
  }
}
