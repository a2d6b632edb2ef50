import { deepEqual, equal, throws } from "node:assert/strict";
import { readModelFolder } from "#models/neural/mod.ts";
import { TextTokenizer } from "#models/neural/tokenizer.ts";
import { testModel } from "./_models.ts";

const LANGUAGES = ["zh", "en"] as const;

interface Reference {
  readonly text: string;
  readonly zh: readonly number[];
  readonly en: readonly number[];
}

interface PairReference {
  readonly pair: readonly [string, string];
  /** Ids and types. */
  readonly zh: readonly [readonly number[], readonly number[]];
  readonly en: readonly [readonly number[], readonly number[]];
}

/** Made with the Python package tokenizers 0.23.2 from the `tokenizer.json` of the test models. */
const REFERENCE: readonly (Reference | PairReference)[] = Deno.readTextFileSync(
  new URL("./tokens.jsonl", import.meta.url),
).trim().split("\n").map((line) => JSON.parse(line));
const TEXTS = REFERENCE.filter((each) => "text" in each);
const PAIRS = REFERENCE.filter((each) => "pair" in each);

async function tokenizerOf(language: "zh" | "en", maxTokens = 512): Promise<TextTokenizer> {
  const { tokenizer } = await readModelFolder(await testModel(language));
  return new TextTokenizer(await Deno.readFile(tokenizer), maxTokens);
}

Deno.test("tokens() gives the ids of Hugging Face's tokenizers for ordinary and odd texts", async () => {
  for (const language of LANGUAGES) {
    const tokenizer = await tokenizerOf(language);
    deepEqual(
      TEXTS.map(({ text }) => [text, tokenizer.tokens(text).ids]),
      TEXTS.map((expected) => [expected.text, expected[language]]),
    );
  }
});

Deno.test("pair() gives the ids and types of Hugging Face's tokenizers", async () => {
  for (const language of LANGUAGES) {
    const tokenizer = await tokenizerOf(language);
    deepEqual(
      PAIRS.map(({ pair: [question, text] }) => {
        const { ids, types } = tokenizer.pair(question, text);
        return [ids, types];
      }),
      PAIRS.map((expected) => expected[language]),
    );
  }
});

Deno.test("tokens() cuts off what the model does not read, and keeps the token that marks the end", async () => {
  const tokenizer = await tokenizerOf("en", 5);
  deepEqual(tokenizer.tokens("one two three four five"), {
    ids: [101, 2028, 2048, 2093, 102],
    types: [0, 0, 0, 0, 0],
  });
  equal(tokenizer.tokens("word ".repeat(1_000_000)).ids.length, 5);
});

Deno.test("pair() cuts off the text, and the question only if it has more than half of the tokens", async () => {
  const tokenizer = await tokenizerOf("en", 8);
  deepEqual(tokenizer.pair("one", "two three four five six seven"), {
    ids: [101, 2028, 102, 2048, 2093, 2176, 2274, 102],
    types: [0, 0, 0, 1, 1, 1, 1, 1],
  });
  deepEqual(tokenizer.pair("one two three four five six", "seven"), {
    ids: [101, 2028, 2048, 102, 2698, 102],
    types: [0, 0, 0, 0, 1, 1],
  });
});

Deno.test("a damaged tokenizer is an error", () => {
  const of = (text: string) => new TextTokenizer(new TextEncoder().encode(text), 512);
  throws(() => of(""), SyntaxError);
  throws(() => of("{}"));
  throws(() => new TextTokenizer(Uint8Array.of(0x1f, 0x8b, 8, 0), 512));
});
