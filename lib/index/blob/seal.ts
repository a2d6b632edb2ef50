/**
 * Decides which indexes are trusted.
 *
 * An index lies in the folder that it describes, and folders come from elsewhere: cloned, unpacked, synchronised. An index
 * that came with a folder could quote texts that are in no file, under the size, time and SHA-256 of the real ones.
 * Checksums would not show this, because anybody can compute them. So an index is trusted only if this installation wrote
 * it. A key of 32 random bytes, the file `index.key` in the user's state folder, is read by the launcher only and goes to
 * the locked worker with its request. With it the header of every index gets an HMAC-SHA-256. The header holds the hash of
 * the block table, which holds the hash of every block, so that one code covers all bytes. An index is
 *
 * - *ours and of this folder*: searched and updated.
 * - *ours, but written for another folder* (its `meta.root` is another real path): the folder was moved or renamed, or
 *   somebody copied an index of one folder into another to pass its texts off as that one's. It is not searched. The next
 *   run reads every file again and keeps the chunks of files with the same SHA-256. Sizes and times are not trusted. Vectors
 *   are, because they belong to texts and not to paths.
 * - *not ours*: another machine's or account's, forged, or the key is lost. Nothing of it is used, vectors included, since
 *   false vectors lead questions to the wrong texts. It is rebuilt before it is first searched, and the user is told. A
 *   backup of that kind is refused. To use one index on two machines copy `index.key` from one to the other.
 *
 * An old index of this folder, put back by somebody who can write there, is trusted. It quotes earlier texts of the files,
 * and the next run notices the files that differ in size or time. That person could as well put back the old files.
 *
 * The vectors of neural models (`neural-*.vec`, `server-*.vec`) get a code with the same key, block by block.
 * @module
 */
import { createHmac, timingSafeEqual } from "node:crypto";

/** The key that proves that this installation wrote an index: 32 random bytes. */
export type IndexKey = Uint8Array;

/** The purpose of an authentication code. A code for one purpose is not valid for another. */
export type SealKind = "index" | "vectors" | "vector records" | "recognised text";

/** Bytes of a whole code. */
export const SEAL_BYTES = 32;

/** Returns the HMAC-SHA-256 of bytes. */
export function sealOf(key: IndexKey, kind: SealKind, bytes: Uint8Array): Uint8Array {
  return createHmac("sha256", key).update(`muxue_rag ${kind}\0`).update(bytes).digest();
}

/** Returns whether `seal` is the code of the bytes. */
export function isSealOf(seal: Uint8Array, key: IndexKey, kind: SealKind, bytes: Uint8Array): boolean {
  return timingSafeEqual(seal, sealOf(key, kind, bytes));
}
