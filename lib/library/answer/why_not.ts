/** The gates of a document in words: why it is not in an answer, by how much, and what to change. */
import { basename } from "node:path";
import {
  type Language,
  message,
  type MessageKey,
  MESSAGES,
  pageList,
  suggestedCommand,
} from "#foundation/messages/mod.ts";
import {
  type Gate,
  type GateFacts,
  GATES,
  type LegPlace,
  type PlaceOfChunk,
  type WhyNot,
  type WordHeld,
} from "#library/search/mod.ts";
import type { Answer } from "./shape.ts";

/** A gate in words. */
export interface GateText {
  readonly gate: Gate | "shown";
  /** Its name. */
  readonly name: string;
  /** The event at the gate; empty where there is nothing to say. */
  readonly text: string;
}

/** The data of an answer: the result with its words. */
export interface WhyNotData extends Omit<WhyNot, "passed"> {
  readonly name: string;
  readonly text: string;
  /** Advice to the user. */
  readonly hint: string;
  /** The names of all gates. */
  readonly names: Readonly<Record<Gate, string>>;
  readonly passed: readonly (WhyNot["passed"][number] & GateText)[];
}

/** Returns the answer to the question why a document is not in an answer. `nameOf`: the name of a path in the texts. */
export function whyNotAnswer(
  result: WhyNot,
  language: Language,
  nameOf: (path: string) => string = (path) => path,
): Answer<WhyNotData> {
  const words = new GateWords(language, nameOf);
  const { gate } = result;
  const text = words.stop(result);
  const name = words.name(gate);
  const passed = result.passed.map((one) => ({
    ...one,
    name: words.name(one.gate),
    text: words.passed(one.gate, one.by),
  }));
  const names = Object.fromEntries(GATES.map((gate) => [gate, words.name(gate)])) as WhyNotData["names"];
  return {
    code: 200,
    message: message(language, "why_not_summary", { name, text }),
    data: { ...result, name, text, hint: words.hint(result), names, passed },
  };
}

/** The hints that need no setting, by reason. */
const HINTS: Readonly<Record<string, MessageKey>> = {
  outside: "why_not_hint_outside",
  folder: "why_not_hint_folder",
  "out_of_scope": "why_not_hint_whole",
  missing: "why_not_hint_missing",
  gone: "why_not_hint_index",
  "unknown_chunk": "why_not_hint_unknown_chunk",
  removed: "why_not_hint_removed",
  hidden: "why_not_hint_rename",
  own: "why_not_hint_own",
  special: "why_not_hint_own",
  link: "why_not_hint_link",
  "link_outside": "why_not_hint_link",
  unreadable: "why_not_hint_missing",
  "inner_rules": "why_not_hint_inner",
  "by_type": "why_not_hint_read",
  "by_content": "why_not_hint_read",
  failed: "why_not_hint_read",
  "old_text": "why_not_hint_read",
  "no_index": "why_not_hint_index",
  new: "why_not_hint_index",
  changed: "why_not_hint_index",
  unusable: "why_not_hint_rebuild",
  settings: "why_not_hint_rebuild",
  "not_there": "why_not_hint_text",
  nowhere: "why_not_hint_nowhere",
  "no_words": "why_not_hint_words",
  condition: "why_not_hint_filter",
  "moved_down": "why_not_hint_rerank",
  "same_text": "why_not_hint_duplicate",
  "older_text": "why_not_hint_duplicate",
  twice: "why_not_hint_duplicate",
  full: "why_not_hint_budget",
  shown: "why_not_hint_none",
  joined: "why_not_hint_none",
};

class GateWords {
  readonly #language: Language;
  readonly #nameOf: (path: string) => string;

  constructor(language: Language, nameOf: (path: string) => string) {
    this.#language = language;
    this.#nameOf = nameOf;
  }

  #say(key: MessageKey, params: Record<string, string | number> = {}): string {
    return message(this.#language, key, params);
  }

  name(gate: Gate | "shown"): string {
    return this.#say(`why_not_gate_${gate}`);
  }

  /** Why a gate stops a document. */
  stop({ reason, by }: WhyNot): string {
    const { rule, bytes, mostBytes, emptyPages = [], rank, score, last, instead, hit } = by;
    return this.#say(`why_not_${reason}`, {
      nearest: this.#nearest(by),
      rule: rule?.file === undefined ? "" : this.#say("why_not_rule", {
        pattern: rule.pattern,
        file: this.#nameOf(rule.file),
        line: rule.line ?? 0,
      }),
      pattern: rule?.pattern ?? "",
      size: megabytes(bytes),
      limit: megabytes(mostBytes),
      problem: this.#problem(by),
      keys: by.keys ?? "",
      pages: pageList(emptyPages),
      words: this.#words(by.words ?? []),
      conditions: this.#list(by.conditions ?? []),
      legs: this.#list((by.legs ?? []).map((leg) => this.#leg(leg))),
      rank: rank ?? "?",
      score: figure(score),
      last: last === undefined ? "?" : figure(last.score),
      before: by.rankBefore ?? "?",
      reranker: by.reranker ?? "",
      count: by.ofFile ?? 0,
      most: by.most ?? 0,
      place: instead === undefined ? "" : this.#place(instead),
      hit: instead === undefined ? hit ?? "?" : this.#asHit(instead.hit),
      degree: by.degree === undefined ? "" : this.#say(`degree_${by.degree}`),
      wanted: by.wanted === undefined ? "" : this.#say(`degree_${by.wanted}`),
    });
  }

  /** Returns what a gate that was passed found. */
  passed(gate: Gate, by: GateFacts): string {
    const { format, pages, chunks, indexedAt, words, needless, conditions, legs, rank, score, degree } = by;
    switch (gate) {
      case "read": {
        const count = pages === undefined ? "" : this.#say("why_not_pages", { count: pages });
        return format === undefined ? "" : this.#say("why_not_passed_read", { format, pages: count });
      }
      case "indexed":
        return chunks === undefined ? "" : this.#say("why_not_passed_indexed", {
          count: chunks,
          time: indexedAt === undefined ? "" : new Date(indexedAt).toLocaleString("sv"),
        });
      case "terms": {
        const text = this.#words(words ?? []);
        return needless ? this.#say("why_not_needless", { words: text }) : text;
      }
      case "filter":
        return conditions === undefined || conditions.length === 0
          ? this.#say("why_not_no_conditions")
          : this.#list(conditions);
      case "candidates":
        return this.#list((legs ?? []).map((leg) => this.#leg(leg)));
      case "fusion":
      case "rerank":
        return rank === undefined ? "" : this.#say("why_not_passed_fusion", { rank, score: figure(score) });
      case "degree":
        return degree === undefined ? "" : this.#say(`degree_${degree}`);
      default:
        return "";
    }
  }

  /** Returns advice about a gate that stops a document. */
  hint({ gate, reason, by, setting, path = "", root = "" }: WhyNot): string {
    if (reason === "ignored") return this.#say("why_not_hint_rule", { name: basename(by.at ?? path) });
    if (gate === "fusion" && reason === "below_last") {
      const needed = setting?.needed;
      return needed === undefined
        ? this.#say("why_not_hint_precise")
        : this.#say("why_not_hint_top_k", { needed: String(needed) });
    }
    const { key = "", value, needed } = setting ?? {};
    if (reason !== "moved_down" && reason !== "out_of_scope" && value !== undefined && needed !== undefined) {
      return this.#say("why_not_hint_value", { key, value: String(value), needed: String(needed) });
    }
    const known = HINTS[reason];
    const command = suggestedCommand(known === "why_not_hint_rebuild" ? "index --full" : "index", [root]);
    if (known !== undefined) return this.#say(known, { command });
    return setting === undefined
      ? this.#say("why_not_hint_candidates")
      : this.#say("why_not_hint_setting", { key });
  }

  #nearest({ nearest, passage, share = 0 }: GateFacts): string {
    if (passage !== undefined) {
      const text = passage.text.replace(/\s+/g, " ");
      const place = this.#place(passage);
      return this.#say("why_not_passage", { place, share: Math.round(100 * share), text });
    }
    if (nearest === undefined) return "";
    return this.#say("why_not_nearest", { paths: this.#list(nearest.map(this.#nameOf)) });
  }

  /** The reason of a file that was not read, in the words of its own message. */
  #problem({ problem = "", detail = {}, state }: GateFacts): string {
    if (state !== undefined) return this.#known([`cli_state_${state}`], {}) ?? state;
    return this.#known([`cli_skip_${problem}`, problem], detail) ?? problem;
  }

  #known(keys: readonly string[], params: Readonly<Record<string, string | number>>): string | undefined {
    const key = keys.find((key) => Object.hasOwn(MESSAGES, key));
    return key && this.#say(key as MessageKey, { count: 1, ...params });
  }

  #words(words: readonly WordHeld[]): string {
    return this.#list(words.map(({ word, has, form = word, likeness, chunks }) => {
      const isForm = has === "same" && form.toLowerCase() !== word.toLowerCase();
      const key = isForm ? "why_not_word_form" : `why_not_word_${has}` as const;
      return this.#say(key, {
        word,
        form,
        chunks,
        likeness: likeness === undefined ? "" : likeness.toFixed(2),
      });
    }));
  }

  #leg({ leg, rank, within, limit }: LegPlace): string {
    const name = this.#say(`why_not_leg_${leg}`);
    return rank === undefined
      ? this.#say("why_not_leg_beyond", { leg: name, within, limit })
      : this.#say("why_not_leg", { leg: name, rank, limit });
  }

  #asHit(hit: number | undefined): string {
    return hit === undefined ? "" : this.#say("why_not_as_hit", { hit });
  }

  #place({ path, startLine, endLine }: PlaceOfChunk): string {
    return `${this.#nameOf(path)}:${startLine}-${endLine}`;
  }

  #list(parts: readonly string[]): string {
    return parts.join(this.#language === "zh" ? "；" : "; ");
  }
}

function figure(value: number | undefined): string {
  return value === undefined ? "?" : value.toFixed(3);
}

function megabytes(bytes: number | undefined): string {
  return bytes === undefined ? "?" : (bytes / 1_000_000).toFixed(1);
}
