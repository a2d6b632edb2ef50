import { HOST_STYLE, lookAtSync, pathModule } from "../sandbox/mod.ts";

/** The character that the runtime puts in the place of bytes that are not UTF-8. The bytes themselves cannot be had from it. */
const REPLACEMENT = "\ufffd";

const { join } = pathModule(HOST_STYLE);

/**
 * Names in a folder that are not UTF-8. The system finds nothing by such a name as the runtime gives it, or another file whose
 * name really has a U+FFFD in it.
 */
export class StrangeNames {
  readonly #folder: string;
  /** The names in the folder, and those that strange ones have been told by. */
  readonly #taken: Set<string>;
  /** Names with a U+FFFD that an entry really has. */
  readonly #found = new Set<string>();
  readonly #told = new Set<string>();
  /** The last number given to names that are listed alike. */
  readonly #numbers = new Map<string, number>();

  /** `folder`: real path. */
  constructor(folder: string, entries: readonly Deno.DirEntry[]) {
    this.#folder = folder;
    this.#taken = new Set(entries.map(({ name }) => name));
  }

  /**
   * The name to tell of an entry by, if it cannot be found by the one it is listed with; else `undefined`. Entries that are
   * listed alike get a number: `caf\ufffd.txt`, `caf\ufffd.txt (2)`.
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
