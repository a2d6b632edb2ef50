import assert from "node:assert/strict";
import { chunkDocument } from "#engine/chunk/mod.ts";
import { dataLoader } from "#documents/read_document.ts";

/** Sections as `first-last line path`. */
function outline(path: string, text: string): string[] {
  const document = dataLoader(path, text)!(text);
  assert.equal(document.text, text);
  const line = (at: number) => text.slice(0, at).split("\n").length;
  return document.sections.map(({ start, end, path }) => `${line(start)}-${line(end)} ${path.join(" › ")}`);
}

Deno.test("JSON: keys and items of more than one line are sections, named by their content", () => {
  const text = `{
  // Who may.
  "users": [
    {
      "name": "Ann",
      "age": 3
    },
    { "name": "Bob" },
    [
      1
    ]
  ],
  "options": {
    "deep": {
      "a": "}",
    }
  },
  "flat": { "a": 1 }
}
`;
  assert.deepEqual(outline("settings.json", text), [
    "2-12 users",
    "4-7 users › [0] Ann",
    "9-11 users › [2]",
    "13-17 options",
    "14-16 options › deep",
  ]);
});

Deno.test("broken or minified JSON keeps the sections that can be recognised", () => {
  assert.deepEqual(outline("a.json", '{\n  "a": {\n    "b": "open\n  },\n  "c": {\n    "d": 1\n'), [
    "2-4 a",
    "5-7 c",
  ]);
  assert.deepEqual(outline("a.json", '{"a":{"b":[1,2]},"c":{"d":1}}'), []);
  assert.deepEqual(outline("a.json", "]]}}{"), []);
});

Deno.test("JSON lines: each line is a record", () => {
  assert.deepEqual(outline("a.jsonl", '{"id":7,"title":"One"}\n\n{"x":1}\n{"_id":"b"}\n'), [
    "1-1 [1] 7",
    "3-3 [3]",
    "4-4 [4] b",
  ]);
});

Deno.test("YAML: keys and list items are sections, by indentation", () => {
  const text = `version: "3"
# The services.
services:
  web:
    image: nginx
    ports:
      - 80:80
      - name: admin
        port: 81
steps:
- name: "One: two"
  run: |
    no: key
    # none
- uses: two
  with: { a: 1 }
---
kind: Second
"a b":
  c: 1
`;
  assert.deepEqual(outline("a.yml", text), [
    "2-9 services",
    "4-9 services › web",
    "6-9 services › web › ports",
    "8-9 services › web › ports › [1] admin",
    "10-16 steps",
    "11-14 steps › [0] One: two",
    "15-16 steps › [1] two",
    "17-20 document 2",
    "19-20 document 2 › a b",
  ]);
});

Deno.test("XML: elements below the outermost one are sections, named by their attributes and children", () => {
  const text = `<?xml version="1.0"?>
<!DOCTYPE project [ <!ENTITY a "&b;&b;"> ]>
<!-- <no> -->
<project>
  <name>top</name>
  <dependencies>
    <dependency>
      <artifactId>junit</artifactId>
    </dependency>
    <empty/>
  </dependencies>
  <target id="run" if="a > b">
    <![CDATA[ <no> ]]>
  </target>
</project>
`;
  assert.deepEqual(outline("pom.xml", text), [
    "6-11 dependencies",
    "7-9 dependencies › dependency junit",
    "12-14 target run",
  ]);
});

Deno.test("an element that begins in the line where another ends gets no section", () => {
  const text = "<r>\n <a>\n  1\n </a><b>\n  2\n </b>\n</r>\n";
  const { sections } = dataLoader("a.xml", text)!(text);
  assert.deepEqual(sections.map(({ start, end }) => text.slice(start, end)), [" <a>\n  1\n </a>"]);
});

Deno.test("INI and TOML: tables are sections", () => {
  const toml =
    '[package]\nname = "a"\ntext = """\n[no]\n"""\n\n# Needed.\n[dependencies.one]\nversion = "1"\n\n[[bin]]\nname = "a"\n';
  assert.deepEqual(outline("Cargo.toml", toml), ["1-5 package", "7-9 dependencies.one", "11-12 bin"]);
  assert.deepEqual(outline("a.ini", "[a b]\nc=1\n; next\n[d]\ne=2\n"), ["1-2 a b", "3-5 d"]);
});

const LOG = `2024-05-01 12:58:00 INFO start
2024-05-01 12:59:00 ERROR bad
java.lang.IllegalStateException: no
\tat a.b.C(C.java:1)
Caused by: java.io.IOException
2024-05-01 12:59:30 INFO still here
2024-05-01 13:00:00 INFO go on
2024-05-01 13:01:00 INFO go on
2024-05-02 00:00:01 INFO new day
2024-05-02 00:00:02 INFO end
`;

Deno.test("logs: hours are sections, and so are the entries of several lines in them", () => {
  assert.deepEqual(outline("app.log.1", LOG), [
    "1-6 2024-05-01 12:00",
    "2-5 2024-05-01 12:00 › 2024-05-01 12:59:00 ERROR bad",
    "7-8 2024-05-01 13:00",
    "9-10 2024-05-02 00:00",
  ]);
  const access =
    '1.2.3.4 - - [10/Oct/2023:13:55:36 +0000] "GET /"\n1.2.3.4 - - [10/Oct/2023:13:56:36 +0000] "GET /"\n';
  assert.deepEqual(outline("access.log", access), ["1-2 2023-10-10 13:00"]);
  assert.deepEqual(outline("syslog.log", "Jan  2 15:04:05 host a\nJan  2 15:04:06 host b\n"), [
    "1-2 01-02 15:00",
  ]);
});

Deno.test("a stack trace that fits in a chunk is not divided", () => {
  const lines = Array.from(
    { length: 40 },
    (_, i) => `2024-05-01 12:${10 + i}:00 ERROR number ${i}\nError: no\nat one\nat two\nat three`,
  );
  const text = lines.join("\n");
  const chunks = chunkDocument(dataLoader("a.log", text)!(text), {
    maxChars: 300,
    overlap: 0,
    chunksPerFile: "auto",
  });
  for (const { start, end } of chunks) {
    const chunk = text.slice(start, end);
    assert.ok(chunk.startsWith("2024-") && chunk.endsWith("at three"), chunk);
  }
});

Deno.test("data is recognised by its extension and by its beginning", () => {
  const kind = (path: string, text: string) => dataLoader(path, text)?.name;
  assert.equal(kind("a.conf", '{"a": 1}'), "loadJson");
  assert.equal(kind("a.conf", "[a]\nb=1"), "loadTables");
  assert.equal(kind("app.config", '<?xml version="1.0"?><a/>'), "loadXml");
  assert.equal(kind("output.txt", LOG), "loadLog");
  assert.equal(
    kind("notes.txt", "On 2024-05-01 we met.\nIt rained.\nWe left.\nThat was all.\nYes.\n"),
    undefined,
  );
  assert.equal(kind("a.md", LOG), undefined);
});

Deno.test("hostile data is read, with sections at most four levels deep", () => {
  for (
    const [path, text] of [
      ["a.json", "[".repeat(3_000_000)],
      ["a.json", `[${'{"a":[1]},'.repeat(300_000)}]`],
      ["a.json", '{"a":\n'.repeat(300_000)],
      ["a.json", '"'.repeat(3_000_000)],
      ["a.json", `[${'{"a"'.repeat(10)}${" ".repeat(1_000_000)}]`],
      ["a.yaml", "- ".repeat(1_000_000)],
      ["a.yaml", "a:\n".repeat(300_000)],
      ["a.yaml", Array.from({ length: 1500 }, (_, i) => `${" ".repeat(i)}a:`).join("\n")],
      ["a.xml", "<a>".repeat(1_000_000)],
      ["a.xml", "<a\n".repeat(1_000_000)],
      ["a.xml", `<a>${"</b>".repeat(1_000_000)}`],
      ["a.xml", "<!--".repeat(1_000_000)],
      ["a.toml", '[a]\n"""'.repeat(300_000)],
      ["a.toml", `"""${"a\n".repeat(500_000)}`],
      ["a.log", "2024-05-01 12:58:00 INFO start\n\n\n".repeat(100_000)],
    ] as const
  ) {
    const { sections } = dataLoader(path, text)!(text);
    assert.ok(sections.every(({ path }) => path.length <= 4), `${path} ${text.slice(0, 10)}`);
  }
});
