/** Returns Chinese text in a form that other engines can search: overlapping pairs of characters, separated by spaces. */
export function bigrams(text: string): string {
  return text.replace(/\p{Script=Han}+/gu, (run) => {
    const pairs: string[] = [];
    for (let i = 0; i + 1 < run.length; i++) pairs.push(run.slice(i, i + 2));
    return ` ${pairs.length === 0 ? run : pairs.join(" ")} `;
  });
}
