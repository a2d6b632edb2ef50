import type { JudgedQuery, TestCollection, TestDocument } from "#library/evaluate/mod.ts";
import { align } from "./align.ts";
import { Overlap } from "./overlap.ts";
import { sentencesOf } from "./sentences.ts";

/**
 * A sentence is labelled only if its share of the question's idf exceeds that of every other sentence of the document by
 * this much.
 */
const MARGIN = 0.03;

/** Returns the index of the document's sentence that answers a question, or `undefined` if that is not clear. */
export type Labeller = (
  query: JudgedQuery,
  document: string,
  sentences: readonly string[],
) => number | undefined;

/** A document in both languages, cut into aligned sentences. */
interface SplitDocument {
  readonly id: string;
  readonly first: readonly string[];
  readonly second: readonly string[];
}

/**
 * Splits a collection and its translation (the same ids of documents and queries, one document per query) into collections
 * of single sentences, with the same ids in both: `DOCUMENT-NUMBER`. Titles are left out, because they would identify the
 * document. By default, {@linkcode overlapLabeller} finds the sentence that answers a question in the **other** language;
 * `known` finds it among the sentences of the first. Throws `Error` if the two collections have different ids.
 */
export function splitPair(
  first: TestCollection,
  second: TestCollection,
  known?: Labeller,
): { first: TestCollection; second: TestCollection } {
  const documents = splitDocuments(first, second);
  const [firstTexts, secondTexts] = [
    documents.map((each) => each.first),
    documents.map((each) => each.second),
  ];
  const byFirst = known ?? overlapLabeller(firstTexts.flat());
  const bySecond = overlapLabeller(secondTexts.flat());
  const byId = new Map(documents.map((document) => [document.id, document]));
  const other = new Map(second.queries.map((query) => [query.id, query]));
  const queries: { first: JudgedQuery[]; second: JudgedQuery[] } = { first: [], second: [] };
  for (const query of first.queries) {
    const translated = other.get(query.id);
    const [target] = query.targets;
    const document = byId.get(target?.document ?? "");
    if (translated === undefined || target === undefined || document === undefined) {
      throw new Error(`query ${query.id} is not in both collections`);
    }
    const inFirst = byFirst(query, document.id, document.first);
    const inSecond = known === undefined ? bySecond(translated, document.id, document.second) : inFirst;
    const judged = (each: JudgedQuery, sentence: number): JudgedQuery => ({
      id: each.id,
      text: each.text,
      targets: [{ document: `${document.id}-${sentence}`, gain: 1 }],
    });
    if (inSecond !== undefined) queries.first.push(judged(query, inSecond));
    if (inFirst !== undefined) queries.second.push(judged(translated, inFirst));
  }
  const sentences = (texts: readonly (readonly string[])[]): TestDocument[] =>
    documents.flatMap(({ id }, at) =>
      texts[at]!.map((text, sentence) => ({ id: `${id}-${sentence}`, title: "", text }))
    );
  return {
    first: { name: first.name, unit: "file", documents: sentences(firstTexts), queries: queries.first },
    second: { name: second.name, unit: "file", documents: sentences(secondTexts), queries: queries.second },
  };
}

function splitDocuments(first: TestCollection, second: TestCollection): SplitDocument[] {
  const size = ({ documents }: TestCollection) => documents.reduce((sum, { text }) => sum + text.length, 0);
  const ratio = size(second) / size(first);
  const translations = new Map(second.documents.map(({ id, text }) => [id, text]));
  return first.documents.map(({ id, text }) => {
    const translation = translations.get(id);
    if (translation === undefined) throw new Error(`document ${id} is not in both collections`);
    const [own, other] = [sentencesOf(text), sentencesOf(translation)];
    const lengths = (sentences: readonly string[]) => sentences.map((sentence) => sentence.length);
    const beads = align(lengths(own), lengths(other), ratio);
    // A document that cannot be aligned stays whole.
    if (beads.length === 0) return { id, first: [text], second: [translation] };
    return {
      id,
      first: beads.map((bead) => own.slice(...bead.first).join(" ")),
      second: beads.map((bead) => other.slice(...bead.second).join(" ")),
    };
  });
}

/** Chooses the sentence with the greatest share of the question's words, if its lead over the next one is clear. */
function overlapLabeller(sentences: readonly string[]): Labeller {
  const overlap = new Overlap(sentences);
  return ({ text }, _document, candidates) => {
    const ranked = candidates.map((sentence, at) => ({ at, held: overlap.of(text, sentence) }))
      .sort((a, b) => b.held - a.held);
    const [best, next] = ranked;
    if (best === undefined || next === undefined) return best?.at;
    return best.held - next.held >= MARGIN ? best.at : undefined;
  };
}
