/** Words after which a full stop does not end the sentence. */
const ABBREVIATION =
  /(?:^|[\s("'])(?:[A-Z]|(?:[A-Za-z]\.)+[A-Za-z]|Dr|Mr|Mrs|Ms|St|Mt|Sr|Jr|Prof|Gen|Lt|Col|vs|No|ca?|cf|al|etc|approx)\.\s*$/;

/** Returns the trimmed sentences of a text (Unicode TR 29, abbreviations joined). */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let open = "";
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(text)) {
    open += segment;
    if (ABBREVIATION.test(segment)) continue;
    if (open.trim() !== "") sentences.push(open.trim());
    open = "";
  }
  if (open.trim() !== "") sentences.push(open.trim());
  return sentences;
}
