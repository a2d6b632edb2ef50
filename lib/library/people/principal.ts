/** The people and programs that a server knows, and the collections that each may read or write. */
import { collectionOf, type Config } from "#foundation/configuration/mod.ts";
import { isInside } from "#foundation/boundary/mod.ts";
import type { AccessLimit } from "#library/search/types.ts";

/** The right of a principal to a collection: to search and read it, or also to bring its index up to date. */
export const RIGHTS = ["read", "write"] as const;

/** A right to one collection. */
export interface Grant {
  /** Name of a collection in the configuration, or the real path of a folder. */
  readonly collection: string;
  readonly right: typeof RIGHTS[number];
}

/** A person or program that asks a server. It may know of its collections only. */
export interface Principal {
  readonly name: string;
  readonly grants: readonly Grant[];
  /** The documents of these collections that it may know of. Absent: all. */
  readonly access?: AccessLimit | undefined;
}

/** The folders of a principal among those that are served. */
interface GrantedFolders {
  /** In the order in which they are served. */
  readonly roots: readonly string[];
  /** Those that it may bring up to date. The result of an update tells of all files in a folder, so folders around a hidden one are left out. */
  readonly writable: readonly string[];
  /** Folders of which it may know nothing, also where they lie inside one of its own. */
  readonly others: readonly string[];
}

/**
 * Returns the folders that a principal may know of. A grant names a collection of the configuration or a path, never a name that was made
 * of a path: that changes with the other folders that are served.
 */
export function grantedFolders(
  { grants }: Pick<Principal, "grants">,
  roots: readonly string[],
  config: Pick<Config, "collections">,
): GrantedFolders {
  const rightTo = (root: string) => {
    const name = collectionOf(config, root)?.name;
    const rights = grants.filter(({ collection }) => collection === root || collection === name);
    return rights.map(({ right }) => right);
  };
  // A collection that is not served has its files in the index of a folder around it as well.
  const known = new Set([...roots, ...Object.values(config.collections).map(({ path }) => path)]);
  const others = [...known].filter((root) => rightTo(root).length === 0);
  const isWhole = (root: string) => !others.some((other) => isInside(other, root));
  return {
    roots: roots.filter((root) => rightTo(root).length > 0),
    writable: roots.filter((root) => rightTo(root).includes("write") && isWhole(root)),
    others,
  };
}

/** Reads `NAME`, `NAME:read` or `NAME:write`. A path of Windows has a colon as well. */
export function grantOf(text: string): Grant {
  const [, collection = text, right = "read"] = /^(.+):(read|write)$/s.exec(text) ?? [];
  return { collection: collection.trim(), right: right as Grant["right"] };
}
