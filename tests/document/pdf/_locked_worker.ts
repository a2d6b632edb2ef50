/// <reference lib="deno.worker" />
/** Answers the bytes of a PDF with its text, or the error it ends with. */
import process from "node:process";

process.env = {};
const { loader } = await import("../../../lib/document/pdf/loader.ts");

self.onmessage = async ({ data }: MessageEvent<Uint8Array<ArrayBuffer>>) => {
  try {
    self.postMessage((await loader.load(data, { path: "a.pdf" })).text);
  } catch (error) {
    self.postMessage(String(error));
  }
};
