/**
 * The values that a sentence states: dates, times, and quantities with their units, in English and Chinese, in one form: 三成, 30 % and
 * thirty percent are .3; 1.2万, 12,000 and twelve thousand are 12000; 公斤 and kg are 1000 g.
 */
import { chineseNumber, englishNumber } from "./numerals.ts";
import { MAGNITUDES, UNITS } from "./units.ts";

/** A date, as far as it is written. */
export interface DateValue {
  readonly kind: "date";
  readonly year?: number;
  readonly month?: number;
  readonly day?: number;
}

/** A number of something. */
export interface QuantityValue {
  readonly kind: "quantity";
  /** In the unit that the dimension is counted in. */
  readonly amount: number;
  /** Such as `mass`, `share`, `CNY`, `ordinal`; `undefined` for a number of things or without a unit. */
  readonly dimension: string | undefined;
  /** Half of the last written digit's worth: 1.2万 stands for 11500 to 12500 where it is said to be rounded. */
  readonly half: number;
}

/** A time of day in minutes. */
export interface TimeValue {
  readonly kind: "time";
  readonly minutes: number;
}

/** A word with digits that is no number, such as `RTX4090`, `v2.6.10`, or the name of a file with its ending. */
export interface CodeValue {
  readonly kind: "code";
  readonly code: string;
}

type Bound = "over" | "under";

/** A value and the place where it is written, in UTF-16 units. */
export interface WrittenValue {
  readonly value: DateValue | QuantityValue | TimeValue | CodeValue;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Whether it is said to be about that. */
  readonly rounded: boolean;
  /** Whether it is said to be more than that, or at least that; or less, or at most. The words are part of `text`. */
  readonly bound?: Bound;
  /** Whether it is often no value: "one" may be a pronoun, "first" an adverb. It counts where another value stands in its place. */
  readonly isLoose?: true;
}

/** How two values of two texts relate: the same, or different in the number, the date, the unit, or the name of a file. */
export type Relation = "same" | "number" | "date" | "unit" | "name";

type Groups = Readonly<Record<string, string | undefined>>;

/** Words that count things without measuring them. */
const COUNTERS =
  "个|名|人|位|家|座|条|件|次|辆|所|项|支|艘|架|台|套|部|本|张|户|种|类|届|期|门|处|场|轮|批|层|号";

/** Returns a pattern of names, the longest first. */
function oneOf(names: Iterable<string>): string {
  return [...names].sort((a, b) => b.length - a.length).map((name) =>
    name.replace(/[$.*+?^()[\]{}|\\/]/g, "\\$&")
  ).join("|");
}

const isHan = (name: string) => /\p{Script=Han}/u.test(name);
const isLatin = (name: string) => !isHan(name);
const HAN_UNIT = oneOf(UNITS.keys().filter(isHan));
const UNIT = `(?<unit>${HAN_UNIT}|(?:${oneOf(UNITS.keys().filter(isLatin))})(?![\\p{Script=Latin}\\p{N}]))`;
const MAGNITUDE = `(?<magnitude>${oneOf(MAGNITUDES.keys().filter(isHan))}|(?:${
  oneOf(MAGNITUDES.keys().filter(isLatin))
})s?(?![\\p{Script=Latin}\\p{N}]))`;
const MONEY = "(?<money>us\\$|hk\\$|[$€£¥]|rmb|usd|eur|gbp|cny)";
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const MONTH =
  "(?<name>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\b\\.?";
const YEAR = "(?<year>1\\d{3}|2[01]\\d{2})";
const DAY = "(?<day>[0-3]?\\d)(?:st|nd|rd|th)?";
const HAN = "[〇零○一二两三四五六七八九十百千]";
const ENGLISH =
  "(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|" +
  "(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?)";
const ENGLISH_NUMBER =
  `(?:(?:one|a|an|${ENGLISH}) (?:hundred|thousand|million|billion|trillion|dozen)|${ENGLISH})(?: (?:hundred|thousand|million|billion|trillion)| and ${ENGLISH}| ${ENGLISH})*`;

/** A minus: not the hyphen of a word, and not the dash of a range. */
const MINUS = "(?:(?<![\\p{Script=Latin}\\d)]|\\d\\S{0,6} )[-−]|\\b(?:minus|negative) |零下)";

/** Endings of files that answers speak of. */
const ENDINGS =
  "pdf|docx?|odt|rtf|txt|md|html?|xlsx?|ods|csv|tsv|pptx?|odp|json|jsonl|ya?ml|toml|xml|ini|epub|png|jpe?g|gif|svg|tiff?|webp|mp[34]|wav|zip|tar|gz|7z|py|ts|js|java|go|rs|cpp|sh|sql|log|eml|exe|dmg|deb|rpm|apk";

interface Rule {
  readonly pattern: RegExp;
  readonly make: (groups: Groups, text: string) => WrittenValue["value"] | undefined;
  readonly isLoose?: true;
}

/** Tried in this order; a later rule leaves out what an earlier one has taken. */
const RULES: readonly Rule[] = [
  // budget.docx, .pdf
  rule(
    `(?<![\\p{Script=Latin}\\p{N}_.-])[\\p{Script=Latin}\\p{N}_-]*\\.(?:${ENDINGS})(?![\\p{Script=Latin}\\p{N}_])`,
    fileOf,
  ),
  // 2024-01-18, 2024/1/18, 2024.1.18; 2024年1月18日, 二〇二四年一月十八日, 2024年1月
  rule(
    `(?<![\\d.])${YEAR}(?<tie>[-/.])(?<month>[01]?\\d)\\k<tie>(?<day>[0-3]?\\d)(?![\\d]|[./-]\\d)`,
    dateOf,
  ),
  rule(
    `(?<!\\d)(?<year>\\d{4}|[一二][〇零○一二三四五六七八九]{3}) ?年 ?(?:(?<month>[01]?\\d|${HAN}{1,2}) ?月(?!份?(?:内|里))(?: ?(?<day>[0-3]?\\d|${HAN}{1,3}) ?[日号號])?)?`,
    dateOf,
  ),
  // 18 Jan 2024, January 18, 2024, January 2024, 18 January, January 18
  rule(`(?<!\\d)${DAY}(?: of)?[ -]${MONTH},?(?:[ -]${YEAR}(?!\\d))?`, dateOf),
  rule(`\\b${MONTH} ${DAY}(?!\\d|[.,]\\d{3})(?:(?:,| ,)? ?${YEAR}(?!\\d))?`, dateOf),
  rule(`\\b${MONTH}(?: of|,)? ${YEAR}(?!\\d)`, dateOf),
  // 1月18日, 十二月, 3月
  rule(
    `(?<![\\d个])(?<month>[01]?\\d|十[一二]?|[一二三四五六七八九]) ?月(?: ?(?<day>[0-3]?\\d|${HAN}{1,3}) ?[日号號]|份)?`,
    dateOf,
  ),
  rule(`(?<!\\d)(?<day>[0-3]?\\d) ?[日号](?![元本]|[以之]?内)`, dateOf),
  // 18/1/2024 and 1/18/2024 where only one can be the month; 18.1.2024
  rule(
    `(?<![\\d./-])(?<one>[0-3]?\\d)(?<sign>[-/.])(?<other>[0-3]?\\d)\\k<sign>${YEAR}(?!\\d|[./]\\d)`,
    shortDateOf,
  ),
  // 14:30, 2:30 pm, 下午2点30分, 9时
  rule(
    "(?<!\\d[:：]?)(?<hour>[012]?\\d)[:：](?<minute>[0-5]\\d)(?!\\d|[:：]?\\d)(?: ?(?<half>[ap])\\.?m\\b\\.?)?",
    timeOf,
  ),
  rule("(?<!\\d)(?<hour>1?\\d) ?(?<half>[ap])\\.?m\\b\\.?", timeOf),
  rule(
    `(?<early>凌晨|清晨|早上|上午|中午|下午|傍晚|晚上|晚)?(?<!\\d)(?<hour>[012]?\\d|${HAN}{1,3}) ?[点时](?!候|间|代|钟头)(?:(?<minute>[0-5]?\\d|${HAN}{1,3}) ?分|(?<halfpast>半))?`,
    chineseTimeOf,
  ),
  // 3:2, 3比2, 3-2
  rule("(?<![\\d.:])(?<one>\\d{1,3})(?: ?: ?| ?比 ?)(?<other>\\d{1,3})(?![\\d:]|\\.\\d)", scoreOf),
  rule(
    `(?<![\\p{L}\\d.:/-])(?<one>\\d{1,2})[-–](?<other>\\d{1,2})(?![\\d:/–-]|\\.\\d| ?${UNIT}|[${COUNTERS}])`,
    (groups) => Number(groups.one) >= Number(groups.other) ? scoreOf(groups) : undefined,
  ),
  // 三分之二, 百分之三十, 1/3 of, two thirds, one third, a quarter, half, 一半
  rule(
    `(?<below>\\d{1,9}|百|千|${HAN}{1,9})分之(?<above>\\d+(?:\\.\\d+)?|${HAN}{1,9}(?:点${HAN}{1,9})?)`,
    fractionOf,
  ),
  rule("(?<![\\d/])(?<above>[1-9])/(?<below>[2-9]|1\\d)(?= of| 的|的)", fractionOf),
  rule(
    `\\b(?<above>one|two|three|a)[- ](?<part>thirds?|quarters?|fourths?|fifths?)\\b(?= of| |$|[,.;)])(?! (?:season|time|place|edition|term|person|party|album|book|film|game|child|day|year))`,
    fractionOf,
  ),
  rule("(?<half>\\bhalf\\b(?! an? )|一半|半数)", () => quantity(.5, "share", 0)),
  rule("(?<twice>\\btwice\\b|\\bdoubl(?:e|ed|es|ing)\\b|翻了?一?番)", () => quantity(2, "times", 0)),
  rule(`第(?<han>\\d+|${HAN}+)(?!\\d| ?${UNIT})`, ({ han }) => quantity(numeral(han!), "ordinal", 0)),
  // 3亿2000万, 2444万778元, 5万4千石
  rule(
    `(?<![\\d.,])(?:(?<yi>\\d+)亿(?<wan>\\d+)万(?<rest>\\d+)?|(?<wan>\\d+)万(?<rest>\\d+))(?<thousand>千)?(?![\\d.万亿])(?:${UNIT})?`,
    parted,
  ),
  // $1,234.5 million, 1,234.5 kg, 1.2万吨
  rule(
    `(?:(?<![\\p{Script=Latin}\\d.]|\\d,)|(?<=\\d[x×]))(?:${MONEY} ?)?(?<minus>${MINUS})?(?<digits>\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d{1,3}(?:\\.\\d{3})*,\\d{1,2}(?![\\d,])|\\d+(?:\\.\\d+)?|\\.\\d+)(?!\\d|[.,]\\d)(?:[- ]?${MAGNITUDE})?余?多?(?:[- ]?${UNIT})?(?:(?<=\\p{Script=Han})|(?![\\p{Script=Latin}\\d]))`,
    quantityOf,
  ),
  rule("\\b(?<digits>\\d+)(?:st|nd|rd|th)\\b", ({ digits }) => quantity(Number(digits), "ordinal", 0)),
  // 三百二十人, 两千万吨, 三天; not 一 alone, and not in 万一, 十分
  rule(
    `(?<![第点\\d.]|${HAN}|[万亿])(?<minus>零下)?(?<han>${HAN}(?:${HAN}|[万亿])*(?:点${HAN}+)?[万亿]*)余?多?(?<unit>${HAN_UNIT}|${COUNTERS})`,
    chineseQuantityOf,
  ),
  rule(`\\b(?<words>${ENGLISH_NUMBER})\\b(?:[- ]${UNIT})?`, englishQuantityOf),
  rule(
    "(?<![\\p{Script=Latin}\\p{N}_.-])(?=[\\p{Script=Latin}_.-]*\\d)(?=[\\d_.-]*\\p{Script=Latin}|\\d+[._-]\\d+[._-])(?<code>[\\p{Script=Latin}\\d]+(?:[._-][\\p{Script=Latin}\\d]+)*)",
    ({ code }) => ({
      kind: "code",
      code: code!.toLowerCase(),
    }),
  ),
  // Digits that are nothing of the above: a changed one is not the same.
  rule("\\d+(?:[.,:/-]\\d+)*", (_, text) => ({ kind: "code", code: text })),
  looseRule("\\b(?:one|a single)\\b(?! (?:of|another|day)\\b)", () => quantity(1, undefined, 0)),
  looseRule(`(?<![\\p{N}第统同唯十百千万])一(?=${COUNTERS})`, () => quantity(1, undefined, 0)),
  looseRule(
    "(?<!\\b(?:per|a|an|each|every|one|\\d) )\\b(?<nth>first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\\b",
    ({ nth }) => quantity(ORDINALS.indexOf(nth!.toLowerCase()) + 1, "ordinal", 0),
  ),
];

const ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split(" ");

const ROUNDED =
  /(?:\b(?:about|around|approximately|roughly|nearly|almost|some|circa|c\.)|约|大约|近|将近|达到?|左右)\s*$/iu;
const ROUNDED_AFTER = /^\s*(?:左右|上下|or so)/iu;

const OVER =
  "(?:over|more than|above|exceed(?:s|ed|ing)?|at least|greater than|higher than|longer than|older than)";
const UNDER = "(?:under|less than|fewer than|below|at most|up to|lower than|shorter than|younger than)";
/** Words before a value that make it a bound. With a negation they mean the opposite. */
const BOUND_BEFORE = new RegExp(
  `(?<!\\p{L})(?<no>\\b(?:no|not|never|cannot|n['’]t) (?:\\p{L}{1,9} )?)?(?:(?<over>${OVER})|${UNDER})\\s?$|` +
    "(?<非>[不未没])?(?:(?<超>超过|超出|逾|少于|低于|小于|至少|最少|高于|大于|多于|超)|至多|最多|不足|不到|未满|不满)\\s?$",
  "iu",
);
/** Words that mean less than a value, in the place of those that mean more. */
const LESS = /[少低小]于\s?$/u;
const OVER_AFTER = /^\s?(?:多|余|以上|or (?:more|older|above)\b|and (?:over|above)\b|plus\b|\+)/iu;
const UNDER_AFTER = /^\s?(?:以下|以内|or (?:less|fewer|younger|below)\b)/iu;

/** Returns how a value at a place is bounded, and how many units before it the words begin that say it. */
function boundAt(
  sentence: string,
  start: number,
  end: number,
): { readonly bound: Bound | undefined; readonly before: number } {
  const found = BOUND_BEFORE.exec(sentence.slice(Math.max(0, start - 32), start));
  if (found !== null) {
    const { no, over, 非, 超 } = found.groups!;
    const isOver = (over !== undefined || 超 !== undefined && !LESS.test(found[0])) !==
      (no !== undefined || 非 !== undefined);
    return { bound: isOver ? "over" : "under", before: found[0].length };
  }
  const after = sentence.slice(end, end + 12);
  const isOver = /[余多]/.test(sentence.slice(start, end)) || OVER_AFTER.test(after);
  return { bound: isOver ? "over" : UNDER_AFTER.test(after) ? "under" : undefined, before: 0 };
}

/** Returns the values in a sentence in NFKC, in the order of their places. */
export function valuesIn(sentence: string): WrittenValue[] {
  const found: WrittenValue[] = [];
  const taken = new Uint8Array(sentence.length);
  for (const { pattern, make, isLoose } of RULES) {
    for (const match of sentence.matchAll(pattern)) {
      const at = match.index, end = at + match[0].trimEnd().length;
      if (taken.subarray(at, end).includes(1)) continue;
      const value = make(match.groups ?? {}, match[0]);
      if (value === undefined) continue;
      const { bound, before } = value.kind === "quantity" && value.dimension !== "ordinal"
        ? boundAt(sentence, at, end)
        : { bound: undefined, before: 0 };
      const start = at - before;
      const rounded = ROUNDED.test(sentence.slice(Math.max(0, at - 24), at)) ||
        ROUNDED_AFTER.test(sentence.slice(end, end + 10)) || /[余多]/.test(sentence.slice(at, end + 1));
      taken.fill(1, start, end);
      const text = sentence.slice(start, end);
      found.push({ value, text, start, end, rounded, ...(bound && { bound }), ...(isLoose && { isLoose }) });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

/**
 * How a claimed value relates to one of a source. Less exact claims are the same: `2024` for a date of that year. A number without a
 * unit fits one with a unit, because tables have their units in the header. `undefined`: they are of different kinds, and say nothing
 * about each other.
 */
export function relation(claimed: WrittenValue, source: WrittenValue): Relation | undefined {
  const a = claimed.value, b = source.value;
  if (a.kind === "date" && b.kind === "date") {
    for (const part of ["year", "month", "day"] as const) {
      if (a[part] !== undefined && b[part] !== undefined && a[part] !== b[part]) return "date";
    }
    const isLess = (["year", "month", "day"] as const).every((part) =>
      a[part] === undefined || b[part] !== undefined
    );
    return isLess ? "same" : undefined;
  }
  if (a.kind === "date" && b.kind === "quantity") {
    if (a.year === undefined || b.dimension !== undefined) return undefined;
    if (a.year === b.amount) return a.month === undefined ? "same" : undefined;
    return a.month === undefined && isYear(source) ? "date" : undefined;
  }
  if (a.kind === "quantity" && b.kind === "date") {
    if (b.year === undefined || a.dimension !== undefined) return undefined;
    return a.amount === b.year ? "same" : isYear(claimed) ? "date" : undefined;
  }
  if (a.kind === "time" && b.kind === "time") return a.minutes === b.minutes ? "same" : "date";
  if (a.kind === "code" && b.kind === "code") {
    if (a.code === b.code) return "same";
    return SCORE.test(a.code) && SCORE.test(b.code)
      ? "number"
      : FILE.test(a.code) && FILE.test(b.code)
      ? "name"
      : undefined;
  }
  if (a.kind !== "quantity" || b.kind !== "quantity") return undefined;
  return quantityRelation(claimed, inDimension(a, b.dimension), source, inDimension(b, a.dimension));
}

/** Whether a value looks like a year. */
export function isYear({ value, text, bound }: WrittenValue): boolean {
  return value.kind === "quantity" && value.dimension === undefined && bound === undefined &&
    /^(?:1[5-9]|20)\d\d$/.test(text);
}

/** Returns an age as a duration where the other value is one. */
function inDimension(value: QuantityValue, other: string | undefined): QuantityValue {
  if (value.dimension !== "age" || other !== "months") return value;
  return { ...value, amount: value.amount * 12, dimension: other, half: value.half * 12 };
}

function quantityRelation(
  claimed: WrittenValue,
  a: QuantityValue,
  source: WrittenValue,
  b: QuantityValue,
): Relation | undefined {
  const apart = Math.abs(a.amount - b.amount);
  const isKnown = a.dimension !== undefined && b.dimension !== undefined;
  // "Third" is not three.
  const canBeSame = a.dimension === b.dimension || !isKnown && !source.isLoose;
  const isEqual = apart <= 1e-12 * Math.max(Math.abs(a.amount), Math.abs(b.amount));
  const isOpposite = claimed.bound !== undefined && source.bound !== undefined &&
    claimed.bound !== source.bound;
  if (isEqual && canBeSame) return isOpposite ? "number" : "same";
  // A fall by 5 % may be written as −5 %.
  if (a.amount === -b.amount && canBeSame) return a.dimension === "celsius" ? "number" : undefined;
  // About 1 mile is not about 1 km.
  const digits = claimed.text.replace(/[^\d.]/g, "");
  if (isKnown && digits !== "" && digits === source.text.replace(/[^\d.]/g, "")) return "unit";
  if (claimed.rounded && apart <= a.half && canBeSame) return "same";
  const isPlain = source.bound === undefined || source.bound === claimed.bound && source.rounded;
  if (claimed.bound !== undefined && isPlain && a.dimension === b.dimension) {
    const [less, more] = claimed.bound === "over" ? [a.amount, b.amount] : [b.amount, a.amount];
    // Far from the bound it holds, but nobody would say it so: it may be about something else.
    if (less < more) return more <= less * NEAR_BOUND ? "same" : undefined;
  }
  return a.dimension === b.dimension ? "number" : undefined;
}

/** How many times a bound the value may be that stands for it. */
const NEAR_BOUND = 1.25;

function rule(source: string, make: Rule["make"]): Rule {
  return { pattern: new RegExp(source, "giu"), make };
}

function looseRule(source: string, make: Rule["make"]): Rule {
  return { ...rule(source, make), isLoose: true };
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
      ? { month: MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1 }
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
    minutes: (half === undefined ? h : h % 12 + (half.toLowerCase() === "p" ? 12 : 0)) * 60 + Number(minute),
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

/** Matches the result of a match, or a ratio: 3:2. */
const SCORE = /^\d+:\d+$/;

function scoreOf({ one, other }: Groups): CodeValue {
  return { kind: "code", code: `${Number(one)}:${Number(other)}` };
}

const FILE = new RegExp(`\\.(?:${ENDINGS})$`);

function fileOf(_: Groups, text: string): CodeValue {
  return { kind: "code", code: text.toLowerCase() };
}

function fractionOf({ above, below, part }: Groups): QuantityValue | undefined {
  const top = above === "a" ? 1 : /^[a-z]/i.test(above!) ? englishNumber(above!) : numeral(above!);
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
  const scale = magnitude === undefined ? 1 : MAGNITUDES.get(magnitude.toLowerCase().replace(/s$/, "")) ?? 1;
  const decimals = /\.(\d+)/.exec(plain)?.[1]?.length ?? 0;
  const zeros = decimals > 0 || scale > 1 ? 0 : /0*$/.exec(plain)![0].length;
  // $30m are thirty million dollars.
  if (money !== undefined && unit?.toLowerCase() === "m") return measured(Number(plain), 1e6, money, 0);
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

function englishQuantityOf({ words, unit }: Groups): QuantityValue | undefined {
  return measured(englishNumber(words!), 1, unit, 0);
}

function measured(
  number: number,
  scale: number,
  unit: string | undefined,
  half: number,
): QuantityValue | undefined {
  const { dimension, factor } = UNITS.get(unit?.toLowerCase() ?? "") ?? { dimension: undefined, factor: 1 };
  return quantity(number * scale * factor, dimension, half * scale * factor);
}
