import type { Random } from "../random.ts";
import type { Kind } from "../types.ts";
import { jsonIn, jsonPart } from "./json.ts";

type Parts = Map<string, Uint8Array<ArrayBuffer>>;
// deno-lint-ignore no-explicit-any -- the tries use values of any shape
type Anything = any;

/** Wrong values for a section that contains JSON. */
const SHAPES: Readonly<Record<string, string>> = {
  "null": "null",
  "an empty list": "[]",
  "an empty object": "{}",
  "a number": "7",
  "a text": '"x"',
  "a list of nothing": "[null]",
  "a list of texts": '["a","b"]',
  "no JSON": "{",
  "deep": "[".repeat(100_000) + "]".repeat(100_000),
  "of __proto__": '{"__proto__":{"length":9},"length":9}',
};

/** Paths that no file of a folder has. */
const PATHS: Readonly<Record<string, unknown>> = {
  "up": "../../../../etc/passwd",
  "absolute": "/etc/passwd",
  "of a drive": "C:\\Windows\\win.ini",
  "with NUL": "en/\0faq.txt",
  "empty": "",
  "a dot": ".",
  "with empty parts": "en//faq.txt",
  "with a dot inside": "en/../../faq.txt",
  "1 MB long": "a".repeat(1 << 20),
  "a number": 7,
  "a list": ["en/faq.txt"],
  "missing": undefined,
  "turned": "\u202een/faq.txt",
};

/** Wrong values for the fields of a file's record. */
const FIELDS: readonly (readonly [field: string, value: unknown])[] = [
  ...["size", "mtimeMs", "firstChunk", "chunkCount"].flatMap((field) =>
    [-1, 0.5, 1e300, 9999, null, "7", undefined].map((value) => [field, value] as const)
  ),
  ["sha256", "../../x"],
  ["sha256", 7],
  ["status", "believed"],
  ["status", "failed"],
  ["reason", "__proto__"],
  ["detail", "x"],
  ["encoding", "no-such-encoding"],
];

/** Returns indexes with JSON of the wrong shape, hostile file paths, and wrong numbers. */
export function forgedJson(
  parts: (what: string, change: (parts: Parts, random: Random) => void) => Kind,
): Kind[] {
  const files = (what: string, change: (files: Anything[], random: Random) => unknown) =>
    parts(`files ${what}`, (all, random) => {
      const list = jsonIn<Anything[]>(all, "files");
      all.set("files", jsonPart(change(list, random) ?? list));
    });
  return [
    ...["meta", "files", "vector.meta"].flatMap((name) =>
      Object.entries(SHAPES).map(([shape, text]) =>
        parts(`${name} is ${shape}`, (all) => void all.set(name, jsonPart(text)))
      )
    ),
    ...Object.entries(PATHS).map(([what, path]) =>
      files(`with a path ${what}`, (list) => {
        for (const file of list) file.path = path;
      })
    ),
    ...FIELDS.map(([field, value]) =>
      files(`with ${field} ${JSON.stringify(value)}`, (list) => {
        for (const file of list) file[field] = value;
      })
    ),
    files("twice", (list) => [...list, ...list]),
    files("in another order", (list) => list.reverse()),
    files("of which one is missing", (list, random) => void list.splice(random.below(list.length), 1)),
    files("100,000 more", (list) => {
      const more = Array.from({ length: 100_000 }, (_, i) => ({ ...list[0], path: `x/${i}`, chunkCount: 0 }));
      return [...list, ...more];
    }),
    ...[["tokenizer", "x"], ["tokenizer", 999], ["settings", 7], ["program", null], ["indexedAt", "never"]]
      .map(([field, value]) =>
        parts(`meta with ${field} ${JSON.stringify(value)}`, (all) => {
          all.set("meta", jsonPart({ ...jsonIn<Anything>(all, "meta"), [field as string]: value }));
        })
      ),
    ...[
      ["dimensions", 1],
      ["dimensions", 16_384],
      ["dimensions", 1e9],
      ["model", "\u001b]0;x\u0007"],
      ["model", "openai/x"],
      ["exact", true],
    ]
      .map(([field, value]) =>
        parts(`vector.meta with ${field} ${JSON.stringify(value)}`, (all) => {
          all.set(
            "vector.meta",
            jsonPart({ ...jsonIn<Anything>(all, "vector.meta"), [field as string]: value }),
          );
        })
      ),
  ];
}
