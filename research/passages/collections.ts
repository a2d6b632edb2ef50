import { createHash } from "node:crypto";
import type { TestCollection } from "#library/evaluate/mod.ts";
import { type Language, LANGUAGES, type Passage } from "./types.ts";

/** Languages of the questions and of the documents, by the name of the collection. */
const PAIRS: Readonly<Record<string, readonly [Language, Language]>> = {
  en: ["en", "en"],
  zh: ["zh", "zh"],
  tw: ["tw", "tw"],
  en2zh: ["en", "zh"],
  zh2en: ["zh", "en"],
};

/** Most passages of a half. Neural models need about a second for each. */
const MOST = 300;
/** A half with fewer passages is too small to compare systems. */
const LEAST = 100;
/** Characters of a text that are kept, at the end of a line if there is one. */
const MOST_TEXT: Readonly<Record<Language, number>> = { en: 2000, zh: 800, tw: 800 };
const LEAST_TEXT: Readonly<Record<Language, number>> = { en: 200, zh: 80, tw: 80 };
const LEAST_QUESTION: Readonly<Record<Language, number>> = { en: 12, zh: 5, tw: 5 };

export type Half = "dev" | "held";

/** Returns the collections of a source with their half and pair, such as `dev` and `en2zh`. */
export function* collectionsOf(
  passages: readonly Passage[],
): Generator<[Half, string, Pick<TestCollection, "documents" | "queries">]> {
  const byLanguage = new Map(LANGUAGES.map((language) => [language, usable(passages, language)]));
  for (const half of ["dev", "held"] as const) {
    for (const [name, [asked, searched]] of Object.entries(PAIRS)) {
      const questions = byLanguage.get(asked)!;
      const texts = byLanguage.get(searched)!;
      const ids = [...questions.keys()].filter((id) => texts.has(id) && halfOf(id) === half)
        .sort((a, b) => digest(a) < digest(b) ? -1 : 1).slice(0, MOST);
      if (ids.length < LEAST) continue;
      yield [half, name, {
        documents: ids.map((id) => ({ id, title: "", text: texts.get(id)!.text })),
        queries: ids.map((id) => ({
          id,
          text: questions.get(id)!.question,
          targets: [{ document: id, gain: 1 }],
        })),
      }];
    }
  }
}

/** Returns the passages of a language by id, without those that are short, untranslated, or asked for by the same words. */
function usable(passages: readonly Passage[], language: Language): Map<string, Passage> {
  const kept = passages.filter((passage) => passage.language === language).map((passage) => ({
    ...passage,
    text: cut(passage.text, MOST_TEXT[language]),
  })).filter(({ question, text }) =>
    question.length >= LEAST_QUESTION[language] && text.length >= LEAST_TEXT[language] &&
    isIn(question, language) && isIn(text, language)
  );
  const times = new Map<string, number>();
  for (const { question, text } of kept) {
    for (const key of [`q ${question}`, `t ${text}`]) times.set(key, (times.get(key) ?? 0) + 1);
  }
  return new Map(
    kept.filter(({ question, text }) => times.get(`q ${question}`) === 1 && times.get(`t ${text}`) === 1)
      .map((passage) => [passage.id, passage]),
  );
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = text.lastIndexOf("\n", most);
  return text.slice(0, end > most / 2 ? end : most).trim();
}

/** Whether a text is in a language: Chinese has at least 30 Chinese characters in a hundred letters. */
function isIn(text: string, language: Language): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  return language === "en" ? han === 0 && letters > 0 : han >= 0.3 * letters && han > 0;
}

/** A passage is in the same half in every language. */
function halfOf(id: string): Half {
  return parseInt(digest(`half ${id}`).slice(0, 2), 16) % 2 === 0 ? "dev" : "held";
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
