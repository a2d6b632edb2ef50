import * as z from "zod";
import type { MessageKey, MessageParams } from "../messages.ts";
import { isHost } from "./host.ts";

/** The rule for a value, as a message. */
export interface Expectation {
  readonly key: MessageKey;
  readonly params?: MessageParams;
}

/** The rule of each field. The messages of zod are not in Chinese, and not written for people who edit files. */
export const EXPECTATIONS = z.registry<Expectation>();

export function choice<const Choices extends readonly [string, ...string[]]>(choices: Choices) {
  const params = { choices: choices.join(", ") };
  return z.enum(choices).register(EXPECTATIONS, { key: "config_expect_choice", params });
}

export function wholeNumber(min: number, max: number) {
  return z.int().min(min).max(max).register(EXPECTATIONS, {
    key: "config_expect_integer",
    params: { min, max },
  });
}

export function number(min: number, max: number) {
  return z.number().min(min).max(max).register(EXPECTATIONS, {
    key: "config_expect_number",
    params: { min, max },
  });
}

export function autoOrWholeNumber(min: number, max: number) {
  return z.union([z.literal("auto"), z.int().min(min).max(max)])
    .register(EXPECTATIONS, { key: "config_expect_auto_or_integer", params: { min, max } });
}

export function boolean() {
  return z.boolean().register(EXPECTATIONS, { key: "config_expect_boolean" });
}

export function text(key: MessageKey = "config_expect_text") {
  return z.string().regex(/\S/).register(EXPECTATIONS, { key });
}

/** Most UTF-16 units of a description. A client reads those of all collections. */
const MAX_DESCRIPTION = 1000;

export function description() {
  return z.string().regex(/\S/).max(MAX_DESCRIPTION).register(EXPECTATIONS, {
    key: "config_expect_short_text",
    params: { max: MAX_DESCRIPTION },
  });
}

export function anyText() {
  return z.string().register(EXPECTATIONS, { key: "config_expect_text" });
}

export function url() {
  return z.string().refine((value) => {
    const address = /^https?:\/\//i.test(value) ? URL.parse(value) : null;
    return address !== null && isHost(address.hostname);
  }).register(EXPECTATIONS, { key: "config_expect_url" });
}

export function texts() {
  return z.array(text()).register(EXPECTATIONS, { key: "config_expect_texts" });
}

export function choices<const Choices extends readonly [string, ...string[]]>(all: Choices) {
  return z.array(choice(all)).register(EXPECTATIONS, {
    key: "config_expect_choices",
    params: { choices: all.join(", ") },
  });
}

export function groupsOfTexts() {
  const group = z.array(text()).min(2).register(EXPECTATIONS, { key: "config_expect_synonym_group" });
  return z.array(group).register(EXPECTATIONS, { key: "config_expect_synonyms" });
}

export function falseOrPaths() {
  return z.union([z.literal(false), z.array(text("config_expect_path"))])
    .register(EXPECTATIONS, { key: "config_expect_false_or_paths" });
}

export function oneOrSome<
  const Whole extends readonly [string, ...string[]],
  const Choices extends readonly [string, ...string[]],
>(
  whole: Whole,
  all: Choices,
) {
  const params = { whole: whole.join(", "), choices: all.join(", ") };
  return z.union([z.enum(whole), z.array(choice(all)).min(1)])
    .register(EXPECTATIONS, { key: "config_expect_one_or_some", params });
}

export function encoding() {
  return z.string().refine((label) => label === "auto" || isKnownEncoding(label))
    .register(EXPECTATIONS, { key: "config_expect_encoding" });
}

function isKnownEncoding(label: string): boolean {
  try {
    new TextDecoder(label);
    return true;
  } catch {
    return false;
  }
}

/** The rule of a field as a message. */
export function expectationOf(field: z.ZodType): Expectation {
  // Defaults and nullability are wrapped around the field that was registered.
  for (let at: unknown = field; at instanceof z.ZodType; at = inner(at)) {
    const expectation = EXPECTATIONS.get(at);
    if (expectation !== undefined) return expectation;
  }
  return { key: "config_expect_text" };
}

/** The rule of the items of a list as a message. */
export function itemExpectationOf(field: z.ZodType): Expectation {
  for (let at: unknown = field; at instanceof z.ZodType; at = inner(at)) {
    if (at instanceof z.ZodArray) return expectationOf(at.element as z.ZodType);
  }
  return { key: "config_expect_text" };
}

function inner(field: z.ZodType): unknown {
  return field instanceof z.ZodDefault || field instanceof z.ZodNullable || field instanceof z.ZodOptional
    ? field.unwrap()
    : undefined;
}
