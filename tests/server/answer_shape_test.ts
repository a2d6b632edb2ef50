import { deepEqual, equal, ok } from "node:assert/strict";
import { CLIENTS } from "#server/call_tool.ts";
import { callOnce, hit, META, searched, startSession } from "./_session.ts";

const { library } = searched({ hits: [hit()] });

async function forms(options: Parameters<typeof startSession>[0]) {
  await using session = await startSession({ library, ...options });
  const { content, structuredContent } = await session.call("search_rag", { keyword: "tea" });
  const { result } = await session.request("tools/list");
  return {
    text: content[0].text.includes("Green tea wants 80 °C."),
    structured: structuredContent?.data?.match_content[0].content === "Green tea wants 80 °C.",
    schema: "outputSchema" in result.tools[0],
    short: [content[0].text, structuredContent],
  };
}

Deno.test("a client that gives a model the structured answer gets a short text beside it", async () => {
  const { text, structured, schema, short } = await forms({ client: "claude-code" });
  deepEqual([text, structured, schema, short[0]], [false, true, true, "Search succeeded"]);
});

Deno.test("a client that gives a model the text gets a complete structured answer beside it, for programs", async () => {
  for (const client of ["claude-ai", "Zed"]) {
    const { text, structured, schema } = await forms({ client });
    deepEqual([text, structured, schema], [true, true, true]);
  }
});

Deno.test("an unknown client gets both forms, each complete", async () => {
  const { text, structured, schema } = await forms({ client: "something new" });
  deepEqual([text, structured, schema], [true, true, true]);
});

Deno.test("mcp.answer decides for every client; with text no output schema is declared", async () => {
  for (const client of ["claude-code", "Zed", "something new"]) {
    const of = async (answer: "both" | "structured" | "text") => {
      const { text, structured, schema } = await forms({ client, config: { answer } });
      return [text, structured, schema];
    };
    deepEqual(
      [await of("both"), await of("structured"), await of("text")],
      [[true, true, true], [false, true, true], [true, false, false]],
    );
  }
});

Deno.test("the client's name in the envelope of a request decides in revision 2026-07-28", async () => {
  await using session = await startSession({ library, raw: true });
  const call = async (name: string) => {
    const { result } = await session.request("tools/call", {
      name: "search_rag",
      arguments: { keyword: "tea" },
      _meta: { ...META, "io.modelcontextprotocol/clientInfo": { name, version: "1" } },
    });
    return result.content[0].text.includes("Green tea") ? "text" : "structured";
  };
  deepEqual([await call("Zed"), await call("codex-mcp-client")], ["text", "structured"]);
});

Deno.test("an error is complete in both forms for every client", async () => {
  for (const client of ["claude-code", "Zed", "something new"]) {
    const { content, structuredContent, isError } = await callOnce("search_rag", { keyword: " " }, {
      client,
    });
    const message = "The search keyword is empty. Enter what to look for";
    deepEqual([content[0].text, structuredContent, isError], [
      message,
      { code: 500, message, data: null },
      true,
    ]);
  }
});

Deno.test("the guide's table has every known client and its form, in both languages", async () => {
  for (const language of ["en", "zh"]) {
    const page = await Deno.readTextFile(
      new URL(`../../examples/docs/${language}/mcp-clients.md`, import.meta.url),
    );
    for (const [name, shape] of CLIENTS) {
      const isRow = (line: string) => line.startsWith(`| \`${shape}\``) && line.includes(`\`${name}\``);
      ok(page.split("\n").some(isRow), `${language}: ${name}`);
    }
    equal(page.includes("mcp.answer"), true);
  }
});
