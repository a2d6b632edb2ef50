/** Tests and lists of links, which have the words of a question and say little about it. */
import type { FoundChunk, Segments } from "#engine/segments.ts";

/** Factors for the scores of a test, and of a list of links. */
const TEST = 0.5, CONTENTS = 0.5;

const CODE =
  /\.(?:[cm]?[jt]sx?|go|py|rb|rs|java|kt|kts|c|cc|cpp|cxx|h|hpp|cs|php|swift|scala|exs?|dart|lua|sh|pl|jl|vue|svelte)$/i;
/** `user.test.ts`, `user_test.go`, `test_user.py`, `UserTest.java`, `user-spec.js`. */
const TEST_NAME = /^(?:test|spec)s?[._-]|[._-](?:test|spec)s?\.[^/]*$|[a-z0-9](?:Test|Tests|Spec)\.[^.]*$/;
const TEST_FOLDER = /(?:^|[/_-])(?:tests?|__tests__|__mocks__|specs?|testdata|e2e)\//i;
/** A question for the tests themselves. */
const ASKS_TEST = /\b(?:tests?|tested|testing|testcases?|specs?|mocks?|fixtures?|e2e)\b|测试|測試|用例/i;

/** Names of pages that may be a list of links; whether one is, its text tells. */
const CONTENTS_NAME =
  /(?:^|\/)(?:summary|_?sidebar|_?navbar|nav|toc|(?:table[-_ ]of[-_ ])?contents|index|readme|home|目录|目錄|目次)\.(?:md|mdx|markdown|rst|adoc|txt)$/i;
/** A question for the list itself. */
const ASKS_CONTENTS =
  /\b(?:contents|toc|outline|chapters?|sidebar|index|summary)\b|目录|目錄|目次|大纲|大綱|章节|章節/i;
const LINK = /!?\[[^\]\n]*\]\([^)\n]*\)/g;
/** Marks of lists and headings, and other characters that say nothing. */
const NO_LETTERS = /[^\p{L}\p{N}]+/gu;
/** Least part of a list of links that is in links. */
const LEAST_LINKED = 0.7;
/** Bytes that are looked at. */
const MOST_BYTES = 4096;

/**
 * Returns a factor for the score of each chunk, 1 for most. A test repeats the names of what it tests, and a list of links the
 * titles of other pages: both have the words of a question and say little about it. They have their whole score if the
 * question asks for them, and the order among themselves never changes.
 */
export async function standings(
  question: string,
  found: readonly FoundChunk[],
  segments: Segments,
): Promise<Float64Array> {
  const factors = new Float64Array(found.length).fill(1);
  if (!ASKS_TEST.test(question)) {
    for (const [i, chunk] of found.entries()) if (isTest(pathInFolder(chunk))) factors[i] = TEST;
  }
  if (ASKS_CONTENTS.test(question)) return factors;
  const named = found.map((chunk, i) => ({ i, chunk })).filter(({ chunk }) =>
    CONTENTS_NAME.test(pathInFolder(chunk))
  )
    .sort((a, b) => a.chunk.id - b.chunk.id);
  if (named.length === 0) return factors;
  const texts = await segments.texts(Int32Array.from(named, ({ chunk }) => chunk.id), MOST_BYTES);
  for (const [at, { i }] of named.entries()) if (isListOfLinks(texts[at]!)) factors[i]! *= CONTENTS;
  return factors;
}

/** A folder that is indexed may lie in one named `tests`, which says nothing about its files. */
function pathInFolder({ index, file }: FoundChunk): string {
  return index.files[file]!.path;
}

/** Returns whether a file is a test of code. */
export function isTest(path: string): boolean {
  return CODE.test(path) && (TEST_FOLDER.test(path) || TEST_NAME.test(path.slice(path.lastIndexOf("/") + 1)));
}

/** Returns whether most of a Markdown text is in links. */
export function isListOfLinks(text: string): boolean {
  const letters = (part: string) => part.replace(NO_LETTERS, "").length;
  const all = letters(text);
  const linked = (text.match(LINK) ?? []).reduce((sum, link) => sum + letters(link), 0);
  return all > 0 && linked >= LEAST_LINKED * all;
}
