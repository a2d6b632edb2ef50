import type { Labeller } from "./split_pair.ts";

/** The part of SQuAD's file format that is read here. */
interface Squad {
  readonly data: readonly {
    readonly paragraphs: readonly {
      readonly context: string;
      readonly qas: readonly {
        readonly question: string;
        readonly answers: readonly { readonly answer_start: number }[];
      }[];
    }[];
  }[];
}

/**
 * Returns the sentences in which the answers of a file in SQuAD's format begin. Questions are identified by paragraph and
 * text.
 */
export function squadLabeller(json: string, documents: readonly { id: string; text: string }[]): Labeller {
  const idOf = new Map(documents.map(({ id, text }) => [text.trim(), id]));
  const texts = new Map(documents.map(({ id, text }) => [id, text]));
  const starts = new Map<string, number>();
  for (const { paragraphs } of (JSON.parse(json) as Squad).data) {
    for (const { context, qas } of paragraphs) {
      const id = idOf.get(context.trim());
      for (const { question, answers } of qas) {
        const start = answers[0]?.answer_start;
        if (id !== undefined && start !== undefined) starts.set(`${id} ${question.trim()}`, start);
      }
    }
  }
  return ({ text }, document, sentences) => {
    const start = starts.get(`${document} ${text.trim()}`);
    if (start === undefined) return undefined;
    const whole = texts.get(document)!;
    let end = 0;
    return sentences.findIndex((sentence, at) => {
      // The spaces between joined sentences may differ from those of the text.
      end = at === sentences.length - 1 ? whole.length : end + sentence.length;
      while (end < whole.length && /\s/.test(whole[end]!)) end++;
      return start < end;
    });
  };
}
