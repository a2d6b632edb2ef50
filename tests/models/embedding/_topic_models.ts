import {
  EmbeddingFailure,
  type EmbeddingProvider,
  type NeuralLanguage,
  type NeuralModels,
} from "#models/embedding/mod.ts";

/** Words of one meaning in each line. */
const TOPICS = [
  ["car", "automobile", "vehicle", "汽车", "轿车"],
  ["kitten", "cat", "feline", "小猫", "猫咪"],
  ["bread", "loaf", "baguette", "面包", "吐司"],
];

/** A model whose vectors count the words of each topic. It refuses texts with the word `poison`. */
export class TopicModel implements EmbeddingProvider {
  readonly dimensions = TOPICS.length + 1;
  /** Every text it was given, in order. */
  readonly texts: string[] = [];
  /** Awaited before each answer. */
  before: (texts: readonly string[]) => Promise<void> | void = () => {};

  constructor(readonly id: string) {}

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    await this.before(texts);
    this.texts.push(...texts);
    if (texts.some((text) => text.includes("poison"))) throw new EmbeddingFailure("bad_answer", {});
    return texts.map((text) => {
      const counts = TOPICS.map((words) => words.filter((word) => text.includes(word)).length);
      const vector = Float32Array.from([...counts, 0.2]);
      const length = Math.hypot(...vector);
      return vector.map((value) => value / length);
    });
  }
}

/** Models for Chinese and English with vectors that differ from each other in their ids only. */
export function topicModels(
  languages: readonly NeuralLanguage[] = ["zh", "en"],
): NeuralModels & { readonly of: (language: NeuralLanguage) => TopicModel } {
  const models = new Map(
    languages.map((language) => [language, new TopicModel(`local:${language}:topics`)]),
  );
  return {
    providers: models,
    of: (language) => models.get(language)!,
    routesOf: (text) => [
      ...(/\p{Script=Han}/u.test(text) ? ["zh" as const] : []),
      ...(/[a-z]{3}/i.test(text) ? ["en" as const] : []),
    ],
  };
}
