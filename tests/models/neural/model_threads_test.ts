import "#foundation/messages/mod.ts";
import { deepEqual, equal, rejects } from "node:assert/strict";
import { ModelThreads, type ThreadModel } from "#models/neural/model_threads.ts";

/** A thread that answers with the length of each text, dies of the text `die`, fails at `bad` and is busy for 3 s at `busy`. */
const MODULE = new URL("./_thread.ts", import.meta.url);

function threadsOf(load: ThreadModel["load"], timeMs?: number): ModelThreads {
  return new ModelThreads({ path: "/m.onnx", tokenizerPath: "/t.json", load }, {
    module: MODULE,
    ...(timeMs === undefined ? {} : { timeMs }),
  });
}

const load: ThreadModel["load"] = () =>
  Promise.resolve({
    model: new Uint8Array(1),
    tokenizer: new Uint8Array(1),
    use: { kind: "scores" },
    maxTokens: 1,
    memory: 0,
  });

Deno.test("a thread that dies fails its task only, and the next task starts another thread", async () => {
  let loads = 0;
  using threads = threadsOf(() => {
    loads++;
    return load();
  });
  const results = await Promise.allSettled(
    ["a", "die", "bb"].map((text) => threads.run({ text }, false)),
  );
  deepEqual(
    results.map((each) => each.status === "fulfilled" ? [...each.value] : each.reason.message),
    [[1], "The thread that runs /m.onnx has ended unexpectedly: Uncaught Error: died", [2]],
  );
  equal(loads, 2);
});

Deno.test("a task that fails leaves its thread as it is", async () => {
  let loads = 0;
  using threads = threadsOf(() => {
    loads++;
    return load();
  });
  await rejects(threads.run({ text: "bad" }, false), {
    key: "neural_not_numbers",
    params: { path: "/m.onnx" },
  });
  deepEqual([...await threads.run({ text: "abc" }, true)], [3]);
  equal(loads, 1);
});

Deno.test("after a task that takes too long, all others are refused", async () => {
  using threads = threadsOf(load, 1000);
  deepEqual([...await threads.run({ text: "a" }, false)], [1]);
  const late = ["busy", "b"].map((text) => threads.run({ text }, false));
  for (const task of [...late, threads.run({ text: "c" }, true)]) {
    await rejects(task, { key: "neural_timeout", params: { path: "/m.onnx", seconds: 1 } });
  }
  await rejects(threads.run({ text: "d" }, true), { key: "neural_timeout" });
});

Deno.test("closing the model fails the task that a thread has and those that wait, at once", async () => {
  const threads = threadsOf(load);
  deepEqual([...await threads.run({ text: "a" }, false)], [1]);
  const tasks = ["busy", "b"].map((text) => threads.run({ text }, false));
  threads[Symbol.dispose]();
  for (const task of [...tasks, threads.run({ text: "c" }, true)]) {
    await rejects(task, { name: "AbortError" });
  }
});

Deno.test("a model that cannot be read fails all tasks that wait, and is read again for the next", async () => {
  let loads = 0;
  using threads = threadsOf(() => ++loads === 1 ? Promise.reject(new Error("no such file")) : load());
  const both = ["a", "b"].map((text) => threads.run({ text }, false));
  for (const task of both) await rejects(task, { message: "no such file" });
  deepEqual([...await threads.run({ text: "a" }, false)], [1]);
});
