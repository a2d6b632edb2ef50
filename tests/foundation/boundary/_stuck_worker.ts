/// <reference lib="deno.worker" />
/** A thread that watches nothing, and gets stuck where a root is a pipe, until somebody writes into it. */
self.onmessage = ({ data: { id, root } }: MessageEvent<{ id: number; root?: string }>) => {
  if (root === undefined) return;
  if (!Deno.lstatSync(root).isDirectory) Deno.openSync(root).close();
  self.postMessage({ id, begun: true });
};
