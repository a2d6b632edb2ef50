/** The answer with the documents that are related to a document, and by what. */
import { type Language, message } from "#foundation/messages/mod.ts";
import { present } from "#foundation/present.ts";
import type { DocumentRelations, Hit } from "#library/search/mod.ts";
import { citationsAnswer } from "./citations.ts";
import { quotedAnswer, type Quotes } from "./quoted.ts";
import type { ShownHits } from "./search_answer.ts";

/** The known relations of a document. */
interface Known {
  /** Its links and tags; absent for a further page of the answer. */
  readonly relations: DocumentRelations | undefined;
  /** Its salient terms: frequent in it and rare elsewhere. */
  readonly terms: readonly string[];
  /** Documents that are named for their links, and for their tags. */
  readonly limit: number;
}

/** A related document and what it is related by. */
interface Related {
  readonly path: string;
  readonly isLinked: boolean;
  readonly isLinking: boolean;
  readonly tags: readonly string[];
  readonly terms: readonly string[];
}

/** Tags and terms that are named of one document. */
const MOST_NAMED = 3;

/**
 * Returns the passages of similar documents as citations. `related` lists what is known about each of them, and before them the
 * documents that are related by links and by rare tags, also those without a similar passage.
 */
export function relatedAnswer(shown: ShownHits, known: Known, language: Language) {
  const answer = citationsAnswer(shown, language);
  const related = relatedDocuments(shown.found.hits, known);
  if (related.length === 0) return answer;
  const data = related.map(({ path, isLinked, isLinking, tags, terms }) =>
    present({
      source: path,
      links_to: isLinking || undefined,
      linked_from: isLinked || undefined,
      shared_tags: tags.length > 0 ? tags : undefined,
      shared_terms: terms.length > 0 ? terms : undefined,
    })
  );
  const lines = quotedAnswer((quotes) =>
    [message(language, "related_summary"), ...related.map((one) => line(one, quotes, language))].join("\n")
  );
  return { ...answer, data: { ...answer.data, related: data }, text: `${lines}\n\n${answer.text}` };
}

function relatedDocuments(hits: readonly Hit[], { relations, terms, limit }: Known): Related[] {
  const { links = [], backlinks = [], sharers = [] } = relations ?? {};
  const [linked, linking] = [new Set(links), new Set(backlinks)];
  const tagsOf = new Map(sharers.map(({ path, tags }) => [path, tags]));
  const contents = new Map(hits.map(({ filePath, content }) => [filePath, spaced(content)]));
  // Linked both ways first, then links, then links to the document, then rare tags, then similar passages.
  const byLinks = [...linked.intersection(linking), ...linked, ...linking];
  const paths = new Set([
    ...[...new Set(byLinks)].slice(0, limit),
    ...sharers.slice(0, limit).map(({ path }) => path),
    ...contents.keys(),
  ]);
  return [...paths].map((path) => ({
    path,
    isLinked: linked.has(path),
    isLinking: linking.has(path),
    tags: (tagsOf.get(path) ?? []).slice(0, MOST_NAMED),
    terms: terms.filter((term) => contents.get(path)?.includes(HAN.test(term) ? term : spaced(term))).slice(
      0,
      MOST_NAMED,
    ),
  })).filter(({ isLinked, isLinking, tags, terms }) =>
    isLinked || isLinking || tags.length + terms.length > 0
  );
}

const HAN = /\p{sc=Han}/u;

/** Returns the words of a text with single blanks around them. Chinese has no blanks between words. */
function spaced(text: string): string {
  return ` ${text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim()} `;
}

function line(
  { path, isLinked, isLinking, tags, terms }: Related,
  { name }: Quotes,
  language: Language,
): string {
  const comma = message(language, "list_comma");
  const quoted = (values: readonly string[]) => values.map(name).join(comma);
  const reasons = [
    ...(isLinked ? [message(language, "related_links")] : []),
    ...(isLinking ? [message(language, "related_backlinks")] : []),
    ...(tags.length > 0
      ? [message(language, "related_tags", { tags: quoted(tags), count: tags.length })]
      : []),
    ...(terms.length > 0 ? [message(language, "related_terms", { terms: quoted(terms) })] : []),
  ];
  return `- ${name(path)}: ${reasons.join(comma)}`;
}
