/**
 * How values are written: a rule for each form of dates, times, fractions and quantities, in English and Chinese. The rules read text in
 * lower case, and have neither the flags `i` and `u` nor names of units in their patterns: V8 compiles a pattern when it first runs, once
 * for Latin text and once for Chinese, and the first answer that is checked would wait for it.
 */
import { chineseNumber, englishNumber, englishNumbersIn } from "./numerals.ts";
import { COUNTED, LATIN, magnitudeAt, MAGNITUDES, unitAt, UNITS } from "./units.ts";
import {
  type CodeValue,
  type DateValue,
  FILE_ENDINGS,
  type QuantityValue,
  type TimeValue,
  type Value,
} from "./values.ts";

/** A value in a text, in UTF-16 units. */
interface Found {
  readonly start: number;
  readonly end: number;
  readonly value: Value;
}

export interface Rule {
  /** Finds the values in a text in lower case. */
  readonly find: (text: string) => Iterable<Found>;
  readonly isLoose?: true;
}

type Groups = Readonly<Record<string, string | undefined>>;

/** Words that count things without measuring them. */
const COUNTERS = "个名人位家座条件次辆所项支艘架台套部本张户种类届期门处场轮批层号";
const MONEY = "(?<money>us\\$|hk\\$|[$€£¥]|rmb|usd|eur|gbp|cny)";
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const YEAR = "(?<year>1\\d{3}|2[01]\\d{2})";
const DAY = "(?<day>[0-3]?\\d)(?:st|nd|rd|th)?";
const HAN = "[〇零○一二两三四五六七八九十百千]";
/** Letters of all scripts but Latin capitals, marks between them, and their digits. */
const LETTER =
  `${LATIN}\\u02b0-\\u1fff\\u2c00-\\u2dff\\u3005-\\u3007\\u3041-\\u30fa\\u30fc-\\ud7ff\\uf900-\\ufaff`;
/** A minus: not the hyphen of a word, and not the dash of a range. */
const MINUS = `(?:(?<![${LATIN}\\d)]|\\d\\S{0,6} )[-−]|\\b(?:minus|negative) |零下)`;

const HAS_DIGIT = /\d/;

/** Tried in this order; a later rule leaves out what an earlier one has taken. */
export const RULES: readonly Rule[] = [
  // budget.docx, .pdf
  rule(/\.[a-z\d]/, `(?<![${LATIN}\\d_.-])[${LATIN}\\d_-]*\\.(?:${FILE_ENDINGS})(?![${LATIN}\\d_])`, fileOf),
  // 2024-01-18, 2024/1/18, 2024.1.18; 2024年1月18日, 二〇二四年一月十八日, 2024年1月
  rule(
    HAS_DIGIT,
    `(?<![\\d.])${YEAR}(?<tie>[-/.])(?<month>[01]?\\d)\\k<tie>(?<day>[0-3]?\\d)(?![\\d]|[./-]\\d)`,
    dateOf,
  ),
  rule(
    /年/,
    `(?<!\\d)(?<year>\\d{4}|[一二][〇零○一二三四五六七八九]{3}) ?年 ?(?:(?<month>[01]?\\d|${HAN}{1,2}) ?月(?!份?(?:内|里))(?: ?(?<day>[0-3]?\\d|${HAN}{1,3}) ?[日号號])?)?`,
    dateOf,
  ),
  { find: englishDates },
  // 1月18日, 十二月, 3月
  rule(
    /月/,
    `(?<![\\d个])(?<month>[01]?\\d|十[一二]?|[一二三四五六七八九]) ?月(?: ?(?<day>[0-3]?\\d|${HAN}{1,3}) ?[日号號]|份)?`,
    dateOf,
  ),
  rule(/[日号]/, `(?<!\\d)(?<day>[0-3]?\\d) ?[日号](?![元本]|[以之]?内)`, dateOf),
  // 18/1/2024 and 1/18/2024 where only one can be the month; 18.1.2024
  rule(
    HAS_DIGIT,
    `(?<![\\d./-])(?<one>[0-3]?\\d)(?<sign>[-/.])(?<other>[0-3]?\\d)\\k<sign>${YEAR}(?!\\d|[./]\\d)`,
    shortDateOf,
  ),
  // 14:30, 2:30 pm, 下午2点30分, 9时
  rule(
    /[:：]/,
    "(?<!\\d[:：]?)(?<hour>[012]?\\d)[:：](?<minute>[0-5]\\d)(?!\\d|[:：]?\\d)(?: ?(?<half>[ap])\\.?m\\b\\.?)?",
    timeOf,
  ),
  rule(HAS_DIGIT, "(?<!\\d)(?<hour>1?\\d) ?(?<half>[ap])\\.?m\\b\\.?", timeOf),
  rule(
    /[点时]/,
    `(?<early>凌晨|清晨|早上|上午|中午|下午|傍晚|晚上|晚)?(?<!\\d)(?<hour>[012]?\\d|${HAN}{1,3}) ?[点时](?!候|间|代|钟头)(?:(?<minute>[0-5]?\\d|${HAN}{1,3}) ?分|(?<halfpast>半))?`,
    chineseTimeOf,
  ),
  // 3:2, 3比2, 3-2
  rule(/[:比]/, "(?<![\\d.:])(?<one>\\d{1,3})(?: ?: ?| ?比 ?)(?<other>\\d{1,3})(?![\\d:]|\\.\\d)", scoreOf),
  rule(
    /\d[-–]/,
    `(?<![${LETTER}\\d.:/-])(?<one>\\d{1,2})[-–](?<other>\\d{1,2})(?![\\d:/–-]|\\.\\d|[${COUNTERS}])`,
    (groups) => Number(groups.one) >= Number(groups.other) ? scoreOf(groups) : undefined,
    withoutUnit,
  ),
  // 三分之二, 百分之三十, 1/3 of, two thirds, one third, a quarter, half, 一半
  rule(
    /分之/,
    `(?<below>\\d{1,9}|百|千|${HAN}{1,9})分之(?<above>\\d+(?:\\.\\d+)?|${HAN}{1,9}(?:点${HAN}{1,9})?)`,
    fractionOf,
  ),
  rule(/\d\//, "(?<![\\d/])(?<above>[1-9])/(?<below>[2-9]|1\\d)(?= of| 的|的)", fractionOf),
  rule(
    /third|quarter|fourth|fifth/,
    `\\b(?<above>one|two|three|a)[- ](?<part>thirds?|quarters?|fourths?|fifths?)\\b(?= of| |$|[,.;)])(?! (?:season|time|place|edition|term|person|party|album|book|film|game|child|day|year))`,
    fractionOf,
  ),
  rule(/half|半/, "\\bhalf\\b(?! an? )|一半|半数", () => quantity(.5, "share", 0)),
  rule(/twice|doubl|翻/, "\\btwice\\b|\\bdoubl(?:e|ed|es|ing)\\b|翻了?一?番", () => quantity(2, "times", 0)),
  rule(
    /第/,
    `第(?<han>\\d+|${HAN}+)(?!\\d)`,
    ({ han }) => quantity(numeral(han!), "ordinal", 0),
    withoutUnit,
  ),
  // 3亿2000万, 2444万778元, 5万4千石
  rule(
    /\d[亿万]/,
    `(?<![\\d.,])(?:(?<yi>\\d+)亿(?<wan>\\d+)万(?<rest>\\d+)?|(?<wan>\\d+)万(?<rest>\\d+))(?<thousand>千)?(?![\\d.万亿])`,
    parted,
    withUnit,
  ),
  // $1,234.5 million, 1,234.5 kg, 1.2万吨
  rule(
    HAS_DIGIT,
    `(?:(?<![${LATIN}\\d.]|\\d,)|(?<=\\d[x×]))(?:${MONEY} ?)?(?<minus>${MINUS})?(?<digits>\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d{1,3}(?:\\.\\d{3})*,\\d{1,2}(?![\\d,])|\\d+(?:\\.\\d+)?|\\.\\d+)(?!\\d|[.,]\\d)`,
    quantityOf,
    withMagnitudeAndUnit,
  ),
  rule(
    /\d(?:st|nd|rd|th)/,
    "\\b(?<digits>\\d+)(?:st|nd|rd|th)\\b",
    ({ digits }) => quantity(Number(digits), "ordinal", 0),
  ),
  // 三百二十人, 两千万吨, 三天; not 一 alone, and not in 万一, 十分
  rule(
    new RegExp(HAN),
    `(?<![第点\\d.]|${HAN}|[万亿])(?<minus>零下)?(?<han>${HAN}(?:${HAN}|[万亿])*(?:点${HAN}+)?[万亿]*)`,
    chineseQuantityOf,
    withCounter,
  ),
  { find: englishQuantities },
  rule(
    HAS_DIGIT,
    `(?<![${LATIN}\\d_.-])(?=[${LATIN}_.-]*\\d)(?=[\\d_.-]*[${LATIN}]|\\d+[._-]\\d+[._-])(?<code>[${LATIN}\\d]+(?:[._-][${LATIN}\\d]+)*)`,
    ({ code }) => ({ kind: "code", code: code! }),
  ),
  // Digits that are nothing of the above: a changed one is not the same.
  rule(HAS_DIGIT, "\\d+(?:[.,:/-]\\d+)*", (_, text) => ({ kind: "code", code: text })),
  looseRule(
    /one|single/,
    "\\b(?:one|a single)\\b(?! (?:of|another|day)\\b)",
    () => quantity(1, undefined, 0),
  ),
  looseRule(/一/, `(?<![\\d〇第统同唯十百千万])一(?=[${COUNTERS}])`, () => quantity(1, undefined, 0)),
  looseRule(
    /th|first|second|third/,
    "(?<!\\b(?:per|a|an|each|every|one|\\d) )\\b(?<nth>first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\\b",
    ({ nth }) => quantity(ORDINALS.indexOf(nth!) + 1, "ordinal", 0),
  ),
];

const ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split(" ");

type Make = (groups: Groups, text: string) => Value | undefined;

/** Words behind a match that belong to it. */
interface Rest {
  readonly end: number;
  readonly groups: Groups;
}

/**
 * Makes a rule of a pattern. `needs` matches every text in which the pattern may match. `restOf` returns what belongs to a match behind
 * it; `undefined` if what stands there says that there is no value.
 */
function rule(
  needs: RegExp,
  source: string,
  make: Make,
  restOf?: (text: string, end: number, groups: Groups) => Rest | undefined,
): Rule {
  const pattern = new RegExp(source, "g");
  const find = (text: string) => {
    const found: Found[] = [];
    if (!needs.test(text)) return found;
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const { 0: matched, index: start, groups = {} } = match;
      const rest = restOf === undefined
        ? { end: start + matched.trimEnd().length, groups }
        : restOf(text, start + matched.length, groups);
      pattern.lastIndex = rest === undefined ? start + 1 : Math.max(rest.end, start + 1);
      const value = rest && make(rest.groups, matched);
      if (value !== undefined) found.push({ start, end: rest!.end, value });
    }
    return found;
  };
  return { find };
}

function looseRule(needs: RegExp, source: string, make: Make): Rule {
  return { ...rule(needs, source, make), isLoose: true };
}

function withUnit(text: string, end: number, groups: Groups): Rest {
  const unit = unitAt(text, end);
  return unit === undefined ? { end, groups } : { end: end + unit.length, groups: { ...groups, unit } };
}

/** A number before a unit is none of these: 3-5 km, 第3天. */
function withoutUnit(text: string, end: number, groups: Groups): Rest | undefined {
  const isBeforeUnit =
    (unitAt(text, end) ?? (text[end] === " " ? unitAt(text, end + 1) : undefined)) !== undefined;
  return isBeforeUnit && !/^\D./.test(groups.han ?? "") ? undefined : { end, groups };
}

function withMagnitudeAndUnit(text: string, end: number, groups: Groups): Rest | undefined {
  const [magnitude, at] = behind(text, end, magnitudeAt);
  const more = text[at] === "余" ? at + 1 : at;
  const [unit, last] = behind(text, text[more] === "多" ? more + 1 : more, unitAt);
  // 3D is no number.
  if (last === end && IN_WORD.test(text[end] ?? "")) return undefined;
  // 200人, 200 户: what is counted belongs to the value.
  const place = text[last] === " " ? last + 1 : last, counter = text[place] ?? "";
  return unit === undefined && groups.money === undefined && COUNTED.has(counter)
    ? { end: place + 1, groups: { ...groups, magnitude, unit: counter } }
    : { end: last, groups: { ...groups, magnitude, unit } };
}

const IN_WORD = new RegExp(`[${LATIN}\\d]`);

/** Returns the word of a table behind a place, with a hyphen or a blank before it or not, and its end; the place if there is none. */
function behind(
  text: string,
  at: number,
  wordAt: (text: string, at: number) => string | undefined,
): [word: string | undefined, end: number] {
  const isApart = text[at] === " " || text[at] === "-";
  const apart = isApart ? wordAt(text, at + 1) : undefined;
  if (apart !== undefined) return [apart, at + 1 + apart.length];
  const word = wordAt(text, at);
  return [word, at + (word?.length ?? 0)];
}

/** The longest Chinese number that stands before a unit or a counter: 三百分点 is 三 and 百分点. */
function withCounter(text: string, end: number, groups: Groups): Rest | undefined {
  const han = groups.han!;
  for (let length = han.length; length > 0; length--) {
    if (han[length - 1] === "点") continue;
    let at = end - han.length + length;
    if (text[at] === "余") at++;
    if (text[at] === "多") at++;
    const next = text[at];
    if (next === undefined || !/[一-鿿]/.test(next)) continue;
    const unit = unitAt(text, at) ?? (COUNTERS.includes(next) ? next : undefined);
    if (unit !== undefined) {
      return { end: at + unit.length, groups: { ...groups, han: han.slice(0, length), unit } };
    }
  }
  return undefined;
}

/** Is in every text with a month in English. */
const HAS_MONTH = /jan|feb|mar|apr|may|ju[nl]|aug|sep|oct|nov|dec/;
const MONTH =
  /\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?/g;
/** Words before and behind a month that make a date of it: 18 Jan 2024; January 18, 2024; January 2024. */
const WITH_MONTH: readonly (readonly [before: RegExp, behind: RegExp])[] = [
  [new RegExp(`(?<!\\d)${DAY}(?: of)?[ -]$`), new RegExp(`^,?(?:[ -]${YEAR}(?!\\d))?`)],
  [/$/, new RegExp(`^ ${DAY}(?!\\d|[.,]\\d{3})(?:(?:,| ,)? ?${YEAR}(?!\\d))?`)],
  [/$/, new RegExp(`^(?: of|,)? ${YEAR}(?!\\d)`)],
];
/** Units before and behind a month at most that are looked at. */
const NEAR_MONTH = 16;

function englishDates(text: string): Found[] {
  if (!HAS_MONTH.test(text) || !HAS_DIGIT.test(text)) return [];
  const months = [...text.matchAll(MONTH)];
  return WITH_MONTH.flatMap(([before, behind]) =>
    months.flatMap(({ 0: name, index }) => {
      const end = index + name.length;
      const left = before.exec(text.slice(Math.max(0, index - NEAR_MONTH), index));
      const right = left && behind.exec(text.slice(end, end + NEAR_MONTH));
      if (!right) return [];
      const value = dateOf({ ...left!.groups, ...right.groups, name });
      return value === undefined
        ? []
        : [{ start: index - left![0].length, end: end + right[0].length, value }];
    })
  );
}

/** Twelve thousand, three days. */
function englishQuantities(text: string): Found[] {
  const found: Found[] = [];
  for (const { start, end } of englishNumbersIn(text)) {
    const unit = /[- ]/.test(text[end] ?? "") ? unitAt(text, end + 1) : undefined;
    const value = measured(englishNumber(text.slice(start, end)), 1, unit, 0);
    if (value !== undefined) {
      found.push({ start, end: end + (unit === undefined ? 0 : unit.length + 1), value });
    }
  }
  return found;
}

function numeral(text: string): number {
  return /^\d/.test(text) ? Number(text) : chineseNumber(text);
}

function quantity(amount: number, dimension: string | undefined, half: number): QuantityValue | undefined {
  return Number.isFinite(amount) ? { kind: "quantity", amount, dimension, half } : undefined;
}

function dateOf({ year, month, name, day }: Groups): DateValue | undefined {
  const parts = {
    ...(year === undefined ? {} : { year: numeral(year) }),
    ...(name !== undefined
      ? { month: MONTHS.indexOf(name.slice(0, 3)) + 1 }
      : month === undefined
      ? {}
      : { month: numeral(month) }),
    ...(day === undefined ? {} : { day: numeral(day) }),
  };
  const { month: m = 1, day: d = 1 } = parts;
  return m < 1 || m > 12 || d < 1 || d > 31 ? undefined : { kind: "date", ...parts };
}

function shortDateOf({ one, other, sign, year }: Groups): DateValue | CodeValue | undefined {
  const [first, second] = [Number(one), Number(other)];
  if (sign === "." || first === second || first > 12) return dateOf({ year, month: other, day: one });
  if (second > 12) return dateOf({ year, month: one, day: other });
  return { kind: "code", code: `${first}/${second}/${year}` };
}

function timeOf({ hour, minute = "0", half }: Groups): TimeValue | undefined {
  const h = Number(hour);
  if (h > 24) return undefined;
  return {
    kind: "time",
    minutes: (half === undefined ? h : h % 12 + (half === "p" ? 12 : 0)) * 60 + Number(minute),
  };
}

function chineseTimeOf({ early, hour, minute, halfpast }: Groups): TimeValue | undefined {
  // 三点 may be three points of a speech.
  if (early === undefined && minute === undefined && !/^\d/.test(hour!)) return undefined;
  const h = numeral(hour!);
  if (h > 24) return undefined;
  const isLate = early !== undefined && /下午|傍晚|晚/.test(early) && h < 12;
  const minutes = halfpast !== undefined ? 30 : minute === undefined ? 0 : numeral(minute);
  return { kind: "time", minutes: (h + (isLate ? 12 : 0)) * 60 + minutes };
}

const PARTS: Readonly<Record<string, number>> = { third: 3, quarter: 4, fourth: 4, fifth: 5 };

function scoreOf({ one, other }: Groups): CodeValue {
  return { kind: "code", code: `${Number(one)}:${Number(other)}` };
}

function fileOf(_: Groups, text: string): CodeValue {
  return { kind: "code", code: text };
}

function fractionOf({ above, below, part }: Groups): QuantityValue | undefined {
  const top = above === "a" ? 1 : /^[a-z]/.test(above!) ? englishNumber(above!) : numeral(above!);
  const bottom = part !== undefined
    ? PARTS[part.replace(/s$/, "")]!
    : below === "百"
    ? 100
    : below === "千"
    ? 1000
    : numeral(below!);
  return quantity(top / bottom, "share", 0);
}

function quantityOf({ money, minus, digits, magnitude, unit }: Groups): QuantityValue | undefined {
  // 1.234,5 in other languages.
  const isComma = /,\d{1,2}$/.test(digits!);
  const plain = isComma ? digits!.replaceAll(".", "").replace(",", ".") : digits!.replaceAll(",", "");
  const scale = magnitude === undefined ? 1 : MAGNITUDES.get(magnitude.replace(/s$/, ""))!;
  const decimals = /\.(\d+)/.exec(plain)?.[1]?.length ?? 0;
  const zeros = decimals > 0 || scale > 1 ? 0 : /0*$/.exec(plain)![0].length;
  // $30m are thirty million dollars.
  if (money !== undefined && unit === "m") return measured(Number(plain), 1e6, money, 0);
  return measured(
    Number(plain) * (minus === undefined ? 1 : -1),
    scale,
    unit ?? money,
    10 ** (zeros - decimals) / 2,
  );
}

function chineseQuantityOf({ minus, han, unit }: Groups): QuantityValue | undefined {
  // 一个, 一次 are often no count.
  if (han === "一" && !UNITS.has(unit!)) return undefined;
  // 三点五万 is 3.5 times 10,000.
  const [, number, scale] = /^(.*?点.*?)([万亿]*)$/.exec(han!) ?? [, han!, ""];
  const factor = Array.from(scale!).reduce((product, sign) => product * MAGNITUDES.get(sign)!, 1);
  return measured(chineseNumber(number!) * (minus === undefined ? 1 : -1), factor, unit, 0);
}

function parted({ yi = "0", wan = "0", rest = "0", thousand, unit }: Groups): QuantityValue | undefined {
  return measured(
    Number(yi) * 1e8 + Number(wan) * 1e4 + Number(rest) * (thousand === undefined ? 1 : 1000),
    1,
    unit,
    0,
  );
}

function measured(
  number: number,
  scale: number,
  unit: string | undefined,
  half: number,
): QuantityValue | undefined {
  const { dimension, factor } = UNITS.get(unit ?? "") ?? { dimension: undefined, factor: 1 };
  const value = quantity(number * scale * factor, dimension, half * scale * factor);
  const counted = COUNTED.get(unit ?? "");
  return value && counted !== undefined ? { ...value, counted } : value;
}
