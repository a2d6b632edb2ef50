/**
 * Names of the program's files, and limits, that houses share although none of them may import the other.
 */

/** Name of the folder that holds a directory's index. */
export const DATA_FOLDER = ".muxue_rag";

/** Names of the configuration file, in the order in which they are looked for. */
export const CONFIG_FILES: readonly string[] = ["config.yaml", "config.yml", "config.json"];

/** Name of the file with the key for secrets, in the user's configuration folder. */
export const SECRET_KEY_FILE = "secret.key";

/** Name of the folder with the data for text recognition, in the folder of installed models. */
export const OCR_FOLDER = "ocr";

/** Most numbers in a vector: no embedding model gives more. */
export const MAX_DIMENSIONS = 16_384;

/** Items of `search.legs`: the evidence of a hybrid ranking beside the keywords. */
export const LEGS = [
  "translation",
  "vector",
  "maxsim",
  "sentence",
  "neural",
] as const;

/** Items that `search.legs` had; `config init` wrote them into files. */
export const REMOVED_LEGS: readonly unknown[] = ["soft", "exact", "window", "feedback"];

/** UTF-16 code units of a query that are used. No question needs more, and every term costs a look-up. */
export const MAX_QUERY_CHARS = 4000;
