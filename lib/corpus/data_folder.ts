/** Name of the folder that holds a directory's database. A walk passes it over. */
export const DATA_FOLDER = ".muxue_rag";
