import { deepEqual, equal } from "node:assert/strict";
import { UserError } from "#foundation/errors.ts";
import { Notes } from "#server/mod.ts";
import { fakeLibrary, type Message, META, NOTHING_FOUND, startSession } from "./_session.ts";

const WARNING = { level: "warning", text: "disk full" } as const;
const INFO = { level: "info", text: "index changed" } as const;

const sent = ({ level, text }: { level: string; text: string }) => [
  "notifications/message",
  { level, logger: "muxue_rag", data: text },
];

Deno.test("a client receives warnings, and other messages from the level on that it chooses", async () => {
  const notes = new Notes();
  await using session = await startSession({ notes });
  const publish = () => [INFO, WARNING].forEach((note) => notes.publish(note));
  publish();
  deepEqual(await session.heard(), [sent(WARNING)]);
  deepEqual((await session.request("logging/setLevel", { level: "debug" })).result, {});
  publish();
  deepEqual(await session.heard(), [sent(INFO), sent(WARNING)]);
  await session.request("logging/setLevel", { level: "error" });
  publish();
  deepEqual(await session.heard(), []);
});

Deno.test("an unknown level is refused in a sentence", async () => {
  await using session = await startSession({ notes: new Notes() });
  deepEqual((await session.request("logging/setLevel", { level: "loud" })).error, {
    code: -32602,
    message: "Invalid parameters of logging/setLevel: level must be one of: debug, info, notice, warning, " +
      "error, critical, alert, emergency",
  });
});

Deno.test("in revision 2026-07-28 a request that names a level receives the messages that come while it is served", async () => {
  const notes = new Notes();
  const library = fakeLibrary({
    search: ({ query }) => {
      notes.publish(INFO);
      notes.publish(WARNING);
      if (query === "wrong") return Promise.reject(new UserError("directory_not_found"));
      return Promise.resolve(NOTHING_FOUND);
    },
  });
  await using session = await startSession({ notes, library, raw: true });
  const call = async (keyword: string, level?: string) => {
    const _meta = {
      ...META,
      ...(level !== undefined && { "io.modelcontextprotocol/logLevel": level }),
    };
    const params = { name: "search_rag", arguments: { keyword }, _meta };
    await session.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    const all: Message[] = [];
    for (let message = await session.receive(); message.id !== 1; message = await session.receive()) {
      all.push([message.method, message.params]);
    }
    return all;
  };
  deepEqual(await call("tea"), []);
  deepEqual(await call("tea", "info"), [sent(INFO), sent(WARNING)]);
  // The answer says what is wrong with the call.
  deepEqual(await call("wrong", "warning"), [sent(WARNING)]);
  equal(session.log.some(([, event]) => event === "mcp_error"), false);
});
