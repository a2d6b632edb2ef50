/// <reference lib="deno.worker" />
/** Replies to the bytes of a PDF with its text, or the error of the loader. */
import process from "node:process";

process.env = {};
const { loader } = await import("#documents/pdf/loader.ts");

self.onmessage = async ({ data }: MessageEvent<Uint8Array<ArrayBuffer>>) => {
  try {
    self.postMessage((await loader.load(data, { path: "a.pdf" })).text);
  } catch (error) {
    self.postMessage(String(error));
  }
};
