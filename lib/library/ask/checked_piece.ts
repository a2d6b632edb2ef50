/**
 * A piece of an answer, compared with the passages: clean, with the numbers of passages that support it, or with the reason why it is not
 * supported.
 */
import { type AnswerSentence, checkAnswer, type Hit, type Library } from "#library/search/mod.ts";
import type { Verdict } from "#engine/support/mod.ts";
import { present } from "#foundation/present.ts";
import type { Piece } from "./answer_pieces.ts";
import { citationsIn } from "./citations.ts";
import { obeys, passagesToModels, speaksToModels } from "./instructions.ts";
import { shownText } from "./shown_text.ts";

/** A sentence of an answer, or a line of code in it. */
export interface AskedSentence extends Omit<Partial<AnswerSentence>, "start" | "end" | "reason" | "verdict"> {
  /** As it is shown, without the marks of its citations and the spaces and line ends around it. */
  readonly text: string;
  /** The line ends, spaces and marks before and behind the text. */
  readonly before: string;
  readonly after: string;
  /** Absent for a sentence that states nothing, such as a heading. */
  readonly verdict?: Verdict;
  /** `instruction`: only passages that speak to language models say so. */
  readonly reason?: AnswerSentence["reason"] | "instruction";
  /** The numbers of passages, from 1: those that the model named, or those that support it if these do not. */
  readonly citations: readonly number[];
  /** Numbers that the model named and that no passage has. */
  readonly unknownCitations?: readonly number[];
  /** Numbers of passages that the model named, but that do not support the sentence, while another one does. */
  readonly wrongCitations?: readonly number[];
  /** Number of links that were removed. */
  readonly links?: number;
}

/** Compares pieces of an answer with the passages that the model got. */
export class PieceChecker {
  readonly #library: Pick<Library, "search" | "catalog" | "checkSupport">;
  readonly #question: string;
  readonly #hits: readonly Hit[];
  /** Numbers of the passages without signs of instructions. */
  readonly #trusted: readonly number[];
  readonly #removed: string;

  /** `hits`: the passages, numbered from 1. `removed`: the text in the place of a link. */
  constructor(
    library: Pick<Library, "search" | "catalog" | "checkSupport">,
    question: string,
    hits: readonly Hit[],
    removed: string,
  ) {
    this.#library = library;
    this.#question = question;
    this.#hits = hits;
    this.#removed = removed;
    const names = hits.map(({ filePath, section }) => [filePath, ...section].join("\n"));
    const suspicious = passagesToModels(hits.map(({ content }) => content));
    this.#trusted = numbersOf(hits).filter((number) =>
      !suspicious.has(number - 1) && !speaksToModels(names[number - 1]!)
    );
  }

  /** Returns a piece as a sentence; `undefined` if nothing is left of it. */
  async check(piece: Piece, signal?: AbortSignal): Promise<AskedSentence | undefined> {
    const marked = shownText(piece.text, this.#removed);
    const cited = piece.isCode
      ? { text: marked.text, numbers: [], unknown: [] }
      : citationsIn(marked.text, this.#hits.length);
    // The marks of citations may have stood in the middle of a link.
    const shown = shownText(cited.text, this.#removed);
    const links = marked.links + shown.links;
    const [, before = "", text = "", after = ""] = PARTS.exec(shown.text) ?? [];
    if (text === "" && before + after === "") return undefined;
    const common = present({
      text,
      before,
      after,
      unknownCitations: cited.unknown.length > 0 ? cited.unknown : undefined,
      links: links > 0 ? links : undefined,
    });
    if (!/[\p{L}\p{N}]/u.test(text)) return { ...common, citations: cited.numbers };
    if (piece.isCode) return { ...common, ...this.#checkedCode(text) };
    return { ...common, ...await this.#checked(text, before, cited.numbers, signal) };
  }

  /** A line of code is supported where a passage has it, apart from spaces. */
  #checkedCode(line: string): Pick<AskedSentence, "verdict" | "reason" | "citations"> {
    if (/^\s*(?:`{3,}|~{3,})/.test(line)) return { citations: [] };
    const wanted = squeezed(line);
    const has = (number: number) => squeezed(this.#hits[number - 1]!.content).includes(wanted);
    const trusted = this.#trusted.find(has);
    if (trusted !== undefined) return { verdict: "supported", reason: "coverage", citations: [trusted] };
    const other = numbersOf(this.#hits).find(has);
    if (other === undefined) return { verdict: "not_found", reason: "coverage", citations: [] };
    return { verdict: "not_found", reason: "instruction", citations: [other] };
  }

  async #checked(
    text: string,
    before: string,
    cited: readonly number[],
    signal: AbortSignal | undefined,
  ): Promise<Pick<AskedSentence, "citations"> & Partial<AskedSentence>> {
    if (onlyIntroduces(text, before, this.#question)) return { citations: cited };
    const statement = statementOf(text);
    const ofTrusted = await this.#against(statement, this.#trusted, signal);
    const isSupported = ofTrusted?.verdict === "supported";
    if (isSupported && (cited.length === 0 || cited.includes(ofTrusted.number!))) {
      return { ...ofTrusted, citations: cited.length === 0 ? [ofTrusted.number!] : cited };
    }
    const trustedCited = cited.filter((number) => this.#trusted.includes(number));
    const ofCited = await this.#against(statement, trustedCited, signal);
    if (ofCited?.verdict === "supported") return { ...ofCited, citations: cited };
    if (isSupported) return { ...ofTrusted, citations: [ofTrusted.number!], wrongCitations: cited };
    if (this.#trusted.length < this.#hits.length) {
      const ofAll = await this.#against(statement, numbersOf(this.#hits), signal);
      if (ofAll?.verdict === "supported") {
        return { ...ofAll, verdict: "not_found", reason: "instruction", citations: [ofAll.number!] };
      }
    }
    const found = ofCited?.verdict === "conflicting" ? ofCited : ofTrusted ?? ofCited;
    if (found !== undefined) return { ...found, citations: cited };
    // The sentence states nothing that can be compared, or it says what the documents do not say.
    const foreign = this.#foreignNumber(text);
    if (foreign === undefined) return { citations: cited };
    return { verdict: "not_found", reason: "number", claimed: foreign, citations: cited };
  }

  /** Compares a statement with some passages; `undefined` without passages, and for a sentence that states nothing. */
  async #against(
    statement: string,
    numbers: readonly number[],
    signal: AbortSignal | undefined,
  ): Promise<(Partial<AskedSentence> & { readonly number?: number }) | undefined> {
    if (numbers.length === 0) return undefined;
    const hits = numbers.map((number) => this.#hits[number - 1]!);
    const { sentences } = await checkAnswer(this.#library, { answer: statement, hits }, signal);
    const worst = sentences.find(({ verdict }) => verdict !== "supported") ?? sentences[0];
    if (worst === undefined) return undefined;
    const { text: _, start: __, end: ___, ...checked } = worst;
    const at = hits.findIndex(({ chunkId }) => chunkId === checked.source?.chunkId);
    const number = at < 0 ? undefined : numbers[at];
    if (checked.verdict === "supported" && checked.quote !== undefined && obeys(statement, checked.quote)) {
      return present({ ...checked, verdict: "not_found" as const, reason: "instruction" as const, number });
    }
    return present({ ...checked, number });
  }

  /** Returns the first number of a sentence that neither the question nor a passage has. */
  #foreignNumber(sentence: string): string | undefined {
    const known = new Set([this.#question, ...this.#hits.map(({ content }) => content)].flatMap(numbersIn));
    return numbersIn(sentence).find((number) => !known.has(number));
  }
}

/** Line ends, spaces and marks of a list or heading; the text; spaces and line ends. */
const PARTS = /^((?:\s|[#>|•·](?=\s|$)|[-*+–](?=\s)|\(?\d{1,3}[.)、）](?=\s))*)([\s\S]*?)(\s*)$/u;

/** Returns a sentence without marks of emphasis and headings, and without an end that would make it a question or the head of a list. */
function statementOf(text: string): string {
  const plain = text.replace(/^[\s#>*_|-]+/, "").trim();
  const [, body = "", end = ""] = /^([\s\S]*?)([?？:：!！*_"'”’\s]*)$/u.exec(plain) ?? [];
  if (!/[?？:：]/u.test(end)) return plain;
  return `${body}${/\p{Script=Han}/u.test(body) ? "。" : "."}`;
}

/** Words and characters of sentences that introduce what follows. */
const FRAME = new Set(
  ("a an the of in on for to is are was were and or here there this these those following follows as below above summary overview answer answers question " +
    "according based documents document passages passage files file sources source main key points point steps step list details detail include includes " +
    "information what it how by from with about be can you they says say yes no").split(" "),
);
const FRAME_HAN = new Set(
  "以下如上面是为的了在和与及或步骤具体主要包括有根据文档资料片段文件内容列出含说明关于回答问题要点可分个几点一二三四五总结概述其中这些那么信息相答案",
);

/**
 * Whether a text has no words but those that introduce an answer; a heading and the head of a list may have those of the question too. A
 * sentence with them may be the answer: "Yes, it was opened in 2009."
 */
function onlyIntroduces(sentence: string, before: string, question: string): boolean {
  const isHead = before.includes("#") || /[:：][*_"'”’\s]*$/u.test(sentence);
  const asked = new Set(isHead ? wordsOf(question) : []);
  return wordsOf(sentence).every((word) => FRAME.has(word) || FRAME_HAN.has(word) || asked.has(word));
}

function wordsOf(text: string): string[] {
  return text.normalize("NFKC").toLowerCase().match(/\p{Script=Han}|[\p{L}\p{N}_]+/gu) ?? [];
}

function squeezed(line: string): string {
  return line.replace(/\s+/g, " ").trim();
}

function numbersOf(hits: readonly Hit[]): number[] {
  return hits.map((_, i) => i + 1);
}

function numbersIn(text: string): string[] {
  return Array.from(
    text.normalize("NFKC").matchAll(/\d+(?:[.,]\d+)*/g),
    ([number]) => number.replaceAll(",", ""),
  );
}
