/**
 * Numbers and dates as people write them, in one form: `1,234.5` is 1234.5; `18 Jan 2024`, `January 18, 2024`, `2024/1/18`,
 * `2024年1月18日` and `二〇二四年一月十八日` are 2024-01-18. A date that two countries read differently, such as `1/2/2024`, is
 * none. Texts must be in NFKC. Below it: texts as they are compared.
 */

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const MONTH =
  "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";
const DIGITS = "〇一二三四五六七八九";
/** Chinese digits, with the circles that some people type for zero. */
const CHINESE_DIGITS = `${DIGITS}零○`;
const DIGIT = `[${CHINESE_DIGITS}]`;

/**
 * Each form begins with a digit, so that a text without digits is passed quickly. Behind the last digit no other one follows,
 * also not after a point or a slash, as in versions and paths.
 */
const FORMS: readonly string[] = [
  // 2024-01-18, 2024/1/18, 2024.1.18
  "(?<year>\\d{4})(?<tie>[-/.])(?<month>\\d{1,2})\\k<tie>(?<day>\\d{1,2})(?!\\d|[./]\\d)",
  // 2024年1月18日
  "(?<year>\\d{4}) ?年 ?(?<month>\\d{1,2}) ?月 ?(?<day>\\d{1,2}) ?[日号號]",
  // 18 Jan 2024, 18th of January 2024, 18-Jan-2024
  `(?<day>\\d{1,2})(?:st|nd|rd|th)?(?: of)?[ -](?<name>${MONTH})\\b\\.?,?[ -](?<year>\\d{4})(?!\\d)`,
  // January 18, 2024
  `(?<=\\b(?<name>${MONTH})\\.? )(?<day>\\d{1,2})(?:st|nd|rd|th)?,? (?<year>\\d{4})(?!\\d)`,
  // 18.01.2024, and where only one of the numbers can be a month: 18/1/2024, 1/18/2024
  "(?<one>\\d{1,2})(?<sign>[-/.])(?<other>\\d{1,2})\\k<sign>(?<year>\\d{4})(?!\\d|[./]\\d)",
  // 二〇二四年一月十八日
  `(?<year>[一二]${DIGIT}{3}) ?年 ?(?<month>十?[一二三四五六七八九十]) ?月 ?(?<day>[一二三四五六七八九十廿卅]{1,3}) ?[日号號]`,
  // 1,234.5
  "(?<!,)(?<number>[1-9]\\d{0,2}(?:,\\d{3}){1,6}(?:\\.\\d+)?)(?!\\d|[.,]\\d)",
];

/** Finds the next form of {@linkcode FORMS}; the first that fits a place is taken. */
const VALUE = new RegExp(`(?<![\\d./])(?:${FORMS.join("|")})`, "gi");

/**
 * Returns the numbers and dates in a text that can be written in other ways: dates as `2024-01-18`, numbers with separators
 * between thousands without them. Takes linear time.
 */
export function writtenValues(text: string): string[] {
  return Array.from(writtenForms(text), ({ value }) => value);
}

const SPACE = 0x20, COMMA = 0x2c, HYPHEN = 0x2d, POINT = 0x2e, SLASH = 0x2f, ZERO = 0x30, NINE = 0x39;
const CHINESE_ONE = 0x4e00, CHINESE_TWO = 0x4e8c, YEAR = 0x5e74;
/** First letters of the names of months and of `of`. */
const MONTH_STARTS = letterBits("jfmasond");
/** First letters of `st`, `nd`, `rd` and `th`. */
const ORDINAL_STARTS = letterBits("snrt");

/** Returns small letters as a set of bits: bit 1 is `a`. */
function letterBits(letters: string): number {
  return [...letters].reduce((bits, letter) => bits | 1 << (letter.charCodeAt(0) & 0x1f), 0);
}

/**
 * Returns whether {@linkcode writtenValues} may find a value in a text, given as UTF-16 units that a 0 follows. It is quicker and rules out
 * most texts, because it only looks at the two characters after each run of digits.
 */
export function mayHoldValues(units: Uint16Array, length: number): boolean {
  for (let at = 0; at < length; at++) {
    const unit = units[at]!;
    // Every unit that is indexed comes here, and most are letters, Chinese characters and spaces.
    if (unit < ZERO || unit > CHINESE_TWO) continue;
    if (unit > NINE) {
      if (unit < CHINESE_ONE) continue;
      // 一九九九年, 二〇二四年
      const isYear = unit === CHINESE_ONE || unit === CHINESE_TWO;
      if (isYear && CHINESE_DIGITS.includes(String.fromCharCode(units[at + 1]!))) return true;
      continue;
    }
    const start = at++;
    while (units[at]! >= ZERO && units[at]! <= NINE) at++;
    if (at - start <= 4 && mayGoOn(units, at, at - start)) return true;
  }
  return false;
}

/** Whether a date or number may begin with `digits` digits before `at`. */
function mayGoOn(units: Uint16Array, at: number, digits: number): boolean {
  const unit = units[at]!, next = units[at + 1]!;
  const isDigit = next >= ZERO && next <= NINE;
  if (unit === YEAR) return digits === 4;
  if (unit === SPACE) {
    return digits === 4 ? next === YEAR : digits < 3 && (isDigit || isIn(MONTH_STARTS, next));
  }
  if (unit === COMMA) return digits < 4 && (isDigit || next === SPACE);
  if (unit === HYPHEN) return digits !== 3 && (isDigit || isIn(MONTH_STARTS, next));
  if (unit === POINT || unit === SLASH) return digits !== 3 && isDigit;
  return digits < 3 && isIn(ORDINAL_STARTS, unit);
}

/** Whether a unit is one of some letters, of either case. */
function isIn(letters: number, unit: number): boolean {
  const letter = unit | 0x20;
  return letter >= 0x61 && letter <= 0x7a && (letters >>> (letter & 0x1f) & 1) === 1;
}

/** A number without separators between thousands, as `1,234.5` may be written too. */
const PLAIN = /(?<![\d.,/:\-\p{L}_])[1-9]\d{3,15}(?:\.\d+)?(?![\d\p{L}_]|[.,/:\-]\d)/gu;

/** A number or date as a text writes it, and in its one form. */
export interface WrittenForm {
  readonly words: string;
  readonly value: string;
}

/** Returns the numbers and dates in a text, those of {@linkcode writtenValues}. */
function* writtenForms(text: string): Generator<WrittenForm> {
  for (const { 0: words, groups } of text.matchAll(VALUE)) {
    const value = groups!.number?.replaceAll(",", "") ?? isoDate(groups!);
    // A month may stand before the match.
    const month = groups!.name === undefined || words.includes(groups!.name) ? "" : `${groups!.name} `;
    if (value !== undefined) yield { words: month + words, value };
  }
}

/** Returns the numbers and dates in a text that can be written, or are written, in other ways. Equal numbers have one value. */
export function comparableForms(text: string): WrittenForm[] {
  const plain = Array.from(text.replace(VALUE, " ").matchAll(PLAIN), ([words]) => ({ words, value: words }));
  return [...writtenForms(text), ...plain].map(({ words, value }) => ({ words, value: withoutZeros(value) }));
}

/** Returns a number without the zeros at the end of its fraction. A regular expression would look at each zero before them, too. */
function withoutZeros(value: string): string {
  if (!value.includes(".")) return value;
  let end = value.length;
  while (value[end - 1] === "0") end--;
  return value.slice(0, value[end - 1] === "." ? end - 1 : end);
}

/** A whole text that is a date, maybe with a time, a time zone and the day of the week. */
const DATE = new RegExp(
  `^(?:${
    FORMS.slice(0, -1).join("|")
  }|${MONTH}\\.? \\d{1,2}(?:st|nd|rd|th)?,? \\d{4})(?:[T ,]*(?<hour>\\d{1,2}):(?<minute>\\d{2})(?::(?<second>\\d{2})(?:\\.\\d+)?)?` +
    `(?: ?(?<half>[ap])m)?)?(?: ?(?:Z|UTC|[+-]\\d{2}:?\\d{2}))?$`,
  "i",
);

/**
 * Returns a text that is a date as `2024-01-18`, or as `2024-01-18T09:30:00` if it has a time, else undefined. The texts of
 * two dates compare as their times do; a zone is ignored, as times of a table are of one place.
 */
export function dateOf(text: string): string | undefined {
  if (text.length > 60) return undefined;
  const plain = text.normalize("NFKC").trim().replace(/\s+/g, " ").replace(
    /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i,
    "",
  );
  const groups = DATE.exec(plain)?.groups;
  if (groups === undefined) return undefined;
  const day = groups.year === undefined ? writtenValues(plain)[0] : isoDate(groups);
  if (day === undefined || !/^\d{4}-/.test(day)) return undefined;
  const { hour, minute, second = "00", half } = groups;
  if (hour === undefined) return day;
  const hours = half === undefined ? Number(hour) : Number(hour) % 12 + (half.toLowerCase() === "p" ? 12 : 0);
  return `${day}T${String(hours).padStart(2, "0")}:${minute}:${second}`;
}

const NUMBER =
  /^(?<open>\()?(?<sign>[-+])?(?:\p{Sc}|[A-Z]{3}|元|RMB)? ?(?<digits>\d+(?:,\d{3})*(?:\.\d+)?|\.\d+)(?<exponent>e[-+]?\d+)? ?(?<unit>%|‰|万|萬|亿|億)? ?(?:\p{Sc}|[A-Z]{3}|元)?\)?$/iu;
const UNITS: Readonly<Record<string, number>> = { 万: 1e4, 萬: 1e4, 亿: 1e8, 億: 1e8 };

/**
 * Returns a text that is a number, with separators, a currency, `%` or 万, as a number; else undefined. `12%` is 12, as it is
 * shown, and an amount in brackets is negative.
 */
export function numberOf(text: string): number | undefined {
  if (text.length > 60) return undefined;
  const groups = NUMBER.exec(text.normalize("NFKC").trim().replace("−", "-"))?.groups;
  if (groups === undefined) return undefined;
  const { open, sign, digits, exponent = "", unit } = groups;
  const value = Number(digits!.replaceAll(",", "") + exponent) * (unit === undefined ? 1 : UNITS[unit] ?? 1);
  return sign === "-" || open !== undefined ? -value : value;
}

type Groups = Readonly<Record<string, string | undefined>>;

function isoDate({ year, month, day, name, one, other, sign }: Groups): string | undefined {
  const named = name === undefined ? undefined : MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
  const y = numeral(year!);
  if (one === undefined) return valid(y, named ?? numeral(month!), numeral(day!));
  const [first, second] = [Number(one), Number(other)];
  if (sign === "." || first === second) return valid(y, second, first);
  if (first > 12) return valid(y, second, first);
  return second > 12 ? valid(y, first, second) : undefined;
}

function valid(year: number, month: number, day: number): string | undefined {
  if (year < 1000 || month < 1 || month > 12 || day < 1) return undefined;
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (day > last) return undefined;
  return `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

/** Returns the number of digits, of Chinese ones too: 二〇二四, 十八, 二十, 廿一. */
function numeral(text: string): number {
  if (/^\d/.test(text)) return Number(text);
  const digits = text.replaceAll(/[零○]/g, "〇").replace("廿", "二十").replace("卅", "三十");
  const [tens, ones] = digits.split("十");
  const value = (digit: string) => Number(Array.from(digit, (one) => DIGITS.indexOf(one)).join(""));
  return ones === undefined
    ? value(tens!)
    : (tens === "" ? 1 : value(tens!)) * 10 + (ones === "" ? 0 : value(ones));
}

/** Texts that {@linkcode folded} changes only in case. */
const ASCII = /^[!-~]*$/;

/** Returns a text as it is compared: without differences of case, width and spaces. */
export function folded(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text.normalize("NFKC").toLowerCase().trim().replace(/\s+/g, " ");
}
