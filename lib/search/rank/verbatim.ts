/** A candidate that has this share of the question's idf by its own words holds the question's rare words. */
export const VERBATIM = 0.75;

/** A candidate that has less than this share holds only translations of the question's words, or words like them. */
export const NOT_VERBATIM = VERBATIM / 2;
