/** Texts in Chinese and English. Each page has a file of its own in `texts/`, loaded with it. */
import { signal } from "@preact/signals";

export type Language = "zh" | "en";

/** Texts by key. `{name}` is a parameter; `{name|one|several}` chooses a word by its number. */
export type Texts = Readonly<Record<string, readonly [zh: string, en: string]>>;

export type Params = Readonly<Record<string, string | number>>;

const STORED = "language";

/** The language of the pages: the one chosen before, else that of the browser. */
export const language = signal<Language>(firstLanguage());

language.subscribe((now) => document.documentElement.lang = now === "zh" ? "zh-CN" : "en");

/** Changes the language of all pages, also of those opened later. */
export function changeLanguage(to: Language): void {
  localStorage.setItem(STORED, to);
  language.value = to;
}

/** A function that gives these texts in the language of the pages, with their parameters. Components that call it follow the language. */
export function textsOf<T extends Texts>(
  texts: T,
): (key: keyof T & string, params?: Params) => string {
  return (key, params = {}) => filled(texts[key]![language.value === "zh" ? 0 : 1], params);
}

/** The word for a name that the program gave, such as that of a stage; a name without a word is shown as it is. */
export function wordFor(name: string, words: Texts): string {
  return words[name]?.[language.value === "zh" ? 0 : 1] ?? name;
}

function filled(text: string, params: Params): string {
  return text.replace(
    /\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g,
    (_, name, one, several) => {
      const value = params[name] ?? "";
      if (one === undefined) {
        return typeof value === "number" ? number(value) : value;
      }
      return value === 1 ? one : several;
    },
  );
}

/** A number as people write it. */
export function number(value: number, digits = 0): string {
  return new Intl.NumberFormat(language.value, {
    maximumFractionDigits: digits,
  }).format(value);
}

/** A moment, from ISO 8601 or milliseconds. */
export function moment(value: string | number): string {
  const format = new Intl.DateTimeFormat(language.value, {
    dateStyle: "medium",
    timeStyle: "short",
  });
  return format.format(new Date(value));
}

/** A duration in milliseconds: `0.4 ms`, `12 ms`, `3.2 s`. */
export function duration(ms: number): string {
  if (ms < 10) return `${number(ms, 1)} ms`;
  return ms < 1000 ? `${number(ms)} ms` : `${number(ms / 1000, 1)} s`;
}

/** A number of bytes: `12 kB`. */
export function bytes(count: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let at = 0;
  for (; count >= 1000 && at < units.length - 1; at++) count /= 1000;
  return `${number(count, count < 10 && at > 0 ? 1 : 0)} ${units[at]}`;
}

function firstLanguage(): Language {
  const stored = localStorage.getItem(STORED);
  if (stored === "zh" || stored === "en") return stored;
  const wanted = navigator.languages.find((tag) => /^(?:zh|en)\b/i.test(tag)) ??
    "en";
  return /^zh/i.test(wanted) ? "zh" : "en";
}
