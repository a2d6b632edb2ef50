import assert from "node:assert/strict";
import { junkReason } from "#library/corpus/mod.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** Pseudo-random bytes like those of a compressed file, the same in every run. */
function noise(length: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(length);
  for (let at = 0, state = 1; at < length; at++) {
    state = Math.imul(state, 1_664_525) + 1_013_904_223 | 0;
    all[at] = state >>> 24;
  }
  return all;
}

const wrapped = (text: string, width: number) => text.replace(new RegExp(`(.{${width}})`, "g"), "$1\n");
const BASE64 = noise(30_000).toBase64();
const HEX = noise(20_000).toHex();
const DUMP = Array.from({ length: 500 }, (_, i) => {
  const line = noise(16).toHex().replace(/(....)/g, "$1 ").trim();
  return `${(i * 16).toString(16).padStart(8, "0")}: ${line}  ................`;
}).join("\n");
/** A dump with empty lines, in which one line of so many others is text. */
const dumpWithWords = (every: number) =>
  DUMP.split("\n").map((line, i) => i % every === 1 ? "\r\nThe next block.\r\n" : `${line}\r\n`).join("");
const MINIFIED = Array.from(
  { length: 200 },
  (_, i) => `function a${i}(b,c){return b.d(c)?e[${i}]:{f:"g",h:!0}};`,
).join("");
const NUMBERS = Array.from({ length: 20_000 }, (_, i) => `${(i * 7919) % 1000},`).join(" ");
const SENTENCE = "The quick brown fox jumps over the lazy dog, and then it rests. ";

Deno.test("junkReason() recognizes generated texts by their content", () => {
  const cases: [path: string, text: string, reason: string][] = [
    ["data.txt", wrapped(BASE64, 76), "encoded"],
    ["data.txt", BASE64, "encoded"],
    ["key.pem", `-----BEGIN X-----\n${wrapped(BASE64, 64)}\n-----END X-----\n`, "encoded"],
    ["a.ts", `export const data = "${BASE64}";\n`, "encoded"],
    ["data", wrapped(HEX, 64), "encoded"],
    ["dump.txt", DUMP, "encoded"],
    ["dump.txt", dumpWithWords(11), "encoded"],
    ["app.js", MINIFIED, "minified"],
    ["app.js", `/*! App 1.0 */\n${MINIFIED}\n//# sourceMappingURL=app.js.map\n`, "minified"],
    ["app.css", ".a{color:#fff;margin:0 auto}".repeat(200), "minified"],
    ["app.js.map", '{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA"}', "source_map"],
    ["b.map", ')]}\'\n{"file":"b.js","version": 3}', "source_map"],
    ["odd-name", '{"version":3,"file":"a.js","sources":["a.ts"],"mappings":"AAAA"}', "source_map"],
    ["package-lock.json", '{\n  "name": "a",\n  "lockfileVersion": 3,\n  "packages": {}\n}', "lock_file"],
    ["sub/yarn.lock", '# yarn lockfile v1\n\n\na@^1:\n  version "1.0.0"\n', "lock_file"],
    ["Cargo.lock", '[[package]]\nname = "a"\nversion = "0.1.0"\n', "lock_file"],
    ["deno.lock", '{\n  "version": "5",\n  "specifiers": {\n', "lock_file"],
    ["Gemfile.lock", "GEM\n  remote: https://example.org/\n  specs:\n    a (1.0)\n", "lock_file"],
    ["table.h", `static const int table[] = {\n${NUMBERS}\n};\n`, "number_table"],
    ["table.txt", NUMBERS, "number_table"],
  ];
  for (const [path, text, reason] of cases) assert.equal(junkReason(path, bytes(text)), reason, path);
});

Deno.test("junkReason() accepts texts that people write", () => {
  const chinese = "人工智能正在改变软件开发的方式而文档检索是其中的一部分".repeat(2000);
  const cases: [path: string, text: string][] = [
    ["a.txt", SENTENCE.repeat(2000)],
    ["a.txt", chinese],
    ["dump.txt", dumpWithWords(9)],
    ["a.map", '{"version":2,"sources":["a.ts"],"names":[],"mappings":"AAAA"}'],
    ["odd-name", '{"version":3,"file":"a.js","sources":["a.ts"]}'],
    ["a.js", `// ${chinese}`],
    ["a.txt", "Donaudampfschifffahrtsgesellschaftskapitaensmuetzenabzeichenverordnung ".repeat(500)],
    ["a.txt", "สวัสดีชาวโลกภาษาไทยไม่มีช่องว่างระหว่างคำ".repeat(500)],
    ["a.md", `${SENTENCE.repeat(2000)}\n![](data:image/png;base64,${BASE64})\n`],
    ["a.csv", `time,value\n${Array.from({ length: 9000 }, (_, i) => `${i},${i * 3}`).join("\n")}\n`],
    [
      "a.txt",
      Array.from({ length: 3000 }, (_, i) => `2024-05-01 12:00:${i % 60} request ${i} took ${i % 90} ms`)
        .join("\n"),
    ],
    ["a.js", Array.from({ length: 60 }, (_, i) => `const text${i} = "${SENTENCE.repeat(6)}";`).join("\n")],
    [
      "settings.json",
      JSON.stringify({ users: Array.from({ length: 900 }, (_, i) => ({ name: `Ann ${i}`, age: i })) }),
    ],
    ["a.svg", `<svg><path d="${NUMBERS.replaceAll(",", "")}"/></svg>`],
    [
      "cert.pem",
      `-----BEGIN CERTIFICATE-----\n${wrapped(BASE64.slice(0, 1500), 64)}\n-----END CERTIFICATE-----\n`,
    ],
    ["genes.fasta", `>one\n${wrapped("ACGTTGCA".repeat(2000), 60)}`],
    [
      "SHA256SUMS",
      Array.from({ length: 200 }, (_, i) => `${HEX.slice(i, i + 64)}  release-${i}-linux-x64.tar.gz`).join(
        "\n",
      ),
    ],
    [
      "urls.txt",
      Array.from({ length: 300 }, (_, i) => `https://example.org/some/where/page-${i}?query=text&more=${i}`)
        .join("\n"),
    ],
    ["yarn.lock", "Notes about a file that is called yarn.lock, by me.\n"],
    ["notes.md", 'npm writes "lockfileVersion": 3 into its lock file.\n'],
    ["map.json", '{"version": 3, "layers": [], "sources": ["a"]}'],
    ["a.ts", `interface Lock {\n  "lockfileVersion": number;\n}\n`],
  ];
  for (const [path, text] of cases) assert.equal(junkReason(path, bytes(text)), undefined, path);
  const utf16 = new Uint8Array(
    new Uint16Array(Array.from("中文。".repeat(5000), (char) => char.charCodeAt(0))).buffer,
  );
  assert.equal(junkReason("a.txt", utf16), undefined);
});

Deno.test("junkReason() gives the same result for 100 MB of a repeated text", () => {
  const large = new Uint8Array(100_000_000);
  for (
    const [path, text] of [["a.txt", BASE64], ["a.js", MINIFIED], ["a.txt", NUMBERS], [
      "a.txt",
      SENTENCE,
    ]] as const
  ) {
    const part = bytes(text);
    for (let at = 0; at + part.length < large.length; at += part.length) large.set(part, at);
    assert.equal(junkReason(path, large) === undefined, text === SENTENCE);
  }
});
