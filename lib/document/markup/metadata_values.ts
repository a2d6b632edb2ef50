const NUMBERS =
  /^(\d{4})(?:[-/.年]\s?(\d{1,2})(?:[-/.月]\s?(\d{1,2})日?)?月?)?年?(?:[T\s]+(\d{1,2}):(\d{2})(?::(\d{2}))?[.\d]*\s*(Z|[+-]\d{2}:?\d{2})?)?/;
const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const DAY_FIRST = /^(?:\w+,\s*)?(\d{1,2})(?:st|nd|rd|th)?\s+([A-Za-z]{3,9})\.?,?\s+(\d{4})/;
const MONTH_FIRST = /^([A-Za-z]{3,9})\.?\s+(?:(\d{1,2})(?:st|nd|rd|th)?,?\s+)?(\d{4})/;

/**
 * Returns a date as people write it in ISO 8601: `2024/5/1`, `2024年5月1日` and `May 1, 2024` become `2024-05-01`. A time
 * without a time zone stays without one. `undefined` if the value is not a date.
 */
export function isoDate(value: string | undefined): string | undefined {
  const text = value?.trim() ?? "";
  const numbers = NUMBERS.exec(text);
  if (numbers !== null) {
    const [, year, month, day, hour, minute, second, zone] = numbers;
    const date = dateOf(year!, month, day);
    if (date === undefined || day === undefined || hour === undefined || Number(hour) > 23) return date;
    const time = `${pad(hour)}:${minute}${second === undefined ? "" : `:${second}`}`;
    return `${date}T${time}${zone === undefined ? "" : zone.replace(/^([+-]\d{2}):?(\d{2})$/, "$1:$2")}`;
  }
  const dayFirst = DAY_FIRST.exec(text);
  if (dayFirst !== null) return dateOf(dayFirst[3]!, monthOf(dayFirst[2]!), dayFirst[1]);
  const monthFirst = MONTH_FIRST.exec(text);
  return monthFirst === null ? undefined : dateOf(monthFirst[3]!, monthOf(monthFirst[1]!), monthFirst[2]);
}

/** Returns the BCP 47 tag for the language of a document: `zh_cn` becomes `zh-CN`. `undefined` for names of languages. */
export function languageTag(value: string | undefined): string | undefined {
  const tag = value?.trim().replace(/\..*$/, "").replaceAll("_", "-") ?? "";
  if (!/^[a-z]{2,3}(?:-[a-z\d]{2,8}){0,3}$/i.test(tag)) return undefined;
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}

function monthOf(name: string): string | undefined {
  const index = MONTHS.indexOf(name.slice(0, 3).toLowerCase());
  return index < 0 ? "0" : `${index + 1}`;
}

/** Returns the date with the parts that are given; `undefined` if a part is out of range. */
function dateOf(year: string, month?: string, day?: string): string | undefined {
  if (month === undefined) return year;
  if (Number(month) < 1 || Number(month) > 12) return undefined;
  if (day === undefined) return `${year}-${pad(month)}`;
  return Number(day) < 1 || Number(day) > 31 ? undefined : `${year}-${pad(month)}-${pad(day)}`;
}

function pad(part: string): string {
  return part.padStart(2, "0");
}
