import { deepEqual } from "node:assert/strict";
import { InMemoryServerEventBus } from "@modelcontextprotocol/server";
import { Notes } from "#server/mod.ts";
import { file, libraryOf } from "../resources/_documents.ts";
import { type Message, ROOT } from "../_session.ts";
import { type HttpSession, INITIALIZE, startHttpSession } from "./_http_session.ts";

/** Begins a session and sends its requests. */
async function listen(server: HttpSession, requests: readonly (readonly [method: string, params: object])[]) {
  const begun = await server.post(INITIALIZE);
  await begun.text();
  const headers = {
    "Mcp-Session-Id": begun.headers.get("mcp-session-id")!,
    "MCP-Protocol-Version": "2025-11-25",
  };
  for (const [id, [method, params]] of requests.entries()) {
    await (await server.post({ jsonrpc: "2.0", id: id + 2, method, params }, headers)).text();
  }
  const stream = await fetch(server.url, { headers: { ...headers, "Accept": "text/event-stream" } });
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return {
    /** The next notification of the session. */
    async next(): Promise<Message> {
      for (;;) {
        const event = /^data: (\{.*\})\n/m.exec(text);
        if (event !== null) {
          text = text.slice(event.index + event[0].length);
          return JSON.parse(event[1]!);
        }
        const { value, done } = await reader.read();
        if (done) throw new Error("the stream has ended");
        text += value;
      }
    },
    close: () => reader.cancel(),
  };
}

Deno.test("each session receives the messages of its level, and hears of the documents to which it has subscribed", async () => {
  const [notes, changes] = [new Notes(), new InMemoryServerEventBus()];
  const library = libraryOf({ [ROOT]: [file("a.md"), file("b.md")] });
  await using server = await startHttpSession({ library, notes, changes });
  const [a, b] = ["muxue://notes/a.md", "muxue://notes/b.md"];
  const quiet = await listen(server, [["logging/setLevel", { level: "error" }], ["resources/subscribe", {
    uri: a,
  }]]);
  const loud = await listen(server, [["logging/setLevel", { level: "info" }], ["resources/subscribe", {
    uri: b,
  }]]);
  notes.publish({ level: "info", text: "index changed" });
  for (const uri of [a, b]) changes.publish({ kind: "resource_updated", uri });
  const updated = (uri: string) => ({
    jsonrpc: "2.0",
    method: "notifications/resources/updated",
    params: { uri },
  });
  deepEqual(await quiet.next(), updated(a));
  deepEqual([await loud.next(), await loud.next()], [
    {
      jsonrpc: "2.0",
      method: "notifications/message",
      params: { level: "info", logger: "muxue_rag", data: "index changed" },
    },
    updated(b),
  ]);
  await quiet.close();
  await loud.close();
});
