/**
 * Limits of access: which documents the clients of a server may know of. They take effect where an index is opened
 * (`served_folders.ts`) and where a file is read (`served_files.ts`), and nowhere else.
 */
import { type MetadataCondition, metadataMask } from "#engine/query/mod.ts";
import { archivePrefixes } from "#library/corpus/mod.ts";
import type { FileMask } from "#library/store/mod.ts";

/** The documents that clients may know of, by what the documents say about themselves. */
export interface AccessLimit {
  /** Values of `access_level`, one of which a document must have. Absent: any. */
  readonly levels?: readonly string[] | undefined;
  /** Tags of which a document must have one, must have all, and must have none. */
  readonly tags?: {
    readonly any?: readonly string[] | undefined;
    readonly all?: readonly string[] | undefined;
    readonly none?: readonly string[] | undefined;
  } | undefined;
  /** Whether a document without a level, or without tags of which it needs one, may be known. Default: no (`exclude`). */
  readonly missing?: "include" | "exclude" | undefined;
}

/**
 * Returns the mask of the documents that were read and that all limits allow, none of them in an archive; `undefined` without limits.
 * `elsewhere`: paths in the folder, `/` between their parts, below which everything belongs to a collection that clients may not know of.
 */
export function accessMask(
  limits: readonly AccessLimit[],
  elsewhere: readonly string[] = [],
): FileMask | undefined {
  if (elsewhere.length > 0) {
    const limited = accessMask(limits);
    const isElsewhere = (path: string) => elsewhere.some((other) => path.startsWith(`${other}/`));
    return (files, tables) => {
      const mask = limited?.(files, tables) ?? new Uint8Array(files.length).fill(1);
      files.forEach(({ path }, file) => {
        if (isElsewhere(path)) mask[file] = 0;
      });
      return mask;
    };
  }
  if (limits.length === 0) return undefined;
  const conditions = limits.flatMap(conditionsOf);
  return (files, tables) => {
    const mask = metadataMask(tables, conditions);
    // The metadata of an unread document is not known. An archive may hold documents of any level.
    files.forEach(({ path, archive, status }, file) => {
      const isRead = status === "indexed";
      if (!isRead || archive !== undefined || archivePrefixes(path).length > 0) mask[file] = 0;
    });
    return mask;
  };
}

function conditionsOf({ levels, tags = {}, missing = "exclude" }: AccessLimit): MetadataCondition[] {
  const { any, all = [], none = [] } = tags;
  const needed = { ...(any !== undefined && { any }), ...(all.length > 0 && { all }) };
  return [
    ...(levels === undefined ? [] : [{ key: "access_level" as const, any: levels, missing }]),
    ...(Object.keys(needed).length === 0 ? [] : [{ key: "tags" as const, ...needed, missing }]),
    ...(none.length === 0 ? [] : [{ key: "tags" as const, none }]),
  ];
}
