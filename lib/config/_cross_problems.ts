import type * as z from "zod";
import { type Expectation, expectationOf } from "./_fields.ts";

/** A problem between keys that are each valid alone. */
export interface CrossProblem {
  readonly expected: Expectation;
  /** Set when the key is missing because the provider needs it. */
  readonly provider?: string;
  /** The other keys of the same section that cause the problem. */
  readonly others: readonly string[];
}

/** A {@linkcode CrossProblem} and the key that it is about. */
export interface FoundProblem {
  readonly path: readonly [section: string, key: string];
  readonly params: CrossProblem;
}

/** The sections that are compared. */
interface Sections {
  readonly chunking: Chunking;
  readonly collections: Readonly<Record<string, { readonly chunking: Given<Chunking> }>>;
  readonly embedding: ServerSection;
  readonly rerank: ServerSection & { readonly path: string | null };
}

interface Chunking {
  readonly "max_chars": number;
  readonly overlap: number;
}

type Given<Section> = { readonly [Key in keyof Section]?: Section[Key] | undefined };

interface ServerSection {
  readonly provider: string;
  readonly "base_url": string | null;
  readonly model: string | null;
}

type ServerKey = "base_url" | "model";

/** Schemas of the keys that a provider may need. */
interface Fields {
  readonly embedding: Readonly<Record<ServerKey, z.ZodType>>;
  readonly rerank: Readonly<Record<ServerKey | "path", z.ZodType>>;
}

/** Returns the problems between keys of a configuration. */
export function crossProblems(config: Sections, fields: Fields): FoundProblem[] {
  const found: FoundProblem[] = [];
  const half = config.chunking.max_chars / 2;
  if (config.chunking.overlap >= half) {
    const expected = { key: "config_expect_overlap", params: { limit: half } } as const;
    found.push({ path: ["chunking", "overlap"], params: { expected, others: ["max_chars"] } });
  }
  for (const [name, { chunking }] of Object.entries(config.collections)) {
    const limit = (chunking.max_chars ?? config.chunking.max_chars) / 2;
    if (chunking.overlap === undefined || chunking.overlap < limit) continue;
    const expected = { key: "config_expect_overlap", params: { limit } } as const;
    found.push({
      path: [`collections.${name}.chunking`, "overlap"],
      params: { expected, others: ["max_chars"] },
    });
  }
  const needs = <Section extends "embedding" | "rerank">(
    section: Section,
    ...keys: (keyof Fields[Section] & keyof Sections[Section] & string)[]
  ) => {
    const { provider } = config[section];
    for (const key of keys.filter((key) => config[section][key] === null)) {
      const expected = expectationOf(fields[section][key] as z.ZodType);
      found.push({ path: [section, key], params: { expected, provider, others: ["provider"] } });
    }
  };
  const isServer = !["none", "builtin", "local"].includes(config.embedding.provider);
  if (isServer) needs("embedding", "base_url", "model");
  if (config.rerank.provider === "local") needs("rerank", "path");
  if (config.rerank.provider === "remote") needs("rerank", "base_url");
  if (config.rerank.provider === "llm") needs("rerank", "base_url", "model");
  return found;
}
