/**
 * Names of the program's files that several folders of `lib/` need.
 * @module
 */

/** Name of the folder that holds a directory's index. */
export const DATA_FOLDER = ".muxue_rag";
