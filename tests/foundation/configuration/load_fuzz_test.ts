import { ok } from "node:assert/strict";
import * as fc from "fast-check";
import { ConfigError, loadConfig } from "#foundation/configuration/mod.ts";
import { SECTIONS, subsections } from "#foundation/configuration/schema.ts";
import { UserError } from "#foundation/errors.ts";
import { message } from "#foundation/messages/mod.ts";
import { assertFuzzed } from "../../_fuzz.ts";
import { mutated, mutation } from "../../_mutated.ts";
import { folder } from "./_load.ts";

const SHIPPED = Deno.readFileSync(new URL("../../../config.yaml", import.meta.url));
const SECTION_NAMES = [...subsections(), "embedding.local.zh"];
const KEY_NAMES = Object.values(SECTIONS).flatMap((section) => Object.keys(section));

const TEXTS = [
  "",
  "auto",
  "en",
  "zh",
  "env:HOME",
  "env:",
  "enc:v1:x",
  "http://",
  "https://a.example/v1",
  "\0",
];
const value: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, false, -1, 0, 1, 1e300, 0.5, ...TEXTS),
  fc.constantFrom<unknown>([], {}, ["*.md"], [["a", "b"]], "x".repeat(5000), "__proto__"),
  fc.jsonValue({ maxDepth: 3 }),
);
const name = fc.oneof(
  fc.constantFrom(...KEY_NAMES, "local", "__proto__", "constructor", "", "api_kay"),
  fc.string({ maxLength: 6 }),
);
/** Mostly `often`. */
const mostly = <T>(often: fc.Arbitrary<T>, seldom: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 5, arbitrary: often }, { weight: 1, arbitrary: seldom });
const settings = fc.dictionary(
  mostly(fc.constantFrom(...SECTION_NAMES), name),
  mostly<unknown>(fc.dictionary(name, value, { maxKeys: 5 }), value),
  { maxKeys: 6 },
);
const json = settings.map((settings) => ({ file: "config.json", bytes: utf8(JSON.stringify(settings)) }));
const YAML_SIGNS = "a: ;&x ;*x;- ;  ;\n;? ;! ;|\n;>-\n;[;};<<: ;---\n;#;'".split(";");
const yaml = fc.oneof(
  mutation.map((how) => mutated(SHIPPED, how)),
  settings.map((settings) => utf8(JSON.stringify(settings, undefined, 1).replaceAll(/"(\w+)": /g, "$1: "))),
  fc.array(fc.constantFrom(...YAML_SIGNS), { maxLength: 30 }).map((parts) => utf8(parts.join(""))),
).map((bytes) => ({ file: "config.yaml", bytes }));
const variables = fc.dictionary(
  fc.tuple(fc.constantFrom(...SECTION_NAMES), name)
    .map(([section, name]) => `MUXUE_RAG_${section}_${name}`.toUpperCase().replaceAll(/[\0=]/g, "")),
  fc.oneof(fc.constantFrom("", "1", "-1", "true", "x", "a,b", "[1]", "env:HOME"), fc.string()),
  { maxKeys: 3 },
);

Deno.test("any configuration is loaded or refused with a message in both languages", async () => {
  const counts = { loaded: 0, refused: 0 };
  await assertFuzzed(
    fc.asyncProperty(fc.oneof(json, yaml), variables, async ({ file, bytes }, env) => {
      await using work = await folder({ [file]: bytes });
      try {
        const { config } = await loadConfig({ cwd: work.dir, env });
        ok(subsections().every((section) => section in config));
        counts.loaded++;
      } catch (error) {
        ok(error instanceof UserError || error instanceof ConfigError, `${error} ${(error as Error).stack}`);
        for (const language of ["en", "zh"] as const) {
          ok(message(language, error.key, error.params).length > 0);
        }
        counts.refused++;
      }
    }),
    600,
  );
  ok(counts.loaded > 20 && counts.refused > 200, JSON.stringify(counts));
});

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
