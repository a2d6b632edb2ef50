import { basename, dirname } from "node:path";
import { UserError } from "../errors.ts";
import { collectionOf, type Config } from "../config/mod.ts";

/** A served folder under the name that clients call it by. */
export interface ServedCollection {
  readonly name: string;
  /** Real path of the folder. */
  readonly root: string;
  /** The description in the configuration. */
  readonly description?: string;
}

/**
 * The name of each folder: that of its collection in the configuration, or else the last part of its path. Where that name is
 * taken, it has as many parts of the path as make it a name of its own.
 */
export function servedCollections(
  roots: readonly string[],
  config: Pick<Config, "collections">,
): ServedCollection[] {
  const taken = new Set(roots.map((root) => collectionOf(config, root)?.name));
  const count = (name: string, take: (root: string) => string) =>
    roots.filter((root) => take(root) === name).length;
  return roots.map((root) => {
    const named = collectionOf(config, root);
    if (named !== undefined) return { root, ...named };
    for (let parts = 1; parts <= 3; parts++) {
      const take = (root: string) => lastParts(root, parts);
      const name = take(root);
      if (name !== "" && !taken.has(name) && count(name, take) === 1) return { root, name };
    }
    return { root, name: root };
  });
}

/** The last `parts` parts of a path with `/` between them; empty for the root of a drive. */
function lastParts(path: string, parts: number): string {
  const name = basename(path);
  const parent = dirname(path);
  if (parts === 1 || parent === path) return name;
  return [lastParts(parent, parts - 1), name].filter((part) => part !== "").join("/");
}

/**
 * The names and paths in a list of collections, one to a line or separated by commas (a name of `known` may have commas).
 * `all` for a blank list, and for one with `all` or `*`.
 */
export function askedCollections(
  list: string | undefined,
  known: readonly ServedCollection[],
): readonly string[] | "all" {
  const asked = (list ?? "").split("\n").flatMap((line) =>
    rootNamed(line, known) === undefined ? line.split(/[,，、]/) : [line]
  ).map((name) => name.trim()).filter((name) => name !== "");
  const isAll = (name: string) => /^(?:all|\*)$/i.test(name) && rootNamed(name, known) === undefined;
  return asked.length === 0 || asked.some(isAll) ? "all" : asked;
}

/** The folder of a name: as it is written, or in other upper and lower case if only one has it. */
export function rootNamed(name: string, known: readonly ServedCollection[]): string | undefined {
  const plain = name.trim().normalize("NFC");
  const exact = known.find((one) => one.name.normalize("NFC") === plain);
  if (exact !== undefined) return exact.root;
  const similar = known.filter((one) => one.name.normalize("NFC").toLowerCase() === plain.toLowerCase());
  return similar.length === 1 ? similar[0]!.root : undefined;
}

/** Names that an error lists. */
const MOST_NAMES = 30;

/** The error `collection_unknown`. */
export function unknownCollection(
  name: string,
  known: readonly ServedCollection[],
  cause?: unknown,
): UserError {
  const names = known.map(({ name }) => name);
  const more = names.length > MOST_NAMES ? ", …" : "";
  return new UserError(
    "collection_unknown",
    { name, known: names.slice(0, MOST_NAMES).join(", ") + more },
    { cause },
  );
}
