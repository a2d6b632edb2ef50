/**
 * A condition on the words of a chunk as a tree of AND, OR, NOT and NEAR.
 */
import type { WordForm } from "./held_words.ts";

/** Words that a chunk must hold, in its text or in what is indexed with it. */
export interface WordCondition {
  readonly kind: "words";
  readonly words: string;
  readonly form: WordForm;
  /** Where they must stand, if not anywhere: in the document's title, or in one heading above the chunk. */
  readonly within?: "title" | "heading";
  /** The condition as it was typed. */
  readonly typed: string;
}

/** Two words of one text with at most `distance` others between them. A Chinese character counts as a word. */
export interface NearCondition {
  readonly kind: "near";
  readonly distance: number;
  readonly parts: readonly [WordCondition, WordCondition];
}

/** A condition on the file or the language of a chunk. */
export interface TestCondition<Test> {
  readonly kind: "test";
  readonly test: Test;
  /** The condition as it was typed. */
  readonly typed: string;
}

/** A condition on a chunk. */
export type Expression<Test> =
  | { readonly kind: "and" | "or"; readonly parts: readonly Expression<Test>[] }
  | { readonly kind: "not"; readonly part: Expression<Test> }
  | NearCondition
  | WordCondition
  | TestCondition<Test>;

/** A {@linkcode TestCondition} for one index; see `ChunkFilter`. */
export interface ChunkTest {
  readonly files?: Uint8Array;
  readonly languages?: ReadonlySet<number>;
}

/** Returns an expression with other tests in the place of its own. */
export function withTests<From, To>(
  expression: Expression<From>,
  testOf: (test: From) => To,
): Expression<To> {
  switch (expression.kind) {
    case "and":
    case "or":
      return { ...expression, parts: expression.parts.map((part) => withTests(part, testOf)) };
    case "not":
      return { ...expression, part: withTests(expression.part, testOf) };
    case "test":
      return { ...expression, test: testOf(expression.test) };
    default:
      return expression;
  }
}

/** Yields the conditions of an expression that have no further parts, in their order. */
export function* conditionsOf<Test>(
  expression: Expression<Test>,
): Generator<WordCondition | NearCondition | TestCondition<Test>> {
  switch (expression.kind) {
    case "and":
    case "or":
      for (const part of expression.parts) yield* conditionsOf(part);
      break;
    case "not":
      yield* conditionsOf(expression.part);
      break;
    default:
      yield expression;
  }
}
