/**
 * How many changes of a single fact the check of an answer finds: sentences of XQuAD (English) and of XQuAD and CMRC 2018 (Chinese) in
 * which one number, date, unit, name or negation is changed, against ten paragraphs of which one has the sentence.
 *
 *     deno run -A --config deno.dev.json research/support/planted.ts ../shared/eval [MISSED]
 *
 * The folder has `xquad-en/corpus.jsonl`, `xquad-zh/corpus.jsonl` and `cmrc2018-zh/corpus.jsonl`. MISSED: changed sentences to show of each
 * kind that were taken for supported.
 */
import { join } from "node:path";
import { sentencesOf, SupportChecker } from "#engine/support/mod.ts";
import { loadTable, WordFinder } from "#models/embedding/mod.ts";

const [folder = "../shared/eval", shown = "0"] = Deno.args;

/** Sentences that are checked unchanged, and at most of each kind of change. */
const VERBATIM = 500;
const CHANGED = 300;
const PASSAGES = 10;

/** Mulberry32, so that each run changes the same. */
let state = 11;
function random(): number {
  state = state + 0x6d2b79f5 | 0;
  let t = Math.imul(state ^ state >>> 15, 1 | state);
  t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
  return ((t ^ t >>> 14) >>> 0) / 2 ** 32;
}

function pick<T>(values: readonly T[]): T {
  return values[Math.floor(random() * values.length)]!;
}

function pickOther<T>(values: readonly T[], isTaken: (value: T) => boolean): T {
  for (;;) {
    const value = pick(values);
    if (!isTaken(value)) return value;
  }
}

/** Returns the changed sentence; `undefined` where the sentence has nothing of the kind. */
type Change = (sentence: string) => string | undefined;

function withReplaced(sentence: string, { 0: old, index }: RegExpMatchArray, text: string): string {
  return sentence.slice(0, index) + text + sentence.slice(index! + old.length);
}

/** One of the pattern's places with another text. */
function replacing(pattern: RegExp, other: (old: string, sentence: string) => string): Change {
  return (sentence) => {
    const places = [...sentence.matchAll(pattern)];
    if (places.length === 0) return undefined;
    const place = pick(places);
    return withReplaced(sentence, place, other(place[0], sentence));
  };
}

/** The first of the pairs that fits, in a random order. */
function swapping(pairs: readonly (readonly [RegExp, string])[]): Change {
  return (sentence) => {
    const fitting = pairs.filter(([pattern]) => pattern.test(sentence));
    if (fitting.length === 0) return undefined;
    const [pattern, text] = pick(fitting);
    return sentence.replace(pattern, text);
  };
}

/** A number with another digit. Years are dates. */
function otherDigit(number: string): string {
  const at = pick([...number].flatMap((character, i) => /\d/.test(character) ? [i] : []));
  const digit = pickOther("123456789".split(""), (one) => one === number[at]);
  return number.slice(0, at) + digit + number.slice(at + 1);
}

const YEAR = String.raw`(?:1\d{3}|20[012]\d)`;
const NUMBER = String.raw`(?<![\d.,\w-])(?!${YEAR}(?![\d.,]))\d+(?:,\d{3})*(?:\.\d+)?`;
const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);

function otherYear(year: string, sentence: string): string {
  const years = Array.from({ length: 19 }, (_, i) => String(Number(year) + i - 9));
  return pickOther(years, (one) => sentence.includes(one));
}

const NAMES = "Kowalski Brisbane Hendricks Norway Okafor Valencia Tanaka Oregon Petrov Kenya".split(" ");
const 姓名 = "李建华 彼得罗夫 田中一郎 王志强 安娜·科瓦奇 约翰·亨德里克斯".split(" ");
const regions = new Intl.DisplayNames(["zh"], { type: "region" });
const 国家 =
  "US GB FR DE JP RU IT ES IN KR CA AU BR MX EG TR GR PL NL SE NO DK FI CH AT BE PT IE IR IQ IL VN TH MY SG PH NZ ZA KE NG AR CL PE CU"
    .split(" ").map((code) => regions.of(code)!);

/** Before and behind a Chinese name there is a mark, a particle, or a word that belongs to no name; a part of it has no particle. */
const BEFORE =
  "(?<=^|[，。、；：“”（）—,;:()\\s]|[由在与和对向从自于到被为是及让使给]|(?:当时|后来|其中|包括|以及|来自|位于|成为|前往|返回))";
const PART = "(?:(?![的和与及是在于由为而或他她将被])\\p{Script=Han}){1,6}";
const BEHIND =
  "(?=$|[，。、；：“”（）—,;:()\\s]|[的是在和与于为将被也则曾及至]|(?:以及|政府|总统|首都|军队|人民|当局|之间|出生|担任))";

const CHANGES: Readonly<Record<"en" | "zh", Readonly<Record<string, Change>>>> = {
  en: {
    number: replacing(new RegExp(`${NUMBER}(?![\\d\\w]|-\\w)`, "g"), otherDigit),
    date: replacing(
      new RegExp(`\\b(?:${MONTHS.join("|")})\\b(?= \\d|,? \\d{4})|\\b${YEAR}\\b(?!s)`, "g"),
      (old, sentence) =>
        /\d/.test(old) ? otherYear(old, sentence) : pickOther(MONTHS, (month) => month === old),
    ),
    unit: swapping([
      ...["kilometers|kilometres|km", "miles"].map((unit, i): [RegExp, string] => [
        new RegExp(`(?<=\\d )(?:${unit})\\b`),
        ["miles", "kilometers"][i]!,
      ]),
      [/(?<=\d )million\b/, "billion"],
      [/(?<=\d )billion\b/, "million"],
      [/(?<=\d )years\b/, "months"],
      [/(?<=\d )(?:percent\b)/, "years"],
      [/(?<=\d)%/, " kg"],
      [/(?<=\d )feet\b/, "meters"],
      [/(?<=\d )(?:metres|meters|m)\b/, "feet"],
      [/(?<=\d )days\b/, "weeks"],
      [/(?<=\d )hours\b/, "days"],
      [/\$(?=\d)/, "€"],
      [/£(?=\d)/, "$"],
      [/(?<=\d )kg\b/, "pounds"],
      [/(?<=\d )tons\b/, "kg"],
    ]),
    name: replacing(
      new RegExp(`(?<=[a-z,] )(?!(?:${MONTHS.join("|")}|The|This|These)\\b)\\p{Lu}\\p{Ll}{3,}\\b`, "gu"),
      (_, sentence) => pickOther(NAMES, (name) => sentence.includes(name)),
    ),
    negation: (sentence) => {
      if (/ not /.test(sentence)) return sentence.replace(/ not /, " ");
      if (/\b(?:no|never|without|not)\b|n['’]t\b/.test(sentence)) return undefined;
      const verb = /\b(?:is|was|are|were|has|have|had|can|could|will|would|should|may|must)\b(?= \w)/;
      return verb.test(sentence) ? sentence.replace(verb, "$& not") : undefined;
    },
  },
  zh: {
    number: replacing(new RegExp(`${NUMBER}(?![\\d\\w年月日]|-\\w)`, "g"), otherDigit),
    date: replacing(
      new RegExp(`(?<!\\d)${YEAR}(?= ?年)|(?<=月)\\d{1,2}(?=日)|(?<=年)\\d{1,2}(?=月)`, "g"),
      (old, sentence) =>
        old.length === 4
          ? otherYear(old, sentence)
          : pickOther(Array.from({ length: 12 }, (_, i) => String(i + 1)), (one) =>
            Number(one) === Number(old)),
    ),
    unit: swapping([
      [/(?<=\d ?)平方公里/, "平方英里"],
      [/(?<=\d ?)公里/, "英里"],
      [/(?<=\d ?)英里/, "公里"],
      [/(?<=\d ?)万(?!人)/, "亿"],
      [/(?<=\d ?)米/, "英尺"],
      [/(?<=\d ?)英尺/, "米"],
      [/(?<=\d ?)%/, "公斤"],
      [/(?<=\d ?)美元/, "欧元"],
      [/(?<=\d)元/, "美元"],
      [/(?<=\d ?)公斤/, "磅"],
      [/(?<=\d ?)吨/, "公斤"],
      [/(?<=\d ?)天/, "周"],
      [/(?<=\d ?)小时/, "天"],
      [/(?<=\d ?)分钟/, "小时"],
    ]),
    name: replacing(
      new RegExp(
        `${BEFORE}(?:${PART}(?:·${PART})+|${国家.join("|")})${BEHIND}`,
        "gu",
      ),
      (old, sentence) => pickOther(old.includes("·") ? 姓名 : 国家, (name) => sentence.includes(name)),
    ),
    negation: (sentence) => {
      if (/[不没未无非否]/.test(sentence)) return undefined;
      const pairs: [RegExp, string][] = [
        [/(?<![就只但可于总还乃即若])是/, "不是"],
        [/可以/, "不可以"],
        [/能够/, "不能够"],
        [/(?<![所拥具只还含占享共])有(?!关|限|效|机|名|些|时|的)/, "没有"],
        [/会(?=被|在|将|使)/, "不会"],
      ];
      const fitting = pairs.find(([pattern]) => pattern.test(sentence));
      return fitting && sentence.replace(...fitting);
    },
  },
};

function paragraphs(name: string): string[] {
  const lines = Deno.readTextFileSync(join(folder, name, "corpus.jsonl")).trim().split("\n");
  return lines.map((line) => JSON.parse(line).text as string);
}

/** A year alone is a number, and another unit is another number. */
const VALUES = ["number", "date", "unit"];

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

const table = loadTable();
const checker = new SupportChecker(table, new WordFinder(table));
const sets = {
  en: paragraphs("xquad-en"),
  zh: [...paragraphs("xquad-zh"), ...paragraphs("cmrc2018-zh")],
} as const;

print("| language | change | sentences | found | share | named as such |");
print("|---|---|---|---|---|---|");
for (const language of ["en", "zh"] as const) {
  const texts = sets[language];
  const least = language === "en" ? 40 : 15;
  const sentences = texts.flatMap((text, paragraph) =>
    sentencesOf(text).map(({ start, end }) => ({ paragraph, sentence: text.slice(start, end) }))
  ).filter(({ sentence: { length }, sentence }) =>
    length > least && length < 400 && !/[?？:：]$/.test(sentence)
  );
  for (let i = sentences.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [sentences[i], sentences[j]] = [sentences[j]!, sentences[i]!];
  }
  const wrongIn = (claim: string, paragraph: number) =>
    checker.check(
      claim,
      Array.from({ length: PASSAGES }, (_, i) => texts[(paragraph + i) % texts.length]!),
    ).find(({ verdict }) => verdict !== "supported");
  const verbatim = sentences.slice(0, VERBATIM);
  const flagged = verbatim.filter(({ sentence, paragraph }) => wrongIn(sentence, paragraph) !== undefined);
  row(language, "none", verbatim.length, flagged.length, 0);
  for (const [kind, change] of Object.entries(CHANGES[language])) {
    let [count, found, named] = [0, 0, 0];
    const missed: string[] = [];
    for (const { sentence, paragraph } of sentences) {
      if (count === CHANGED) break;
      const changed = change(sentence);
      if (changed === undefined || changed === sentence || texts[paragraph]!.includes(changed)) continue;
      count++;
      const wrong = wrongIn(changed, paragraph);
      if (wrong === undefined) missed.push(`${changed}\n    instead of: ${sentence}`);
      else found++;
      if (wrong?.reason === kind || VALUES.includes(kind) && VALUES.includes(wrong?.reason ?? "")) named++;
    }
    row(language, kind, count, found, named);
    for (const text of missed.slice(0, Number(shown))) print(`  ${text}`);
  }
}

function row(language: string, kind: string, count: number, found: number, named: number): void {
  const share = (part: number) => (part / count).toFixed(3);
  print(`| ${language} | ${kind} | ${count} | ${found} | ${share(found)} | ${share(named)} |`);
}
