/**
 * Snowball's English stemmer, Porter2 (https://snowballstem.org/algorithms/english/stemmer.html). It returns the stems of
 * `wink-porter2-stemmer` 2.0.1, but compares units: the regular expressions of that package are several times as slow and leave garbage. An
 * index stores stems, so a test compares the two on every English word of the built-in table and on made-up ones.
 *
 * R1 is the rest of the word after the first consonant that follows a vowel; R2 is the same within R1:
 *
 *     b e a u t i f u l        b e a u t y
 *               └─R1──         R1 is "y", R2 is empty
 *                   └R2
 */

/** Words with a stem that the rules do not give. */
const EXCEPTIONS: ReadonlyMap<string, string> = new Map([
  ["skis", "ski"],
  ["skies", "sky"],
  ["dying", "die"],
  ["lying", "lie"],
  ["tying", "tie"],
  ["idly", "idl"],
  ["gently", "gentl"],
  ["ugly", "ugli"],
  ["early", "earli"],
  ["only", "onli"],
  ["singly", "singl"],
  ...["sky", "news", "atlas", "cosmos", "bias", "andes"].map((word) => [word, word] as const),
]);

/** Words that no step after 1a changes. */
const INVARIANT: ReadonlySet<string> = new Set(
  ["inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed"],
);

/** Suffixes and their replacements by the last letter of the suffix, longer ones first. */
type Suffixes = ReadonlyMap<number, readonly (readonly [suffix: string, replacement: string])[]>;

const STEP_2 = byLastLetter({
  ...{ ational: "ate", ization: "ize", fulness: "ful", ousness: "ous", iveness: "ive", tional: "tion" },
  ...{ biliti: "ble", lessli: "less", entli: "ent", ation: "ate", alism: "al", aliti: "al", ousli: "ous" },
  ...{ iviti: "ive", fulli: "ful", enci: "ence", anci: "ance", abli: "able", izer: "ize", ator: "ate" },
  ...{ alli: "al", bli: "ble", ogi: "og", li: "" },
});
const STEP_3 = byLastLetter({
  ...{ ational: "ate", tional: "tion", alize: "al", icate: "ic", iciti: "ic", ative: "", ical: "ic" },
  ...{ ness: "", ful: "" },
});
const STEP_4 = byLastLetter({
  ...{ ement: "", ance: "", ence: "", able: "", ible: "", ment: "", ant: "", ent: "", ism: "", ate: "" },
  ...{ iti: "", ous: "", ive: "", ize: "", ion: "", al: "", er: "", ic: "" },
});

function byLastLetter(suffixes: Readonly<Record<string, string>>): Suffixes {
  const sorted = Object.entries(suffixes).sort(([a], [b]) => b.length - a.length);
  return Map.groupBy(sorted, ([suffix]) => suffix.charCodeAt(suffix.length - 1));
}

/** Returns the stem of a word of at least three small letters and apostrophes. */
export function stem(written: string): string {
  const exception = EXCEPTIONS.get(written);
  if (exception !== undefined) return exception;
  let word = step1a(withoutApostrophe(withMarkedY(written)));
  if (!INVARIANT.has(word)) {
    word = step5(step4(step3(step2(step1c(step1b(word))))));
  }
  return word.includes(MARKED) ? word.replaceAll(MARKED, "y") : word;
}

/** Stands for a `y` that is a consonant. */
const MARKED = "3";
const MARKED_UNIT = 0x33;
const D = 0x64, G = 0x67, S = 0x73, W = 0x77, X = 0x78, Y = 0x79;

/** A 1 for each vowel, `y` included. */
const VOWEL = new Uint8Array(128);
for (const vowel of "aeiouy") VOWEL[vowel.charCodeAt(0)] = 1;

/** Whether there is a vowel at `at`. */
function isVowel(word: string, at: number): boolean {
  return VOWEL[word.charCodeAt(at)] === 1;
}

/** Marks a `y` at the start, and the first one that follows another vowel. */
function withMarkedY(word: string): string {
  let marked = word.charCodeAt(0) === Y ? MARKED + word.slice(1) : word;
  for (let at = marked.indexOf("y", 1); at > 0; at = marked.indexOf("y", at + 1)) {
    if (!isVowel(marked, at - 1) || marked.charCodeAt(at - 1) === Y) continue;
    marked = marked.slice(0, at) + MARKED + marked.slice(at + 1);
    break;
  }
  return marked;
}

function withoutApostrophe(word: string): string {
  let rest = word;
  if (rest.endsWith("'s")) rest = rest.slice(0, -2);
  if (rest.endsWith("s'")) rest = rest.slice(0, -2);
  return rest.endsWith("'") ? rest.slice(0, -1) : rest;
}

/** Returns where R1 begins: the length of the word if it is empty. */
function startOfR1(word: string): number {
  const start = regionAfter(word, 0);
  if (start === word.length) return start;
  // Otherwise "general" and "generate" would have the same stem.
  if (word.startsWith("gener") || word.startsWith("arsen")) return 5;
  return word.startsWith("commun") ? 6 : start;
}

/** Returns where R2 begins: the length of the word if it is empty. */
function startOfR2(word: string): number {
  return regionAfter(word, startOfR1(word));
}

function regionAfter(word: string, from: number): number {
  const { length } = word;
  let at = from;
  while (at < length && !isVowel(word, at)) at++;
  while (at < length && isVowel(word, at)) at++;
  return Math.min(at + 1, length);
}

/** Whether a vowel is among the first `end` letters. */
function hasVowel(word: string, end: number): boolean {
  for (let at = 0; at < end; at++) if (isVowel(word, at)) return true;
  return false;
}

/** Whether a word ends in a short syllable. */
function isShort(word: string): boolean {
  const { length } = word;
  if (length < 3) return isVowel(word, 0) && !isVowel(word, 1);
  const last = word.charCodeAt(length - 1);
  return !isVowel(word, length - 3) && isVowel(word, length - 2) && !isVowel(word, length - 1) &&
    last !== W && last !== X && last !== MARKED_UNIT;
}

function step1a(word: string): string {
  const { length } = word;
  const last = word.charCodeAt(length - 1);
  if (last !== S && last !== D) return word;
  if (length > 4 && word.endsWith("sses")) return word.slice(0, -2);
  if (length > 3 && (word.endsWith("ied") || word.endsWith("ies"))) {
    return word.slice(0, -3) + (length > 4 ? "i" : "ie");
  }
  if (last === D || length > 2 && (word.endsWith("us") || word.endsWith("ss"))) return word;
  return hasVowel(word, length - 2) ? word.slice(0, -1) : word;
}

const STEP_1B = ["ed", "ing", "edly", "ingly"];

function step1b(word: string): string {
  const { length } = word;
  const last = word.charCodeAt(length - 1);
  if (last !== D && last !== Y && last !== G) return word;
  const eed = word.endsWith("eed") ? 3 : word.endsWith("eedly") ? 5 : 0;
  if (eed > 0) {
    return length - startOfR1(word) >= eed ? `${word.slice(0, -eed)}ee` : word;
  }
  const suffix = STEP_1B.find((one) => word.endsWith(one));
  if (suffix === undefined || !hasVowel(word, length - suffix.length)) return word;
  const rest = word.slice(0, -suffix.length);
  if (rest.endsWith("at") || rest.endsWith("bl") || rest.endsWith("iz")) return `${rest}e`;
  const end = rest.charCodeAt(rest.length - 1);
  if (end === rest.charCodeAt(rest.length - 2) && DOUBLED.includes(rest.at(-1)!)) return rest.slice(0, -1);
  return isShort(rest) && startOfR1(rest) === rest.length ? `${rest}e` : rest;
}

/** Two of one of these letters at the end become one. */
const DOUBLED = "bdfgmnprt";

function step1c(word: string): string {
  const { length } = word;
  const last = word.charCodeAt(length - 1);
  if (length < 3 || last !== Y && last !== MARKED_UNIT || isVowel(word, length - 2)) return word;
  return `${word.slice(0, -1)}i`;
}

/** Returns the longest of some suffixes that a word has, with its replacement. */
function suffixOf(
  word: string,
  suffixes: Suffixes,
): readonly [suffix: string, replacement: string] | undefined {
  return suffixes.get(word.charCodeAt(word.length - 1))?.find(([suffix]) => word.endsWith(suffix));
}

/** Letters after which `li` is removed. */
const BEFORE_LI = "cdeghkmnrt";

function step2(word: string): string {
  const found = suffixOf(word, STEP_2);
  if (found === undefined) return word;
  const [suffix, replacement] = found;
  const end = word.length - suffix.length;
  if (end < startOfR1(word)) return word;
  if (suffix === "li" && (end === 0 || !BEFORE_LI.includes(word[end - 1]!))) return word;
  if (suffix === "ogi" && word[end - 1] !== "l") return word;
  return word.slice(0, end) + replacement;
}

function step3(word: string): string {
  const found = suffixOf(word, STEP_3);
  if (found === undefined) return word;
  const [suffix, replacement] = found;
  const end = word.length - suffix.length;
  if (end < (suffix === "ative" ? startOfR2(word) : startOfR1(word))) return word;
  return word.slice(0, end) + replacement;
}

function step4(word: string): string {
  const found = suffixOf(word, STEP_4);
  if (found === undefined) return word;
  const [suffix] = found;
  const end = word.length - suffix.length;
  if (end < startOfR2(word)) return word;
  if (suffix === "ion" && word[end - 1] !== "s" && word[end - 1] !== "t") return word;
  return word.slice(0, end);
}

function step5(word: string): string {
  const last = word.at(-1);
  if (last === "e") {
    const before = word.slice(0, -1);
    const isLong = startOfR2(word) < word.length || !isShort(before) && startOfR1(word) < word.length;
    return isLong ? before : word;
  }
  if (last !== "l" || !word.endsWith("ll")) return word;
  return startOfR2(word) < word.length ? word.slice(0, -1) : word;
}
