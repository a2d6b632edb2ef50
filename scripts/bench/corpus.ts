import { join } from "node:path";
import type { Table } from "#models/embedding/mod.ts";
import { type BenchLanguage, chunks, queryFrom, random } from "./text.ts";

/** Chunks per file. Users' folders hold many small files. */
export const CHUNKS_A_FILE = 20;

/** Generated texts under one heading, so that the program makes one chunk of them; it joins shorter sections. */
const TEXTS_A_CHUNK: Readonly<Record<BenchLanguage, number>> = { en: 1, zh: 3 };

const QUESTIONS = 200;
const WORDS = 60_000;

/** Returns the most frequent words of a language in the built-in table. */
export function wordsOf(table: Table, language: BenchLanguage): string[] {
  const [from, to] = language === "en" ? [0, table.englishCount] : [table.englishCount, table.wordCount];
  return Array.from({ length: Math.min(WORDS, to - from) }, (_, i) => table.words.word(from + i));
}

/**
 * Writes a folder with Markdown texts of `count` chunks, whose words follow Zipf's law, the same every time. Returns
 * at most `most` questions, each made of words of one chunk, and the bytes of the texts.
 */
export async function writeCorpus(
  folder: string,
  language: BenchLanguage,
  count: number,
  words: readonly string[],
  most: number = QUESTIONS,
): Promise<{ questions: string[]; bytes: number }> {
  await Deno.mkdir(folder, { recursive: true });
  const next = random(7);
  const step = Math.max(1, Math.floor(count / most));
  const questions: string[] = [];
  let sections: string[] = [], file = 0, bytes = 0;
  const flush = async () => {
    const content = new TextEncoder().encode(sections.join("\n\n"));
    await Deno.writeFile(join(folder, `${file++}.md`), content);
    bytes += content.length;
    sections = [];
  };
  const texts = chunks(language, count * TEXTS_A_CHUNK[language], words);
  for (let chunk = 0; chunk < count; chunk++) {
    const text = Array.from({ length: TEXTS_A_CHUNK[language] }, () => texts.next().value).join("");
    if (chunk % step === 0 && questions.length < most) questions.push(queryFrom(language, text, next));
    sections.push(`# ${sections.length + 1}\n\n${text}`);
    if (sections.length === CHUNKS_A_FILE) await flush();
  }
  if (sections.length > 0) await flush();
  return { questions, bytes };
}
