import { HOST_STYLE, lookAtSync, pathModule } from "#foundation/boundary/mod.ts";

/** The runtime replaces bytes that are not UTF-8 by this character, and does not give the bytes. */
const REPLACEMENT = "\ufffd";

const { join } = pathModule(HOST_STYLE);

/**
 * Finds the names in a folder that are not UTF-8. By the name that the runtime gives, the system finds nothing, or another
 * file whose name really contains U+FFFD.
 */
export class StrangeNames {
  readonly #folder: string;
  /** The names in the folder, and the display names given so far. */
  readonly #taken: Set<string>;
  /** Names that really contain U+FFFD. */
  readonly #found = new Set<string>();
  readonly #told = new Set<string>();
  /** The last number given for each listed name. */
  readonly #numbers = new Map<string, number>();

  /** `folder`: real path. */
  constructor(folder: string, entries: readonly Deno.DirEntry[]) {
    this.#folder = folder;
    this.#taken = new Set(entries.map(({ name }) => name));
  }

  /**
   * The display name of an entry that cannot be found by its listed name; `undefined` for any other entry. Entries that are
   * listed with the same name get numbers: `caf\ufffd.txt`, `caf\ufffd.txt (2)`.
   */
  nameOf(entry: Deno.DirEntry): string | undefined {
    if (!entry.name.includes(REPLACEMENT)) return undefined;
    if (!this.#found.has(entry.name) && this.#isFound(entry)) {
      this.#found.add(entry.name);
      return undefined;
    }
    let name = entry.name;
    const isFree = !this.#told.has(name) && !this.#found.has(name);
    let number = this.#numbers.get(entry.name) ?? 1;
    while (!isFree && this.#taken.has(name)) name = `${entry.name} (${++number})`;
    this.#numbers.set(entry.name, number);
    this.#taken.add(name);
    this.#told.add(name);
    return name;
  }

  #isFound({ name, isFile, isDirectory }: Deno.DirEntry): boolean {
    try {
      const info = lookAtSync(join(this.#folder, name));
      return info?.isFile === isFile && info.isDirectory === isDirectory;
    } catch {
      return false;
    }
  }
}
