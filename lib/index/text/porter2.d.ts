/** Types of the package `wink-porter2-stemmer`, which ships none. */
declare const stem: (lowerCaseWord: string) => string;
export default stem;
