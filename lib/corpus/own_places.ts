import { comparable, HOST_STYLE, isInside, pathModule, toPortable } from "../sandbox/mod.ts";

const { relative } = pathModule(HOST_STYLE);

/**
 * What of the program's own lies in a folder: its logs change with every run, and its configuration may hold keys. A place
 * that is the folder itself, or has it inside, leaves nothing out: the user named that folder for its documents.
 */
export class OwnPlaces {
  /** Relative to the folder, in a form in which equal places are equal. */
  readonly #below: ReadonlySet<string>;

  /** `root` and `places`: real paths. */
  constructor(root: string, places: readonly string[] = []) {
    const inside = places.filter((place) => isInside(place, root) && !isInside(root, place));
    this.#below = new Set(inside.map((place) => formOf(toPortable(relative(root, place)))));
  }

  /** Whether one of the places is at `path`, relative to the folder, `/` between its parts. What is below one is not asked for. */
  has(path: string): boolean {
    return this.#below.size > 0 && this.#below.has(formOf(path));
  }
}

/** Windows does not tell `Logs` from `logs`. */
function formOf(path: string): string {
  return toPortable(comparable(path));
}
