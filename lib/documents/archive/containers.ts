/** The containers that hold several files, how they are recognised, and the entries that each yields. */
import { beginsWith } from "../bytes.ts";
import type { RawEntry, UnpackBudget } from "./budget.ts";
import { sevenZipEntries } from "./seven_zip.ts";
import { type StreamKind, unpack } from "./streams.ts";
import { isTar, tarEntries } from "./tar.ts";
import { zipNames } from "../zip_directory.ts";
import { zipEntries } from "./zip_entries.ts";

export type ArchiveKind = "zip" | "7z" | "tar" | StreamKind;

/** The kind of an archive by its first bytes. */
export function archiveKind(bytes: Uint8Array): ArchiveKind | undefined {
  const starts = (signature: string) => beginsWith(bytes, signature);
  if (starts("PK\x03\x04") || starts("PK\x05\x06")) return "zip";
  if (starts("7z\xbc\xaf'\x1c")) return "7z";
  if (starts("\x1f\x8b\x08")) return "gz";
  if (starts("BZh")) return "bz2";
  if (starts("\xfd7zXZ\0")) return "xz";
  // The first frame may be one to pass over, whose mark ends with any four bits.
  const isPassedOver = bytes[0]! >> 4 === 5 && bytes[1] === 0x2a && bytes[2] === 0x4d && bytes[3] === 0x18;
  if (starts("\x28\xb5\x2f\xfd") || isPassedOver) return "zst";
  if (isTar(bytes)) return "tar";
  // A program that unpacks itself, or a part that other archives precede.
  return zipNames(bytes, 1).length > 0 ? "zip" : undefined;
}

/**
 * Yields the entries of an archive. `name`: that of the archive, after which the content of a compressed file is named. Throws {@linkcode
 * DocumentError} where it is broken, after the entries before that place.
 */
export function* rawEntries(
  kind: ArchiveKind,
  bytes: Uint8Array,
  name: string,
  budget: UnpackBudget,
): Generator<RawEntry> {
  if (kind === "zip") yield* zipEntries(bytes, budget);
  else if (kind === "7z") yield* sevenZipEntries(bytes, new TextEncoder().encode(innerName(name)), budget);
  else if (kind === "tar") yield* tarEntries(bytes, budget);
  else {
    const { bytes: content, problem, name: own } = unpack(kind, bytes, budget);
    if (isTar(content)) yield* tarEntries(content, budget);
    else {
      budget.countEntry();
      const named = own ?? new TextEncoder().encode(innerName(name));
      yield {
        name: named,
        ...(own === undefined ? { encoding: "utf-8" } : {}),
        size: content.length,
        read: () => content,
      };
    }
    if (problem !== undefined) throw problem;
  }
}

/** The name without the extension of the compression. */
function innerName(name: string): string {
  const inner = name.replace(/\.(?:gz|bz2|xz|zst|7z)$/i, "");
  return inner === name ? name.replace(/\.t(?:gz|bz2?|xz|zst)$/i, ".tar") : inner;
}
