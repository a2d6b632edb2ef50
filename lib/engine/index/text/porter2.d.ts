/** Types of the package `wink-porter2-stemmer`, which ships without types. */
declare const stem: (lowerCaseWord: string) => string;
export default stem;
