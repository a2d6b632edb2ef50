import { ByteBuffer } from "../bytes.ts";
import { BLOCK_BYTES, BLOCK_HASH_BYTES, GROUP_BLOCKS } from "./format.ts";
import { hashOf } from "./header.ts";

/** Makes the block table of a blob while that is written. */
export class BlockTableBuilder {
  readonly #blocks = new ByteBuffer(1 << 14);
  readonly #groups = new ByteBuffer(1 << 10);

  /** Adds the next bytes: whole groups, except at the end. */
  add(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += BLOCK_BYTES) addHash(this.#blocks, bytes, at, BLOCK_BYTES);
    const group = GROUP_BLOCKS * BLOCK_BYTES;
    for (let at = 0; at < bytes.length; at += group) addHash(this.#groups, bytes, at, group);
  }

  /** The whole table. */
  finish(): Uint8Array<ArrayBuffer> {
    this.#blocks.append(this.#groups.view());
    return this.#blocks.view();
  }
}

/** Returns whether bytes match the table's hash of a block, or of the group that begins with it. */
export function isInTable(table: Uint8Array, bytes: Uint8Array, block: number, isGroup: boolean): boolean {
  const blocks = blocksOf(table);
  const place = (isGroup ? blocks + block / GROUP_BLOCKS : block) * BLOCK_HASH_BYTES;
  const hash = hashOf(bytes);
  for (let i = 0; i < BLOCK_HASH_BYTES; i++) if (hash[i] !== table[place + i]) return false;
  return true;
}

/** Returns the number of blocks that a table covers. */
function blocksOf(table: Uint8Array): number {
  return Math.floor(table.length / BLOCK_HASH_BYTES * GROUP_BLOCKS / (GROUP_BLOCKS + 1));
}

function addHash(to: ByteBuffer, bytes: Uint8Array, at: number, length: number): void {
  to.append(hashOf(bytes.subarray(at, at + length)).subarray(0, BLOCK_HASH_BYTES));
}
