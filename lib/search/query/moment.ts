const DAY = /^(\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2}))?)?$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/**
 * The first moment of a day (`2024-05-01`), month (`2024-05`) or year (`2024`) in local time, with `-` or `/` between the
 * parts; or a moment in ISO 8601. Nothing for any other text and for days that do not exist.
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
  // 30 February becomes a day in March, year 24 becomes 1924
  const same = date.getFullYear() === year && date.getMonth() === month - 1 && date.getDate() === day;
  return same ? date : undefined;
}
