import { deepEqual, equal } from "node:assert/strict";
import { isListOfLinks, isTest } from "#engine/rank/standing.ts";
import { Segments } from "#engine/segments.ts";
import { bestOf, hitsIn, indexOf, namesOf, question } from "./_collection.ts";

const CODE = {
  "src/cookie.ts":
    "export function parseSigned(cookie: string, secret: string) { return verify(cookie, secret); }",
  "src/cookie.test.ts":
    "describe('signed cookie', () => { it('parses a signed cookie', () => parseSigned('cookie')) })",
  "src/router.ts": "export class Router { match(path: string) {} }",
};

const BOOK = {
  "SUMMARY.md": "- [Channels](channels.md)\n- [Threads](threads.md)\n- [Shared state](state.md)\n",
  "channels.md":
    "To send messages between two threads, the library has channels. A channel has a sender and a receiver, and it is closed " +
    "when either of them is dropped. Whoever waits for a message then gets an error and can end.",
  "state.md":
    "A mutex guards data that several parts of the program change. It is locked before each access.",
};

const MODES = ["keyword", "hybrid"] as const;

Deno.test("the code comes before its test, unless the question asks for the test", async () => {
  using index = await indexOf(CODE);
  const first = async (text: string, mode: typeof MODES[number]) =>
    namesOf(await bestOf(question([index], text, { mode }), { limit: 3 }))[0];
  for (const mode of MODES) {
    deepEqual(
      [await first("parse signed cookie", mode), await first("test of parse signed cookie", mode)],
      ["src/cookie.ts", "src/cookie.test.ts"],
      mode,
    );
  }
});

Deno.test("the name of a folder around the indexed one makes no file a test", async () => {
  using index = await indexOf(CODE);
  const segments = new Segments([index], (_, path) => `/home/me/tests/${path}`);
  const [best] = await bestOf(question([index], "parse signed cookie", { segments, mode: "keyword" }), {
    limit: 3,
  });
  deepEqual([best!.filePath, best!.score], ["/home/me/tests/src/cookie.ts", best!.legs.keyword!.raw]);
});

Deno.test("a page comes before a list of links to it, unless the question asks for the list", async () => {
  using index = await indexOf(BOOK);
  for (const mode of MODES) {
    const first = async (text: string) =>
      namesOf(await bestOf(question([index], text, { mode }), { limit: 3 }))[0];
    equal(await first("channels"), "channels.md", mode);
    equal(await first("table of contents: channels, threads, shared state"), "SUMMARY.md", mode);
  }
});

Deno.test("a summary that is no list of links stands like any other text", async () => {
  const [best] = await hitsIn(
    {
      "SUMMARY.md": "The audit found that channels are closed too late.",
      "other.md":
        "The audit of last year was about something else, and about several further matters, not about that.",
    },
    "audit channels",
    { mode: "keyword" },
  );
  equal(best!.filePath, "SUMMARY.md");
  equal(best!.score, best!.legs.keyword!.raw);
});

Deno.test("tests of code are known by their names and folders", () => {
  const tests = [
    "a/user.test.ts",
    "user_test.go",
    "test_user.py",
    "src/UserTest.java",
    "lib/user-spec.js",
    "tests/user.rs",
    "a/__tests__/user.js",
    "runtime-tests/deno.ts",
  ];
  const others = [
    "latest.ts",
    "contest.go",
    "src/testing.ts",
    "tests/blood.md",
    "spec/paper.pdf",
    "attest/user.rs",
  ];
  deepEqual(tests.filter((path) => !isTest(path)), []);
  deepEqual(others.filter(isTest), []);
});

Deno.test("a list of links is known by its text", () => {
  equal(
    isListOfLinks("# 目录\n\n* [第一章](ch1.md)\n* [第二章 线程](ch2.md)\n* [第三章 通道](ch3.md)"),
    true,
  );
  equal(isListOfLinks("See [the guide](guide.md) before you change anything in this folder."), false);
  equal(isListOfLinks(""), false);
});
