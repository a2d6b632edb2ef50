/**
 * Numbers written in words: 三百二十五, 二〇二四, 三点五; forty-two, two hundred and six thousand.
 */

const DIGITS = "〇一二三四五六七八九";
const CHINESE_SCALES: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000 };

/** Returns the number of Chinese numerals: 三百二十五, 二〇二四, 三万五千, 三点五; NaN for other text. */
export function chineseNumber(text: string): number {
  const [whole = "", decimals, more] = text.replaceAll(/[零○]/g, "〇").replaceAll("两", "二").split("点");
  if (more !== undefined || whole === "") return NaN;
  const value = wholeNumber(whole);
  return decimals === undefined ? value : value + digitsNumber(decimals) / 10 ** decimals.length;
}

/** The part before 亿 and 万 counts as often, the part behind them is added. */
function wholeNumber(text: string): number {
  for (const [sign, factor] of [["亿", 1e8], ["万", 1e4]] as const) {
    const at = text.lastIndexOf(sign);
    if (at === 0) return NaN;
    if (at > 0) {
      return wholeNumber(text.slice(0, at)) * factor +
        (at + 1 === text.length ? 0 : wholeNumber(text.slice(at + 1)));
    }
  }
  return /[十百千]/.test(text) ? scaledNumber(text) : digitsNumber(text);
}

function digitsNumber(text: string): number {
  const digits = Array.from(text, (digit) => DIGITS.indexOf(digit));
  return digits.length === 0 || digits.includes(-1) ? NaN : Number(digits.join(""));
}

function scaledNumber(text: string): number {
  let sum = 0, digit = 0, last = Infinity;
  for (const character of text) {
    const scale = CHINESE_SCALES[character];
    if (scale === undefined) {
      digit = DIGITS.indexOf(character);
      if (digit < 0) return NaN;
    } else {
      // Scales descend: 百十 is no number.
      if (scale >= last) return NaN;
      sum += (digit === 0 ? 1 : digit) * scale;
      [digit, last] = [0, scale];
    }
  }
  return sum + digit;
}

const ONES =
  ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen " +
    "nineteen").split(" ");
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const ENGLISH_SCALES: Readonly<Record<string, number>> = {
  hundred: 100,
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  trillion: 1e12,
  dozen: 12,
};

/** Returns the number of English words; NaN for other text. */
export function englishNumber(text: string): number {
  let sum = 0, below = 0;
  for (const word of text.split(/[\s-]+/)) {
    const scale = ENGLISH_SCALES[word.replace(/s$/, "")];
    if (word === "and") continue;
    if (word === "a" || word === "an") below += 1;
    else if (ONES.includes(word)) below += ONES.indexOf(word);
    else if (TENS.includes(word)) below += 20 + 10 * TENS.indexOf(word);
    else if (scale === undefined) return NaN;
    else if (scale <= 100) below = (below || 1) * scale;
    else {
      sum += (below || 1) * scale;
      below = 0;
    }
  }
  return sum + below;
}

/** Is in each number that is written in English words. */
const NUMBER_WORD =
  /two|three|four|five|six|seven|eight|nine|ten|eleven|twel|teen|twenty|thirty|forty|fifty|dred|thousand|illion|dozen/;

/** From two to nineteen: "one" alone is often a pronoun. */
const SMALL = new Set(ONES.slice(2));
const DIGIT_WORDS = new Set(ONES.slice(1, 10));
const TENS_WORDS = new Set(TENS);

/** A word of a text with the text before it, up to the word before. */
interface SpacedWord {
  readonly word: string;
  readonly before: string;
  readonly start: number;
  readonly end: number;
}

/** Returns the places of numbers in English words in a text in lower case: forty-two, a hundred and six. */
export function* englishNumbersIn(text: string): Generator<{ readonly start: number; readonly end: number }> {
  if (!NUMBER_WORD.test(text)) return;
  const words: SpacedWord[] = [];
  for (const { 0: word, index } of text.matchAll(/\w+/g)) {
    words.push({
      word,
      before: text.slice(words.at(-1)?.end ?? 0, index),
      start: index,
      end: index + word.length,
    });
  }
  for (let i = 0; i < words.length;) {
    const end = endOfNumber(words, i);
    if (end > i) yield { start: words[i]!.start, end: words[end - 1]!.end };
    i = Math.max(end, i + 1);
  }
}

/** Returns the number of the word behind a number that begins with a word; the word itself if it begins none. */
function endOfNumber(words: readonly SpacedWord[], from: number): number {
  const isScale = (i: number, isFirst: boolean) => {
    const { word, before } = words[i] ?? { word: "", before: "" };
    return before === " " && Object.hasOwn(ENGLISH_SCALES, word) && (isFirst || word !== "dozen");
  };
  let at = belowHundred(words, from);
  const isOne = at === from && ["one", "a", "an"].includes(words[from]!.word);
  if (isScale(isOne ? from + 1 : at, true) && (isOne || at > from)) at = isOne ? from + 2 : at + 1;
  if (at === from) return from;
  for (;;) {
    const next = words[at];
    if (next?.before !== " ") return at;
    const isAnd = next.word === "and" && words[at + 1]?.before === " ";
    const end = isScale(at, false) ? at + 1 : belowHundred(words, isAnd ? at + 1 : at);
    if (end <= (isAnd ? at + 1 : at)) return at;
    at = end;
  }
}

/** Returns the number of the word behind a number from two to 99; the word itself if there is none. */
function belowHundred(words: readonly SpacedWord[], at: number): number {
  const { word } = words[at] ?? { word: "" };
  if (SMALL.has(word)) return at + 1;
  if (!TENS_WORDS.has(word)) return at;
  const next = words[at + 1];
  return next !== undefined && [" ", "-"].includes(next.before) && DIGIT_WORDS.has(next.word)
    ? at + 2
    : at + 1;
}
