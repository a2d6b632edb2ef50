import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { type Message, META, ROOT, startSession } from "../_session.ts";
import { file, libraryOf } from "./_documents.ts";

const LAST_MODIFIED = { lastModified: "2026-01-02T00:00:00.000Z" };

Deno.test("resources/list has every indexed document with its name, title, type, size and date", async () => {
  const library = libraryOf({
    [ROOT]: [
      file("tea.md", { title: "Tea" }),
      file("茶/绿茶 #1.pdf", { format: "pdf", size: 9000 }),
      file("broken.pdf", { status: "failed", reason: "damaged" }),
      file("a.xyz"),
    ],
  });
  await using session = await startSession({ library });
  deepEqual((await session.request("resources/list")).result, {
    resources: [
      {
        uri: "muxue://notes/a.xyz",
        name: "a.xyz",
        title: "a.xyz",
        mimeType: "text/plain",
        size: 10,
        annotations: LAST_MODIFIED,
      },
      {
        uri: "muxue://notes/tea.md",
        name: "tea.md",
        title: "Tea",
        mimeType: "text/markdown",
        size: 10,
        annotations: LAST_MODIFIED,
      },
      {
        uri: "muxue://notes/%E8%8C%B6/%E7%BB%BF%E8%8C%B6%20%231.pdf",
        name: "茶/绿茶 #1.pdf",
        title: "绿茶 #1.pdf",
        mimeType: "text/markdown",
        annotations: LAST_MODIFIED,
      },
    ],
  });
});

Deno.test("resources/list is read page by page, and each document comes once", async () => {
  const names = Array.from({ length: 1100 }, (_, i) => `${String(i).padStart(4, "0")}.md`);
  const library = libraryOf({ [ROOT]: names.map((name) => file(name)) });
  await using session = await startSession({ library });
  const seen: string[] = [];
  const pages: number[] = [];
  let cursor: string | undefined;
  do {
    const { result } = await session.request("resources/list", cursor === undefined ? {} : { cursor });
    seen.push(...result.resources.map(({ name }: { name: string }) => name));
    pages.push(result.resources.length);
    cursor = result.nextCursor;
  } while (cursor !== undefined);
  deepEqual([pages, seen], [[500, 500, 100], names]);
});

Deno.test("a cursor that no answer had is refused", async () => {
  await using session = await startSession({ library: libraryOf({ [ROOT]: [] }) });
  deepEqual((await session.request("resources/list", { cursor: "7" })).error, {
    code: -32602,
    message: "The cursor is invalid. Pass nextCursor of the last answer, or leave it out",
  });
});

Deno.test("folders with the same name are told apart, and a file of an inner folder belongs to that", async () => {
  const library = libraryOf({
    [join(ROOT, "a", "docs")]: [file("one.md")],
    [join(ROOT, "b", "docs")]: [file("two.md")],
    [join(ROOT, "b")]: [file("docs/two.md"), file("three.md")],
  });
  await using session = await startSession({ library });
  const { result } = await session.request("resources/list");
  deepEqual(result.resources.map(({ uri }: { uri: string }) => uri), [
    "muxue://a%2Fdocs/one.md",
    "muxue://b%2Fdocs/two.md",
    "muxue://b/three.md",
  ]);
});

Deno.test("resources/read gives the text of a document, or the lines that the URI names", async () => {
  const text = Array.from({ length: 9 }, (_, i) => `line ${i + 1}\n`).join("");
  const texts = { [`${ROOT}/a b.txt`]: text, [`${ROOT}/report.pdf`]: "# Report\n" };
  await using session = await startSession({ library: libraryOf({ [ROOT]: [] }, texts) });
  const read = async (uri: string) => (await session.request("resources/read", { uri })).result.contents;
  deepEqual(await read("muxue://notes/a%20b.txt"), [
    { uri: "muxue://notes/a%20b.txt", mimeType: "text/plain", text },
  ]);
  deepEqual(await read("muxue://NOTES/report.pdf"), [
    { uri: "muxue://NOTES/report.pdf", mimeType: "text/markdown", text: "# Report\n" },
  ]);
  const linesOf = async (lines: string) => (await read(`muxue://notes/a b.txt?lines=${lines}`))[0].text;
  deepEqual(
    await Promise.all(["3", "3-4", "8-", "-2", "3:6-3"].map(linesOf)),
    ["line 3\n", "line 3\nline 4\n", "line 8\nline 9\n", "line 1\nline 2\n", "3\n"],
  );
});

Deno.test("a long text is cut, and a second part of the answer has the URI of the rest", async () => {
  const text = Array.from({ length: 4000 }, (_, i) => `This is line ${i + 1} of a long text.\n`).join("");
  const library = libraryOf({ [ROOT]: [] }, { [`${ROOT}/long.md`]: text });
  await using session = await startSession({ library, config: { max_tokens: 2000 } });
  let uri: string | undefined = "muxue://notes/long.md";
  let whole = "";
  let parts = 0;
  while (uri !== undefined) {
    const [part, rest]: Message[] = (await session.request("resources/read", { uri })).result.contents;
    whole += part.text;
    parts++;
    if (rest !== undefined) {
      match(rest.text, /^\[lines \d+-\d+ of 4000 are above; read the rest at muxue:.*\]$/);
      equal(rest.text.includes(rest.uri), true);
    }
    uri = rest?.uri;
  }
  equal(whole, text);
  equal(parts > 10, true);
});

Deno.test("a line that is longer than an answer is continued inside of it", async () => {
  const text = "0123456789".repeat(3000);
  const library = libraryOf({ [ROOT]: [] }, { [`${ROOT}/line.txt`]: text });
  await using session = await startSession({ library, config: { max_read_chars: 20_000 } });
  const first = (await session.request("resources/read", { uri: "muxue://notes/line.txt" })).result.contents;
  equal(first[1].uri, "muxue://notes/line.txt?lines=1:20001-");
  const second = (await session.request("resources/read", { uri: first[1].uri })).result.contents;
  equal(first[0].text + second[0].text, text);
});

Deno.test("a resource that does not exist and lines that do not are refused in a sentence, with the codes of each revision", async () => {
  const library = libraryOf({ [ROOT]: [] }, { [`${ROOT}/a.md`]: "one\n" });
  await using session = await startSession({ library });
  const refused = async (uri: string, more = {}) =>
    (await session.request("resources/read", { uri, ...more })).error;
  const text = (uri: string) =>
    `There is no such resource: ${uri}. resources/list has all documents; a URI is muxue://collection/path`;
  for (const uri of ["muxue://other/a.md", "file:///etc/passwd", "muxue://notes", "muxue://notes/%E0%A4%A"]) {
    deepEqual(await refused(uri), { code: -32002, message: text(uri), data: { uri } });
  }
  deepEqual(await refused("muxue://notes/b.md"), {
    code: -32002,
    message: "The file does not exist: check the path",
    data: { uri: "muxue://notes/b.md" },
  });
  equal((await refused("muxue://notes/b.md", { _meta: META })).code, -32602);
  deepEqual(await refused("muxue://notes/a.md?lines=7-8"), {
    code: -32602,
    message: "Invalid line range 7-8 (the file has 1 lines)",
  });
});

Deno.test("resources/templates/list has the templates of documents and of their pictures", async () => {
  await using session = await startSession();
  deepEqual((await session.request("resources/templates/list")).result.resourceTemplates, [{
    name: "document",
    title: "Indexed document",
    description: "Text of a document in a served folder; lines is a range such as 12-40 and may be left out",
    uriTemplate: "muxue://{collection}/{+path}{?lines}",
  }, {
    name: "picture",
    title: "Picture in a document",
    description:
      "Picture in a document of a served folder, scaled down if large; image is its number, such as 3",
    uriTemplate: "muxue://{collection}/{+path}{?image}",
  }]);
});
