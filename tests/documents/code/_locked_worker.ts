/// <reference lib="deno.worker" />
/** A thread without permissions that loads source code, like the extractor thread. */
import process from "node:process";

process.env = {};
const { loader } = await import("#documents/code/loader.ts");
self.onmessage = async (
  { data: { path, bytes } }: MessageEvent<{ path: string; bytes: Uint8Array<ArrayBuffer> }>,
) => {
  const { sections } = await loader.load(bytes, { path });
  self.postMessage(sections.map((section) => section.path.join(" › ")));
};
self.postMessage("ready");
