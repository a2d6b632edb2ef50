/**
 * Limits that folders share although none of them may import the other.
 * @module
 */

/** Most numbers in a vector: no embedding model gives more. */
export const MAX_DIMENSIONS = 16_384;
