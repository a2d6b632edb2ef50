/**
 * The values that sentences state, and how two of them relate: the same, or different in the number, the date, the unit.
 */

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
  /** The things that a Chinese counter counts, such as people or kinds; most counters say nothing of it. */
  readonly counted?: string;
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

export type Value = DateValue | QuantityValue | TimeValue | CodeValue;

export type Bound = "over" | "under";

/** A value and the place where it is written, in UTF-16 units. */
export interface WrittenValue {
  readonly value: Value;
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

/** Endings of files that answers speak of, as a pattern. */
export const FILE_ENDINGS =
  "pdf|docx?|odt|rtf|txt|md|html?|xlsx?|ods|csv|tsv|pptx?|odp|json|jsonl|ya?ml|toml|xml|ini|epub|png|jpe?g|gif|svg|tiff?|webp|mp[34]|wav|zip|tar|gz|7z|py|ts|js|java|go|rs|cpp|sh|sql|log|eml|exe|dmg|deb|rpm|apk";

/** How two values of two texts relate: the same, or different in the number, the date, the unit, or the name of a file. */
export type Relation = "same" | "number" | "date" | "unit" | "name";

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
  if (isEqual && a.counted !== undefined && b.counted !== undefined && a.counted !== b.counted) return "unit";
  if (isEqual && canBeSame) return isOpposite ? "number" : "same";
  // A fall by 5 % may be written as −5 %.
  if (a.amount === -b.amount && canBeSame) return a.dimension === "celsius" ? "number" : undefined;
  // About 1 mile is not about 1 km.
  if (isKnown && haveSameDigits(claimed.text, source.text)) return "unit";
  if (claimed.rounded && apart <= a.half && canBeSame) return "same";
  const isPlain = source.bound === undefined || source.bound === claimed.bound && source.rounded;
  if (claimed.bound !== undefined && isPlain && a.dimension === b.dimension) {
    const [less, more] = claimed.bound === "over" ? [a.amount, b.amount] : [b.amount, a.amount];
    // Far from the bound it holds, but nobody would say it so: it may be about something else.
    if (less < more) return more <= less * NEAR_BOUND ? "same" : undefined;
  }
  return a.dimension === b.dimension ? "number" : undefined;
}

function haveSameDigits(a: string, b: string): boolean {
  const digits = a.replace(/[^\d.]/g, "");
  return digits !== "" && digits === b.replace(/[^\d.]/g, "");
}

/** How many times a bound the value may be that stands for it. */
const NEAR_BOUND = 1.25;

/** Matches the result of a match, or a ratio: 3:2. */
const SCORE = /^\d+:\d+$/;
const FILE = new RegExp(`\\.(?:${FILE_ENDINGS})$`);
