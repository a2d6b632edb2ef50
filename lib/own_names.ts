/**
 * Names of the program's files that folders share although none of them may import the other.
 * @module
 */

/** Name of the folder that holds a directory's index. */
export const DATA_FOLDER = ".muxue_rag";
