/** Which legs of the search answer. Where there are no vectors, `hybrid` answers by keywords. */
export type SearchMode = "hybrid" | "keyword" | "semantic";
