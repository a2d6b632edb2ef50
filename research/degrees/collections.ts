/**
 * The collections on which the match degrees are calibrated: each test collection once with a paragraph in a file and once with
 * many in a file, a quarter of the paragraphs left out, and questions whose answer is there, was left out, or is about something else.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { contentOf } from "#engine/query/mod.ts";
import { readBeir, type TestDocument } from "#library/evaluate/mod.ts";

/** A question with the documents that answer it; none if the collection has no answer. */
export interface Asked {
  readonly id: string;
  readonly text: string;
  /** Languages of the question and of the answer: `en`, `zh`, `en-zh` or `zh-en`. */
  readonly cell: string;
  /** Whether it is asked as its rarest words alone. */
  readonly isShort: boolean;
  /** Whether the answer is in the collection, was left out of it, or would never be there. */
  readonly kind: "answerable" | "left out" | "strange";
  /** The paragraphs that answer it. */
  readonly answers: readonly string[];
}

/** Files to index, and questions about them. */
export interface CalibrationSet {
  readonly name: string;
  readonly files: readonly TestDocument[];
  readonly questions: readonly Asked[];
}

type Language = "en" | "zh";

interface Paragraph {
  readonly language: Language;
  readonly text: string;
  /** The paragraphs that stand together in a long file have the same number. */
  readonly block: number;
}

/** Paragraphs of a long file. */
const IN_A_FILE = 40;
/** Every so many-th paragraph is left out. */
const LEFT_OUT = 4;
/** Folders of a dozen paragraphs in both languages, each of another article: every so many-th paragraph. */
const SMALL_FOLDERS = 8, SPREAD = 20;
/** Documents of the greater collections: vectors of local models take long. */
const MOST = { "cmrc2018-zh": 320, cranfield: 480 };

/** Returns a number from the hash of a name, the same in every run. */
export function hashOf(name: string): number {
  return createHash("sha256").update(name).digest().readUInt32BE(0);
}

/** Whether a question is of the half that the chances are fitted to. A question and its translation are of the same half. */
export function isForFitting(id: string): boolean {
  return hashOf(`half ${id}`) % 2 === 0;
}

/** Returns the sets of a folder of test collections. `given`: only every so many-th question of the great ones. */
export async function calibrationSets(folder: string, given: number): Promise<CalibrationSet[]> {
  const read = async (name: string, language: Language, most = Infinity, every = given) => {
    const { documents, queries } = await readBeir(join(folder, name));
    const paragraphs = documents.slice(0, most).map(({ text }, i): Paragraph => ({
      language,
      text: text.trim().replace(/\s*\n\s*/g, " "),
      block: Math.floor(i / IN_A_FILE),
    }));
    const numbers = new Map(documents.slice(0, most).map(({ id }, i) => [id, i]));
    const questions = queries.map(({ id, text, targets }) => ({
      id,
      text,
      numbers: targets.flatMap(({ document, gain }) => gain > 0 ? numbers.get(document) ?? [] : []),
    })).filter(({ id, numbers }) =>
      numbers.length > 0 && hashOf(`ask ${name.slice(0, 4)} ${id}`) % every === 0
    );
    return { name, language, paragraphs, questions };
  };
  const [en, zh, cmrc, cranfield] = [
    await read("xquad-en", "en"),
    await read("xquad-zh", "zh"),
    await read("cmrc2018-zh", "zh", MOST["cmrc2018-zh"]),
    await read("cranfield", "en", MOST.cranfield, 1),
  ];
  type Source = typeof en;
  /** The questions of a source about paragraphs, which may be another source's translations with the same numbers. */
  const about = (
    { name, language, questions }: Source,
    from: string,
    paragraphs: readonly (Paragraph | undefined)[],
  ) =>
    questions.flatMap(({ id, text, numbers }): Asked[] => {
      const there = numbers.filter((i) => paragraphs[i] !== undefined);
      if (there.length === 0) return [];
      const to = paragraphs[there[0]!]!.language;
      const held = there.filter((i) => !isLeftOut(from, i));
      return [{
        id: `${name.slice(0, 4)} ${id}`,
        text,
        isShort: false,
        cell: language === to ? language : `${language}-${to}`,
        kind: held.length > 0 ? "answerable" : "left out",
        answers: held.map((i) => paragraphs[i]!.text),
      }];
    });
  /** Questions that nothing in a collection of this language answers. */
  const strange = ({ name, language, questions }: Source, to: Language, share: number) =>
    questions.filter(({ id }) => hashOf(`strange ${name} ${id}`) % share === 0).map((
      { id, text },
    ): Asked => ({
      id: `${name.slice(0, 4)} ${id}`,
      text,
      isShort: false,
      cell: language === to ? language : `${language}-${to}`,
      kind: "strange",
      answers: [],
    }));
  const mixed = en.paragraphs.map((paragraph, i) =>
    paragraph.block % 2 === 0 ? paragraph : zh.paragraphs[i]!
  );
  const made = (
    name: string,
    parts: readonly (readonly [string, readonly Paragraph[]])[],
    questions: Asked[],
  ) =>
    [false, true].map((isLong) => ({
      name: `${name}${isLong ? ", long files" : ""}`,
      files: parts.flatMap(([from, paragraphs]) => filesOf(from, paragraphs, isLong)),
      questions: [...questions, ...shortened(questions)],
    }));
  return [
    ...made("xquad-en", [["xquad", en.paragraphs]], [
      ...about(en, "xquad", en.paragraphs),
      ...about(zh, "xquad", en.paragraphs),
      ...strange(cranfield, "en", 4),
      ...strange(cmrc, "en", 5),
    ]),
    ...made("xquad-zh", [["xquad", zh.paragraphs]], [
      ...about(zh, "xquad", zh.paragraphs),
      ...about(en, "xquad", zh.paragraphs),
      ...strange(cmrc, "zh", 5),
      ...strange(cranfield, "zh", 4),
    ]),
    ...made("cmrc2018-zh", [["cmrc", cmrc.paragraphs]], [
      ...about(cmrc, "cmrc", cmrc.paragraphs),
      ...strange(zh, "zh", 5),
      ...strange(en, "zh", 5),
    ]),
    ...made("cranfield", [["cranfield", cranfield.paragraphs]], [
      ...about(cranfield, "cranfield", cranfield.paragraphs),
      ...strange(en, "en", 5),
      ...strange(zh, "en", 5),
    ]),
    ...made("mixed", [["xquad", mixed], ["cmrc", cmrc.paragraphs], ["cranfield", cranfield.paragraphs]], [
      ...about(en, "xquad", mixed),
      ...about(zh, "xquad", mixed),
    ]),
    ...Array.from({ length: SMALL_FOLDERS }, (_, folder): CalibrationSet => {
      const few = en.paragraphs.map((paragraph, i) => {
        const at = Math.floor(i / SPREAD);
        return i % SPREAD !== folder ? undefined : at % 2 === 0 ? paragraph : zh.paragraphs[i]!;
      });
      const questions = [...about(en, "xquad", few), ...about(zh, "xquad", few)];
      return {
        name: "small folders",
        files: filesOf("xquad", few, false),
        questions: [...questions, ...shortened(questions)],
      };
    }),
  ];
}

/** Words of a short question. */
const FEW = 3;

/** Returns every second question as its rarest words among all questions, as people type into a search box. */
function shortened(questions: readonly Asked[]): Asked[] {
  const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });
  const wordsOf = (text: string) =>
    Array.from(segmenter.segment(contentOf(text).text)).filter(({ isWordLike }) => isWordLike).map((
      { segment },
    ) => segment);
  const counts = new Map<string, number>();
  for (const { text } of questions) {
    for (const word of new Set(wordsOf(text))) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return questions.filter(({ id }) => hashOf(`short ${id}`) % 2 === 0).map((question) => {
    const words = [...new Set(wordsOf(question.text))];
    const kept = new Set(words.toSorted((a, b) => counts.get(a)! - counts.get(b)!).slice(0, FEW));
    return { ...question, isShort: true, text: words.filter((word) => kept.has(word)).join(" ") };
  });
}

function isLeftOut(from: string, number: number): boolean {
  return hashOf(`left out ${from} ${number}`) % LEFT_OUT === 0;
}

function filesOf(
  from: string,
  paragraphs: readonly (Paragraph | undefined)[],
  isLong: boolean,
): TestDocument[] {
  const held = paragraphs.filter((one, i) => one !== undefined && !isLeftOut(from, i)) as Paragraph[];
  const groups = isLong ? Map.groupBy(held, ({ block }) => block).values() : held.map((one) => [one]);
  return Array.from(groups, (group, i) => ({
    id: `${from} ${i}`,
    title: "",
    text: group.map(({ text }) => text).join("\n\n"),
  }));
}

/** Returns whether a passage holds an answer: half of the paragraph is in it, or half of it is from the paragraph. */
export function holds(passage: string, answers: readonly string[]): boolean {
  return answers.some((answer) => {
    const shared = (answer.match(/[^.!?。！？]+[.!?。！？]*/g) ?? []).map((part) => part.trim())
      .filter((part) => passage.includes(part)).reduce((sum, { length }) => sum + length, 0);
    return shared >= Math.min(answer.length, passage.length) / 2;
  });
}
