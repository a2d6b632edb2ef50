/// <reference lib="deno.worker" />
import type { Load, Task } from "#models/neural/network.ts";

self.onmessage = ({ data }: MessageEvent<Load | Task>) => {
  if ("model" in data) return self.postMessage({ loaded: true });
  const { text } = data;
  if (text === "die") throw new Error("died");
  if (text === "bad") return self.postMessage({ failure: { kind: "not_numbers", params: {} } });
  // Longer than the time limit of the test, but not for ever: a busy thread keeps the process of the test from ending.
  if (text === "busy") { for (const end = Date.now() + 3000; Date.now() < end;); }
  self.postMessage({ values: Float32Array.of(text.length) });
};
