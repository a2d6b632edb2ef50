/** A text of a document with marks: always text, never HTML. */
import type { WireMark } from "#wire/search.ts";

export function Marked(
  { text, marks }: {
    readonly text: string;
    readonly marks: readonly WireMark[];
  },
) {
  const parts = [];
  let at = 0;
  for (const { start, end } of marks.toSorted((a, b) => a.start - b.start)) {
    if (end <= at) continue;
    const from = Math.max(start, at);
    if (from > at) parts.push(text.slice(at, from));
    parts.push(<mark key={from}>{text.slice(from, end)}</mark>);
    at = end;
  }
  return <>{parts}{text.slice(at)}</>;
}
