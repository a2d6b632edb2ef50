import { deepEqual } from "node:assert/strict";
import { ConnectionRelay, RelayedConnections, type RelayEvent } from "#library/extract/mod.ts";
import type { OpenConnection } from "#foundation/boundary/mod.ts";

/** Returns a process that answers every message and ends when its input ends. */
const echo: OpenConnection = ({ onData, onEnd }) => ({
  send: (bytes) => onData(bytes),
  close: () => onEnd("ended"),
  end: () => onEnd("killed", 9),
});

/** Returns both sides of a relay, and the events of the worker's side. */
function relayed(open: OpenConnection, evaluator?: OpenConnection): RelayedConnections {
  const launcher = new ConnectionRelay(open, (event: RelayEvent) => worker.receive(event), evaluator);
  const worker = new RelayedConnections((request) => launcher.handle(request));
  return worker;
}

Deno.test("bytes pass in both directions of a connection until it ends", () => {
  const { open } = relayed(echo);
  const heard: unknown[] = [];
  const listen = (name: string) => ({
    onData: (bytes: Uint8Array) => void heard.push([name, ...bytes]),
    onEnd: (reason: string) => void heard.push([name, reason]),
  });
  const [one, two] = [open(listen("one")), open(listen("two"))];
  one.send(Uint8Array.of(1));
  two.send(Uint8Array.of(2));
  one.close();
  two.send(Uint8Array.of(3));
  deepEqual(heard, [["one", 1], ["two", 2], ["one", "ended"], ["two", 3]]);
});

Deno.test("a worker gets at most eight processes at once", () => {
  const { open } = relayed(echo);
  const reasons: string[] = [];
  const connections = Array.from(
    { length: 9 },
    () => open({ onData: () => {}, onEnd: (reason) => void reasons.push(reason) }),
  );
  deepEqual(reasons, ["too many processes"]);
  connections[0]!.close();
  open({ onData: () => {}, onEnd: (reason) => void reasons.push(reason) });
  deepEqual(reasons, ["too many processes", "ended"]);
});

Deno.test("a worker gets the evaluator only where the command line names one, and can end it", () => {
  const reasons: unknown[] = [];
  const listen = { onData: () => {}, onEnd: (...reason: unknown[]) => void reasons.push(reason) };
  relayed(echo).openEvaluator(listen);
  relayed(() => {
    throw new Error("the other program");
  }, echo).openEvaluator(listen).end();
  deepEqual(reasons, [["not allowed", undefined], ["killed", 9]]);
});
