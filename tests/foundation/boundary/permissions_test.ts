import { deepEqual } from "node:assert/strict";
import { permissionsFor, type RunPlaces } from "#foundation/boundary/mod.ts";
import { posixTest } from "../../_posix.ts";

const PLACES: RunPlaces = {
  roots: ["/docs", "/notes"],
  registry: "/state/folders",
  logDir: "/state/logs",
  servers: ["127.0.0.1:1234"],
  models: "/models",
  downloads: ["hub:443"],
  rerankers: ["10.0.0.1:8080"],
  named: ["/named"],
  tempDir: "/tmp/x",
  program: ["/program/"],
};

const CLOSED = { net: false, env: false, run: false, ffi: false, sys: false, import: false };
const READ = ["/docs", "/notes", "/state/folders", "/program/"];

Deno.test("permissionsFor() lets a worker without needs read its folders, the list of folders and the program", () => {
  deepEqual(permissionsFor({}, PLACES), { ...CLOSED, read: READ, write: false });
});

posixTest("permissionsFor() adds the places of each need, and what may be written may be read", () => {
  const cases = [
    [{ index: true }, ["/docs/.muxue_rag", "/notes/.muxue_rag"]],
    [{ logs: true }, ["/state/logs"]],
    [{ models: "write" }, ["/models"]],
    [{ named: "write" }, ["/named"]],
    [{ temporary: true }, ["/tmp/x"]],
  ] as const;
  for (const [needs, write] of cases) {
    deepEqual(permissionsFor(needs, PLACES), { ...CLOSED, read: [...READ, ...write], write });
  }
  deepEqual(permissionsFor({ registry: true }, PLACES), { ...CLOSED, read: READ, write: ["/state/folders"] });
  deepEqual(permissionsFor({ named: "read" }, PLACES), {
    ...CLOSED,
    read: [...READ, "/named"],
    write: false,
  });
  deepEqual(permissionsFor({ models: "read" }, PLACES), {
    ...CLOSED,
    read: [...READ, "/models"],
    write: false,
  });
  deepEqual(permissionsFor({ downloads: true }, PLACES), {
    ...CLOSED,
    read: READ,
    write: false,
    net: ["hub:443"],
  });
  deepEqual(permissionsFor({ net: true }, PLACES), {
    ...CLOSED,
    read: READ,
    write: false,
    net: ["127.0.0.1:1234"],
  });
});

Deno.test("permissionsFor() lets a worker that embeds texts or looks at local models read these", () => {
  const places = { ...PLACES, servers: [], localModels: ["/models/zh", "/my/model.onnx"] };
  const read = [...READ, "/models/zh", "/my/model.onnx"];
  for (const needs of [{ net: true }, { localModels: true }] as const) {
    deepEqual(permissionsFor(needs, places), { ...CLOSED, read, write: false });
  }
  deepEqual(permissionsFor({}, places), { ...CLOSED, read: READ, write: false });
});

Deno.test("permissionsFor() lets a worker that reranks connect to the server that reranks, and read the model that does", () => {
  const places = { ...PLACES, rerankModels: ["/my/judge.onnx"] };
  const read = [...READ, "/my/judge.onnx"];
  deepEqual(permissionsFor({ rerank: true }, places), {
    ...CLOSED,
    read,
    write: false,
    net: ["10.0.0.1:8080"],
  });
  deepEqual(permissionsFor({ net: true }, places), {
    ...CLOSED,
    read: READ,
    write: false,
    net: ["127.0.0.1:1234"],
  });
});

Deno.test("permissionsFor() lets a worker that reads documents read the data for text recognition, if it is switched on", () => {
  const places = { ...PLACES, recognition: "/models/ocr" };
  const closed = { ...CLOSED, read: READ, write: false };
  deepEqual(permissionsFor({ documents: true }, places), { ...closed, read: [...READ, "/models/ocr"] });
  deepEqual(permissionsFor({ documents: true }, PLACES), closed);
  deepEqual(permissionsFor({}, places), closed);
});

Deno.test("permissionsFor() closes the net where no server is configured, and writing where there are no logs", () => {
  const places = { ...PLACES, servers: [], logDir: null };
  deepEqual(permissionsFor({ net: true, logs: true }, places), { ...CLOSED, read: READ, write: false });
});
