/** The names that `--compare` gives, in its order, without blanks. */
export function comparedNames(list: string): string[] {
  return list.split(",").map((part) => part.trim()).filter((part) => part !== "");
}

/** The configuration files among the names of `--compare`, each once. */
export function configurationFilesIn(list: string): string[] {
  return [...new Set(comparedNames(list).filter((name) => /\.(?:ya?ml|json)$/i.test(name)))];
}
