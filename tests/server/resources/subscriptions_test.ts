import { deepEqual, equal } from "node:assert/strict";
import { InMemoryServerEventBus } from "@modelcontextprotocol/server";
import { META, ROOT, type Session, startSession } from "../_session.ts";
import { file, libraryOf } from "./_documents.ts";

const updated = (uri: string) => ({ kind: "resource_updated", uri }) as const;

function start(): [Promise<Session>, InMemoryServerEventBus] {
  const changes = new InMemoryServerEventBus();
  const library = libraryOf({ [ROOT]: [file("a b.md"), file("c.md")] });
  return [startSession({ library, changes }), changes];
}

Deno.test("a client is told about the documents that it has subscribed to, by the URI that it used", async () => {
  const [starting, changes] = start();
  await using session = await starting;
  const uri = "muxue://Notes/a%20b.md?lines=3";
  deepEqual((await session.request("resources/subscribe", { uri })).result, {});
  changes.publish(updated("muxue://notes/a%20b.md"));
  changes.publish(updated("muxue://notes/c.md"));
  changes.publish({ kind: "resources_list_changed" });
  deepEqual(await session.heard(), [
    ["notifications/resources/updated", { uri }],
    ["notifications/resources/list_changed", undefined],
  ]);
  deepEqual((await session.request("resources/unsubscribe", { uri })).result, {});
  changes.publish(updated("muxue://notes/a%20b.md"));
  deepEqual(await session.heard(), []);
});

Deno.test("a subscription to no resource of the server, and more than 1,000, are refused", async () => {
  const [starting] = start();
  await using session = await starting;
  const subscribe = async (uri: string) => (await session.request("resources/subscribe", { uri })).error;
  deepEqual(await subscribe("muxue://other/a.md"), {
    code: -32002,
    message: "There is no such resource: muxue://other/a.md. resources/list has all documents; " +
      "a URI is muxue://collection/path",
    data: { uri: "muxue://other/a.md" },
  });
  for (let i = 0; i < 1000; i++) equal(await subscribe(`muxue://notes/${i}.md`), undefined);
  equal(await subscribe("muxue://notes/0.md"), undefined);
  deepEqual(await subscribe("muxue://notes/c.md"), {
    code: -32602,
    message: "A session can subscribe to at most 1000 resources. Unsubscribe from others first",
  });
});

Deno.test("in revision 2026-07-28 a client listens to some documents and to the list", async () => {
  const [starting, changes] = start();
  await using session = await starting;
  const listen = {
    notifications: { resourcesListChanged: true, resourceSubscriptions: ["muxue://notes/c.md"] },
  };
  await session.send({
    jsonrpc: "2.0",
    id: "listen",
    method: "subscriptions/listen",
    params: { ...listen, _meta: META },
  });
  const stamp = { "io.modelcontextprotocol/subscriptionId": "listen" };
  const ack = await session.receive();
  deepEqual([ack.method, ack.params], [
    "notifications/subscriptions/acknowledged",
    { ...listen, _meta: stamp },
  ]);
  changes.publish(updated("muxue://notes/a%20b.md"));
  changes.publish(updated("muxue://notes/c.md"));
  const told = (await session.heard()).filter(([, params]) => params?._meta !== undefined);
  deepEqual(told, [["notifications/resources/updated", { uri: "muxue://notes/c.md", _meta: stamp }]]);
});

Deno.test("a subscription to an object that cannot be made a text is refused, and the server goes on", async () => {
  const [starting] = start();
  await using session = await starting;
  await session.send({
    jsonrpc: "2.0",
    id: "listen",
    method: "subscriptions/listen",
    params: { notifications: { resourceSubscriptions: [{ toString: 1, valueOf: 1 }] }, _meta: META },
  });
  const { id, error } = await session.receive();
  deepEqual([id, error.code], ["listen", -32602]);
  deepEqual((await session.request("ping")).result, {});
});

Deno.test("a server that knows of no changes offers no subscriptions", async () => {
  await using session = await startSession();
  equal((await session.request("resources/subscribe", { uri: "muxue://notes/a.md" })).error.code, -32601);
});
