import { LANGUAGE_CODES, type StoredFile } from "../../index/mod.ts";
import type { ChunkFilter } from "../../store/mod.ts";
import { extensionOf } from "./documents.ts";

/** Conditions on one property of a document. All of them must hold. */
export interface PropertyCondition {
  readonly eq?: unknown;
  readonly in?: readonly unknown[];
  readonly nin?: readonly unknown[];
  readonly gt?: number;
  readonly gte?: number;
  readonly lt?: number;
  readonly lte?: number;
  readonly between?: readonly [number, number];
}

/** Orama's `where`: conditions by property, or `and`, `or`, `not` of others. */
export interface Where {
  readonly [property: string]: PropertyCondition | Where | readonly Where[] | undefined;
}

/** A compiled {@linkcode Where}. Files and languages are independent: both conditions must hold. */
interface Conditions {
  readonly file: (file: StoredFile) => boolean;
  /** Default: all languages. */
  readonly languages?: ReadonlySet<number>;
}

/**
 * Compiles Orama's `where` on `path`, `type`, `lang` and `modified`. Throws a `TypeError` for other properties and
 * operators, and where `or` or `not` contains `lang`: a chunk has a language, the other properties belong to its file.
 */
export function filterOf(where: Where, files: readonly StoredFile[]): ChunkFilter {
  const { file, languages } = compile(where);
  return {
    files: Uint8Array.from(files, (stored) => file(stored) ? 1 : 0),
    ...(languages === undefined ? {} : { languages }),
    phrases: [],
    excluded: [],
    excludedPhrases: [],
  };
}

function compile(where: Where): Conditions {
  return allOf(
    Object.entries(where).filter(([, value]) => value !== undefined).map(([name, value]) => {
      switch (name) {
        case "and":
          return allOf((value as readonly Where[]).map(compile));
        case "or": {
          const parts = (value as readonly Where[]).map(compileWithoutLanguage);
          return { file: (file) => parts.some((part) => part(file)) };
        }
        case "not": {
          const part = compileWithoutLanguage(value as Where);
          return { file: (file) => !part(file) };
        }
        case "lang":
          return { file: () => true, languages: languagesOf(value as PropertyCondition) };
        default: {
          const valueOf = FILE_PROPERTIES[name];
          if (valueOf === undefined) throw new TypeError(`where: there is no property ${name} to filter by`);
          const test = conditionTest(value as PropertyCondition);
          return { file: (file) => test(valueOf(file)) };
        }
      }
    }),
  );
}

const FILE_PROPERTIES: Readonly<Record<string, (file: StoredFile) => string | number>> = {
  path: ({ path }) => path,
  type: ({ path }) => extensionOf(path),
  modified: ({ mtimeMs }) => mtimeMs,
};

function allOf(parts: readonly Conditions[]): Conditions {
  const languages = parts.flatMap((part) => part.languages === undefined ? [] : part.languages);
  return {
    file: (file) => parts.every((part) => part.file(file)),
    ...(languages.length === 0 ? {} : { languages: languages.reduce((a, b) => a.intersection(b)) }),
  };
}

function compileWithoutLanguage(where: Where): Conditions["file"] {
  const { file, languages } = compile(where);
  if (languages !== undefined) throw new TypeError("where: lang is not allowed in `or` and `not`");
  return file;
}

/** The codes of the languages that meet the condition. */
function languagesOf(condition: PropertyCondition): ReadonlySet<number> {
  const test = conditionTest(condition);
  return new Set(Object.entries(LANGUAGE_CODES).flatMap(([name, code]) => test(name) ? [code] : []));
}

function conditionTest(condition: PropertyCondition): (value: string | number) => boolean {
  const tests = Object.entries(condition).map(([operator, operand]): (value: string | number) => boolean => {
    switch (operator) {
      case "eq":
        return (value) => value === operand;
      case "in":
        return (value) => operand.includes(value);
      case "nin":
        return (value) => !operand.includes(value);
      case "gt":
        return (value) => value > operand;
      case "gte":
        return (value) => value >= operand;
      case "lt":
        return (value) => value < operand;
      case "lte":
        return (value) => value <= operand;
      case "between":
        return (value) => value >= operand[0] && value <= operand[1];
      default:
        throw new TypeError(`where: there is no operator ${operator}`);
    }
  });
  return (value) => tests.every((test) => test(value));
}
