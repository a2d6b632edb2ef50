/// <reference lib="deno.worker" />
/**
 * The thread that parses documents: bytes come in, text goes out. It has no permissions; from source it may read the
 * program's own modules. It imports every loader, but the libraries of a format only when a file of that format comes.
 */
import process from "node:process";
import { loaderOf } from "../formats.ts";
import { serveLoaders } from "./serve_loaders.ts";

// Libraries look at the environment while they load. They find an empty one rather than fail.
process.env = {};
serveLoaders({
  onTask: (callback) => self.onmessage = ({ data }) => callback(data),
  post: (message, transfer) => self.postMessage(message, transfer),
}, loaderOf);
