const DAY = /^(\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2}))?)?$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/**
 * Returns the first moment of a day (`2024-05-01`), month (`2024-05`) or year (`2024`) in local time, with `-` or `/` as
 * separator, or a moment in ISO 8601. Returns `undefined` for other texts and for days that do not exist.
 */
export function momentOf(text: string): Date | undefined {
  if (MOMENT.test(text)) {
    const moment = new Date(text);
    return Number.isNaN(moment.getTime()) ? undefined : moment;
  }
  const parts = DAY.exec(text);
  if (parts === null) return undefined;
  const [year, month, day] = [Number(parts[1]), Number(parts[2] ?? 1), Number(parts[3] ?? 1)];
  const date = new Date(year, month - 1, day);
  // `Date` turns 30 February into a day in March, and the year 24 into 1924.
  const same = date.getFullYear() === year && date.getMonth() === month - 1 && date.getDate() === day;
  return same ? date : undefined;
}
