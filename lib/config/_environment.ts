import type { Entry, Problem } from "./_entry.ts";
import { PREFIX, RESERVED, settingNames } from "./environment_names.ts";
import { nearest } from "./nearest.ts";
import { fieldOf, SECTIONS } from "./schema.ts";
import type { Environment } from "./user_dirs.ts";

// After every position in a file.
const FIRST_ORDER = 1e9;

/**
 * The values given as `MUXUE_RAG_<SECTION>_<KEY>`; lists are separated by commas, lists of lists by semicolons
 * (`k8s,kubernetes;电脑,计算机`). A name that starts like ours and is none is a problem: a setting that is ignored in
 * silence is worse. Empty values count as not set.
 */
export function readEnvironment(env: Environment): { entries: Entry[]; problems: Problem[] } {
  const keys = new Map<string, { section: string | undefined; key: string }>();
  keys.set(`${PREFIX}LANGUAGE`, { section: undefined, key: "language" });
  for (const [section, fields] of Object.entries(SECTIONS)) {
    for (const key of Object.keys(fields)) {
      keys.set(`${PREFIX}${section}_${key}`.toUpperCase(), { section, key });
    }
  }

  const entries: Entry[] = [];
  const problems: Problem[] = [];
  for (const [at, name] of settingNames(env).entries()) {
    const text = env[name];
    if (text === undefined || text === "") continue;
    const place = { text: `env:${name}`, order: FIRST_ORDER + at };
    const target = keys.get(name);
    if (target === undefined) {
      const suggestion = nearest(name.slice(PREFIX.length), [
        ...[...keys.keys(), ...RESERVED].map((known) => known.slice(PREFIX.length)),
      ]);
      problems.push({
        place,
        path: "",
        phrase: suggestion === undefined
          ? { key: "config_unknown_variable" }
          : { key: "config_unknown_variable_suggest", params: { suggestion: PREFIX + suggestion } },
      });
    } else {
      const value = typed(target.section, target.key, text);
      entries.push({ ...target, value, place, origin: "environment" });
    }
  }
  return { entries, problems };
}

/**
 * The first reading of `text` that its key accepts: as text, number, truth value, list or list of lists; else the text
 * itself.
 */
function typed(section: string | undefined, key: string, text: string): unknown {
  const readings: unknown[] = [text];
  if (/^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(text.trim())) readings.push(Number(text));
  if (/^(?:true|false)$/i.test(text.trim())) readings.push(text.trim().toLowerCase() === "true");
  readings.push(listed(text, ","), listed(text, ";").map((group) => listed(group, ",")));
  const field = fieldOf(section, key);
  return readings.find((reading) => field?.safeParse(reading).success) ?? text;
}

function listed(text: string, separator: string): string[] {
  return text.split(separator).map((part) => part.trim()).filter((part) => part !== "");
}
