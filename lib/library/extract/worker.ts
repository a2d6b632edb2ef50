/// <reference lib="deno.worker" />
/**
 * The thread that parses documents: it receives bytes and sends text. It has no permissions once it has begun, except that from source
 * it may read the modules of the program. A loader and its libraries are imported when a file of its format comes.
 */
import process from "node:process";
import { loaderOf } from "#documents/mod.ts";
import { giveUpReading } from "#foundation/boundary/held_files.ts";
import { serveLoaders } from "./serve_loaders.ts";

giveUpReading();
// Libraries read the environment while they load. An empty one keeps them from failing.
process.env = {};
serveLoaders({
  onTask: (callback) => self.onmessage = ({ data }) => callback(data),
  post: (message, transfer) => self.postMessage(message, transfer),
}, loaderOf);
