// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Makes `lib/engine/index/text/false_friends.ts`: the English words that Snowball's stemmer gives the stem of another word although
 * they mean something else (`severance` and `several`), by the vectors of the built-in table.
 *
 *     deno run -A --config deno.dev.json scripts/build_false_friends.ts [--apart .15]
 *
 * The words of one stem are first joined into families: a word, its inflections and its regular derivations (`-er`, `-ly`,
 * `-ness`), whose vectors differ although the meaning does not. Then the two groups whose most frequent words are most alike
 * are joined, again and again, while their cosine is at least `--apart`. The group of the stem itself, or else the most frequent one, keeps the stem; each
 * other group gets a term of its own, its most frequent word.
 */
import { parseArgs } from "node:util";
import { stem } from "#engine/index/text/porter2.ts";
import { loadTable } from "#models/embedding/mod.ts";

const { values } = parseArgs({ options: { apart: { type: "string", default: "0.15" } } });
const APART = Number(values.apart);
/** Letters of the shortest word that is looked at, and of a stem: shorter ones are mostly abbreviations. */
const LEAST_LETTERS = 4, LEAST_STEM = 3;

/** Words with different meanings whose vectors do not tell, because they occur in the same texts or are rare. */
const KNOWN = `
  organ organization, organ organic, organic organization, organ organism, organism organization,
  past paste, animal animation, animate animals, experience experiment, custom customer,
  customs customer, customer customize, heroin heroine, wit witness, universal universe, unite units,
  terminal termination, state stately, secret secretion, premier premiere, moral morale,
  miser miserable, office officer, profess profession, capital capitalism, orient orientation,
  oriental orientation, patent patently, partly parting, reform reformation, resolute resolution,
  sever severity, urban urbane, wind winding, marine mariner, liberal liberate, concert concerted,
  authority authorize, activity activism, probation probate, apartment apart, appreciate appreciable,
  contract contraction, decor decorate, critic critical, definition definitive,
  deliberate deliberation, individual individualism, intimate intimation, public publicity,
  publication publicity, remark remarkable, success succession, person personal, industry industrious,
  industrial industrious, positive position, polite politics, relative relate, operate operative,
  consist consistency, equator equation, hand handful, ideal idealism, emergence emergency,
  design designate, incidence incident, ration rational, recess recession, respective respectful,
  respective respectable, response responsible, temper temperance, transit transitive,
  visit visitation, vacation vacate, principal principality, process procession, provide provident
`.trim().split(/,\s+/).map((pair) => pair.split(" ") as [string, string]);

const table = loadTable();
const classes = new Map<string, string[]>();
for (let id = 0; id < table.englishCount; id++) {
  const word = table.words.word(id);
  if (!/^[a-z]+$/.test(word) || word.length < LEAST_LETTERS) continue;
  const ofStem = stem(word);
  if (ofStem.length >= LEAST_STEM) classes.set(ofStem, [...classes.get(ofStem) ?? [], word]);
}

const found: string[] = [];
for (const [ofStem, words] of [...classes].sort(([a], [b]) => a < b ? -1 : 1)) {
  const groups = groupsOf(words);
  if (groups.length < 2) continue;
  const main = groups.find((group) => group.some((word) => lemmas(word).has(ofStem))) ?? groups[0]!;
  for (const group of groups) {
    // Another stem may look like the word.
    const term = group.find((word) => !classes.has(word));
    if (group !== main && term !== undefined) {
      found.push([term, ...group.filter((word) => word !== term)].join(" "));
    }
  }
}
const words = found.reduce((sum, line) => sum + line.split(" ").length, 0);
console.log(`${found.length} groups of ${words} words`);
await Deno.writeTextFile(
  new URL("../lib/engine/index/text/false_friends.ts", import.meta.url),
  `// Made by scripts/build_false_friends.ts from GloVe's vectors (see NOTICE).

/** Groups of English words whose first word is their index term. Their stems are those of words with another meaning. */
export const FALSE_FRIENDS = \`
${found.join(", ").match(/.{1,118}(?: |$)/g)!.map((line) => line.trim()).join("\n")}
\`;
`,
);

/** Returns the words in groups, the most frequent word and the group with it first. */
function groupsOf(words: readonly string[]): string[][] {
  // The words of the table come in the order of their frequency.
  const rank = (word: string) => table.words.find(word);
  const groups = words.toSorted((a, b) => rank(a) - rank(b)).map((word) => [word]);
  const join = (i: number, j: number) => {
    const [joined] = groups.splice(Math.max(i, j), 1);
    groups[Math.min(i, j)]!.push(...joined!);
  };
  const holds = (group: readonly string[], word: string) => group.some((one) => lemmas(one).has(word));
  const apart = (one: readonly string[], other: readonly string[]) =>
    KNOWN.some(([a, b]) => holds(one, a) && holds(other, b) || holds(one, b) && holds(other, a));
  for (let i = 0; i < groups.length; i++) {
    for (let j = i + 1; j < groups.length; j++) {
      if (apart(groups[i]!, groups[j]!)) continue;
      if (!groups[i]!.some((one) => groups[j]!.some((other) => sameFamily(one, other)))) continue;
      join(i, j);
      j = i;
    }
  }
  for (;;) {
    let most = APART, best: [number, number] | undefined;
    for (let i = 0; i < groups.length; i++) {
      for (let j = i + 1; j < groups.length; j++) {
        const cosine = table.cosine(rank(groups[i]![0]!), rank(groups[j]![0]!));
        if (cosine >= most && !apart(groups[i]!, groups[j]!)) [most, best] = [cosine, [i, j]];
      }
    }
    if (best === undefined) break;
    join(...best);
  }
  return groups.map((group) => group.sort((a, b) => rank(a) - rank(b))).sort((a, b) =>
    rank(a[0]!) - rank(b[0]!)
  );
}

function sameFamily(one: string, other: string): boolean {
  return lemmas(one).intersection(lemmas(other)).size > 0 || derived(one, other) || derived(other, one);
}

/** Returns whether a word is a regular derivation of an inflection of another one. */
function derived(word: string, base: string): boolean {
  return [...lemmas(word)].some((lemma) => {
    const [, root] = /^(.{3,})(?:er|or|ly|ness)$/.exec(lemma) ?? [];
    if (root === undefined) return false;
    const roots = [root, `${root}e`, root.replace(/i$/, "y"), root.replace(/(.)\1$/, "$1"), `${root}le`];
    return [...lemmas(base)].some((form) => roots.includes(form));
  });
}

/** Returns the words that a word may be an inflection of, and itself. */
function lemmas(word: string): Set<string> {
  const forms = new Set([word]);
  const add = (ending: RegExp, ...others: string[]) => {
    if (ending.test(word)) { for (const other of others) forms.add(word.replace(ending, other)); }
  };
  add(/ies$/, "y", "ie");
  add(/ied$/, "y");
  add(/(?<=[^s])s$/, "");
  add(/es$/, "", "e");
  add(/(?<=..)ed$/, "", "e");
  add(/(?<=...)ing$/, "", "e");
  add(/(.)\1(?:ed|ing)$/, "$1");
  return forms;
}
