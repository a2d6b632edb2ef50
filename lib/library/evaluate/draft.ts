/**
 * Questions about a folder, proposed from its own text: definitions, numbers, headings and central sentences of documents all over it. A
 * person accepts, changes or deletes them: they use the text's own words, so that they are easier to answer than what people ask.
 */
import type { Language } from "#foundation/messages/mod.ts";
import { present } from "#foundation/present.ts";
import { sentencesOf } from "#engine/support/mod.ts";
import { LANGUAGE_CODES, languageOf } from "#engine/index/mod.ts";
import { type Catalog, summaryOf, wordsOf } from "#library/search/mod.ts";
import type { OpenIndex, StoredChunk } from "#library/store/mod.ts";

/** The kinds in the order in which one is looked for, from a place that goes round with the documents. */
const KINDS = ["definition", "number", "heading", "central"] as const;

/** `model`: a language model has asked it. These come first. */
type DraftKind = typeof KINDS[number] | "model";

/** A question as a line of a file for `eval`. */
export interface DraftedQuestion {
  readonly question: string;
  readonly spans: readonly {
    readonly file: string;
    readonly start_line: number;
    readonly end_line: number;
    readonly page?: number;
  }[];
  /** A sentence that answers it. */
  readonly reference: string;
  /** The text of the span, for the person who decides. */
  readonly passage: string;
  readonly kind: DraftKind;
  readonly accepted: false;
}

/** Questions in all, of one document, and chunks of a document that are looked at. */
const MOST_QUESTIONS = 40;
const MOST_OF_FILE = 8;
const MOST_CHUNKS = 40;
/** Bytes of a chunk that are read. */
const CHUNK_BYTES = 16_000;
/** UTF-16 units of a sentence that a question is made of, and of a passage that is shown. */
const SHORTEST = 8;
const LONGEST = 240;
const SHOWN = 1200;

/** Asks a language model for questions about a passage, with answers that stand in it. */
type Ask = (passage: string, language: Language) => Promise<readonly { question: string; answer: string }[]>;

/** Proposes questions about the documents of an index. The same index gives the same questions. `ask`: of a chunk of each document. */
export async function draftQuestions(
  index: OpenIndex,
  catalog: Pick<Catalog, "weights">,
  { signal, ask, onFile = () => {} }: {
    readonly signal?: AbortSignal;
    readonly ask?: Ask | undefined;
    readonly onFile?: (done: number, total: number) => void;
  } = {},
): Promise<DraftedQuestion[]> {
  const files = spread(index.files.filter(({ chunkCount }) => chunkCount > 0), MOST_QUESTIONS);
  const ofFiles: DraftedQuestion[][] = [];
  for (const [i, { path, firstChunk, chunkCount }] of files.entries()) {
    signal?.throwIfAborted();
    const numbers = Int32Array.from(
      spread(Array.from({ length: chunkCount }, (_, at) => firstChunk + at), MOST_CHUNKS),
    );
    const chunks = await index.chunks(numbers);
    const texts = await index.texts(numbers, CHUNK_BYTES);
    const found: Found[] = [];
    for (const [at, chunk] of chunks.entries()) found.push(...await questionsIn(texts[at]!, chunk, catalog));
    const middle = Math.floor(chunks.length / 2);
    found.push(...await askedOf(ask, texts[middle]!, chunks[middle]!));
    ofFiles.push(mixed(found, i).map((one) => drafted(one, path)));
    onFile(i + 1, files.length);
  }
  const all: DraftedQuestion[] = [];
  const asked = new Set<string>();
  for (let round = 0; round < MOST_OF_FILE; round++) {
    for (const questions of ofFiles) {
      const question = questions[round];
      if (question === undefined || asked.has(question.question) || all.length === MOST_QUESTIONS) continue;
      asked.add(question.question);
      all.push(question);
    }
  }
  return all;
}

async function askedOf(ask: Ask | undefined, text: string, chunk: StoredChunk): Promise<Found[]> {
  if (ask === undefined) return [];
  const language = languageOf(text) === LANGUAGE_CODES.zh ? "zh" : "en";
  const asked = await ask(text, language);
  return asked.map(({ question, answer }) => ({ kind: "model", question, reference: answer, chunk, text }));
}

/** Returns at most `most` elements, evenly over the list. */
function spread<Value>(list: readonly Value[], most: number): Value[] {
  const step = Math.max(1, list.length / most);
  return Array.from({ length: Math.min(most, list.length) }, (_, i) => list[Math.floor(i * step)]!);
}

/** A question with the sentence and the chunk that it was made of. */
interface Found {
  readonly kind: DraftKind;
  readonly question: string;
  readonly reference: string;
  readonly chunk: StoredChunk;
  readonly text: string;
}

function drafted({ kind, question, reference, chunk, text }: Found, file: string): DraftedQuestion {
  const { startLine, endLine, page } = chunk;
  return {
    question,
    spans: [present({ file, start_line: startLine, end_line: endLine, page })],
    reference,
    passage: text.length > SHOWN ? `${text.slice(0, SHOWN)} …` : text,
    kind,
    accepted: false,
  };
}

/** Questions of one document: of each kind in turn, and of one chunk after the other. */
function mixed(found: readonly Found[], first: number): Found[] {
  const left = new Set(found);
  const used = new Set<StoredChunk>();
  const chosen: Found[] = [];
  for (let i = first; chosen.length < MOST_OF_FILE && left.size > 0; i++) {
    const order: DraftKind[] = ["model", ...KINDS.map((_, at) => KINDS[(i + at) % KINDS.length]!)];
    const ranked = [...left].sort((a, b) =>
      Number(used.has(a.chunk)) - Number(used.has(b.chunk)) || order.indexOf(a.kind) - order.indexOf(b.kind)
    );
    const next = ranked[0]!;
    chosen.push(next);
    used.add(next.chunk);
    for (const other of left) if (other.reference === next.reference) left.delete(other);
  }
  return chosen;
}

async function questionsIn(
  text: string,
  chunk: StoredChunk,
  catalog: Pick<Catalog, "weights">,
): Promise<Found[]> {
  const language = languageOf(text);
  if (language !== LANGUAGE_CODES.en && language !== LANGUAGE_CODES.zh) return [];
  const of = language === LANGUAGE_CODES.zh ? CHINESE : ENGLISH;
  const found: Found[] = [];
  const add = (kind: DraftKind, question: string | undefined, reference: string) => {
    if (question !== undefined) found.push({ kind, question, reference, chunk, text });
  };
  let heading: string | undefined;
  for (const { line, isHeading } of linesOf(text)) {
    if (isHeading) {
      heading = line;
      continue;
    }
    for (const { start, end } of sentencesOf(line)) {
      const sentence = line.slice(start, end);
      if (sentence.length < SHORTEST || sentence.length > LONGEST || !of.isWhole(sentence)) continue;
      if (heading !== undefined) add("heading", of.heading(heading), sentence);
      heading = undefined;
      add("definition", of.definition(sentence), sentence);
      add("number", of.number(sentence), sentence);
    }
  }
  const words = wordsOf({ text });
  const weights = await catalog.weights([...words.counts.keys()]);
  const [central] = summaryOf(words, weights).sentences.filter(of.isWhole);
  const own = words.sentences.find(({ text }) => text === central);
  const isAsked = found.some(({ reference }) => reference === central);
  if (central !== undefined && own !== undefined && !isAsked) {
    add("central", keywords(own.words, words.counts, weights), central);
  }
  return found;
}

/** The lines of prose and the headings of a Markdown text. */
function* linesOf(text: string): Generator<{ readonly line: string; readonly isHeading: boolean }> {
  let isCode = false;
  for (const line of text.split("\n")) {
    const trimmed = line.trim();
    if (/^(?:```|~~~)/.test(trimmed)) isCode = !isCode;
    else if (isCode || /^(?:\||<|!\[|[-=*_]{3,}$)/.test(trimmed)) continue;
    else if (/^#{1,6}\s/.test(trimmed)) {
      yield { line: trimmed.replace(/^#+\s*/, "").replace(/[*_`]/g, ""), isHeading: true };
    } else yield { line: trimmed.replace(/\*\*|__|`/g, ""), isHeading: false };
  }
}

/** Words of a question of the kind `central`. */
const KEYWORDS = 4;

/** The words of a sentence that its text is about, in its order, as people type them into a search. */
function keywords(
  words: readonly string[],
  counts: ReadonlyMap<string, number>,
  weights: ReadonlyMap<string, number>,
): string | undefined {
  const weight = (word: string) => (weights.get(word) ?? 0) * Math.log(1 + (counts.get(word) ?? 0));
  const own = [...new Set(words)];
  const salient = new Set(own.toSorted((a, b) => weight(b) - weight(a)).slice(0, KEYWORDS));
  return salient.size < 3 ? undefined : own.filter((word) => salient.has(word)).join(" ");
}

/** Sentences whose number can be asked for: words before it, and no code, lists or addresses. */
const ASKABLE = /^\p{L}[^\p{N}=:：;；@#<>{}[\]|]+\p{N}[^=:：;；@#<>{}[\]|]*$/u;

/** How questions are made in a language. */
interface QuestionMaker {
  /** Whether a sentence says something on its own. */
  isWhole(sentence: string): boolean;
  definition(sentence: string): string | undefined;
  number(sentence: string): string | undefined;
  heading(heading: string): string | undefined;
}

/** Headings that do not say what is below them. */
const EMPTY_HEADING =
  /^(?:\p{N}[\p{N}.]*|(?:introduction|overview|summary|abstract|conclusions?|notes?|references?|examples?|appendix|contents|table of contents|changelog|usage|see also|faq|index|简介|介绍|概述|摘要|总结|小结|结论|备注|说明|参考文献|参考资料|附录|目录|示例|例子|更新日志|常见问题))$/iu;

/** A heading without its number: `3.2 Backups`, `第三章 备份`, `一、备份`. */
function plainHeading(heading: string): string | undefined {
  const plain = heading.replace(
    /^(?:\p{N}+(?:\.\p{N}+)*[.)、]?\s+|第[\p{Script=Han}\p{N}]{1,5}[章节条部分]+\s*|[一二三四五六七八九十]{1,3}、\s*)/u,
    "",
  ).trim();
  return plain.length < 2 || plain.length > 80 || EMPTY_HEADING.test(plain) ? undefined : plain;
}

const ENGLISH: QuestionMaker = {
  // "It is a …" says something of what stands before it.
  isWhole: (sentence) =>
    /^["“(]?[\p{Lu}\p{N}]/u.test(sentence) && /[.!]["”)]?$/.test(sentence) &&
    !/^(?:It|Its|This|That|These|Those|There|He|She|They|We|You|Here|What|Then|So|But|And|Or|Also|However|Therefore|Such|Both|His|Her|Their|In|On|At|By|For|From|With|Without|If|When|As|Like|Use|To)\b/
      .test(sentence),
  definition(sentence) {
    const [, article = "", name, verb] =
      /^((?:An?|The) )?([\p{L}\p{N}][\p{L}\p{N}'’./-]*(?: [\p{L}\p{N}][\p{L}\p{N}'’./-]*){0,4}?) (is|are|means|refers to|stands for) (?:an?|the|any|one of|all)\b/u
        .exec(sentence) ?? [];
    if (name === undefined || verb === undefined) return undefined;
    const subject = article.toLowerCase() + name;
    return verb === "is" || verb === "are" ? `What ${verb} ${subject}?` : `What does ${subject} mean?`;
  },
  number(sentence) {
    const numbers = sentence.match(/\p{N}+(?:[.,]\p{N}+)*/gu) ?? [];
    if (numbers.length !== 1 || !ASKABLE.test(sentence)) return undefined;
    const asked = sentence.replace(
      /\b(in|In|since|Since) (?:1[5-9]|20)\p{N}\p{N}\b(?! \p{L}+s\b)/u,
      "$1 which year",
    )
      .replace(/[$€£¥]\s?\p{N}+(?:[.,]\p{N}+)*/u, "how much")
      .replace(/(?<![\p{L}\p{N}.,/:#-])\p{N}+(?:[.,]\p{N}+)*(?:\s?%| percent)/u, "what percentage")
      .replace(/(?<![\p{L}\p{N}.,/:#-])\p{N}+(?:[.,]\p{N}+)*(?= \p{Ll})/u, "how many");
    return asked === sentence ? undefined : `${asked.replace(/[.!]["”)]?$/, "")}?`;
  },
  heading(heading) {
    const plain = plainHeading(heading);
    if (plain === undefined) return undefined;
    if (plain.endsWith("?")) return plain;
    const [, task] = /^How to (.+)/i.exec(plain) ?? [];
    if (task !== undefined) return `How do I ${task}?`;
    if (/^(?:What|Why|When|Where|Which|Who|How)\b/.test(plain)) return `${plain}?`;
    return `What is written about ${plain}?`;
  },
};

const CHINESE: QuestionMaker = {
  isWhole: (sentence) =>
    /[。！]["”」）]?$/u.test(sentence) &&
    !/^(?:这|那|它|他|她|其|该|此|但|而|因此|所以|如果|并|也|则|同时|另外|此外|然后|我们|你|您)/u.test(
      sentence,
    ),
  definition(sentence) {
    const [, name] =
      /^([^，。；：、！？,;:\s]{2,24}?)(?:是指|指的是|是一种|是一个|是一款|是一类|是一项|是用来|是用于|的意思是)/u
        .exec(sentence) ?? [];
    return name === undefined ? undefined : `什么是${name}？`;
  },
  number(sentence) {
    const numbers = sentence.match(/\p{N}+(?:[.,]\p{N}+)*/gu) ?? [];
    if (numbers.length !== 1 || !ASKABLE.test(sentence)) return undefined;
    const asked = sentence.replace(/(?:1[5-9]|20)\p{N}\p{N}\s?年/u, "哪一年")
      .replace(/\p{N}+(?:[.,]\p{N}+)*\s?[%％]/u, "百分之多少")
      .replace(
        /(?<![\p{L}\p{N}.,/:#-])(?<!第\s?)\p{N}+(?:[.,]\p{N}+)*(?=\s?\p{Script=Han})|(?<=\p{Script=Han}\s?)(?<!第\s?)\p{N}+(?:[.,]\p{N}+)*(?=\s?\p{L})/u,
        "多少",
      );
    const plain = asked.replace(/[。！]["”」）]?$/u, "").replace(/\s?(百分之多少|多少|哪一年)\s?/u, "$1");
    return asked === sentence ? undefined : `${plain}？`;
  },
  heading(heading) {
    const plain = plainHeading(heading);
    if (plain === undefined) return undefined;
    if (/[？?]$/.test(plain)) return plain;
    if (/^(?:如何|怎样|怎么|为什么|为何|什么)/u.test(plain)) return `${plain}？`;
    if (/(?:方法|步骤|流程|规定|要求|原则|条件|原因|区别|范围)$/u.test(plain)) return `${plain}是什么？`;
    return `关于“${plain}”有什么内容？`;
  },
};
