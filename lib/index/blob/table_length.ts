import { BLOCK_BYTES, BLOCK_HASH_BYTES, GROUP_BLOCKS } from "./format.ts";

/** Bytes of the block table of so many bytes of blocks. */
export function tableLength(bytes: number): number {
  const blocks = Math.ceil(bytes / BLOCK_BYTES);
  return (blocks + Math.ceil(blocks / GROUP_BLOCKS)) * BLOCK_HASH_BYTES;
}
