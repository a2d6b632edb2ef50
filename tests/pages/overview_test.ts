import { deepEqual, equal, match, ok } from "node:assert/strict";
import type { DoctorAnswer, OverviewAnswer } from "../../lib/pages/wire/overview.ts";
import { componentsOf } from "#pages/api/overview.ts";
import { config } from "../library/ingest/_place.ts";
import { startUi } from "./_ui.ts";

const FILES = {
  "a.md": "---\ntags: [open]\n---\nGreen tea.\n",
  "b.md": "---\ntags: [secret]\n---\n绿茶要用八十度的水。\n",
  "c.pdf": "not a PDF",
};

Deno.test("the overview names the components in use, and what the collections hold", async () => {
  await using ui = await startUi(FILES);
  const { components, collections, lastIngestion, version, canCheck }: OverviewAnswer = await ui.call(
    "overview/state",
  );
  match(version, /^\d+\.\d+\.\d+/);
  equal(canCheck, true);
  deepEqual(components.map(({ stage, method, provider }) => [stage, method ?? provider]), [
    ["load", "loaders"],
    ["recognise", "none"],
    ["split", "auto"],
    ["embed", "builtin"],
    ["keyword", "bm25"],
    ["fusion", "auto"],
    ["rerank", "maxsim"],
    ["answer", "none"],
    ["caption", "none"],
  ]);
  const [{ indexedAt, indexBytes, name: _, model: __, ...rest }] = collections as [typeof collections[0]];
  deepEqual({ ...rest, languages: rest.languages.map(({ language }) => language).sort() }, {
    root: await Deno.realPath(ui.sandbox.folder),
    state: "ready",
    documents: 2,
    chunks: 2,
    notIndexed: 1,
    pictures: 0,
    languages: ["en", "zh"],
    newerFiles: 0,
  });
  ok(indexBytes! > 0);
  // A trace says when the run began.
  match(lastIngestion!.trace!, /^[0-9a-f]{32}$/);
  ok(Date.parse(lastIngestion!.at) <= Date.parse(indexedAt!));
});

Deno.test("the findings of doctor are told in the language of the browser", async () => {
  await using ui = await startUi(FILES);
  const findings: DoctorAnswer = await ui.call("overview/doctor", {}, "zh");
  equal(findings.isWell, true, JSON.stringify(findings));
  match(findings.verdict, /\p{Script=Han}/u);
  ok(findings.rows.some(({ text }) => text.includes("builtin")));
});

Deno.test("a client with limits sees neither names nor numbers of the other documents, and changes nothing", async () => {
  await using ui = await startUi(FILES, {
    config: ({ folder }) =>
      `collections:\n  notes:\n    path: ${
        JSON.stringify(folder)
      }\nmcp:\n  access:\n    tags:\n      any: [open]\n    missing: exclude\n`,
  });
  const { collections, canCheck, lastIngestion }: OverviewAnswer = await ui.call("overview/state");
  const [{ documents, chunks, notIndexed, languages, indexBytes, newerFiles }] = collections as [
    typeof collections[0],
  ];
  deepEqual(
    {
      documents,
      chunks,
      notIndexed,
      languages: languages.map(({ language }) => language),
      indexBytes,
      newerFiles,
    },
    {
      documents: 1,
      chunks: 1,
      notIndexed: 0,
      languages: ["en"],
      indexBytes: undefined,
      newerFiles: undefined,
    },
  );
  deepEqual([canCheck, lastIngestion], [false, undefined]);
  const list = await ui.call("documents/list");
  deepEqual([list.total, list.isComplete, list.states, list.tags], [
    1,
    false,
    [{ value: "indexed", count: 1 }],
    [{ value: "open", count: 1 }],
  ]);
  deepEqual(await ui.call("ingestion/state"), { folders: [], runs: [] });
  const path = `${await Deno.realPath(ui.sandbox.folder)}/b.md`;
  for (
    const [call, body, error] of [
      ["documents/one", { path }, "document_not_indexed"],
      ["documents/pictures", { path, numbers: [1] }, "file_not_found"],
      ["overview/doctor", {}, "ingest_not_allowed"],
      ["ingestion/start", { folder: "notes" }, "ingest_not_allowed"],
      ["ingestion/out", { folder: "notes" }, "ingest_not_allowed"],
      ["ingestion/take_out", { paths: [path] }, "ingest_not_allowed"],
      ["ingestion/give_back", { folder: "notes", paths: ["b.md"] }, "ingest_not_allowed"],
      ["ingestion/cancel", { run: "1" }, "ingest_not_allowed"],
    ] as const
  ) deepEqual(await ui.ask(call, body), { status: 400, error }, call);
});

Deno.test("a client with limits is not told where models and servers are", async () => {
  const defaults = await config();
  const mine = {
    ...defaults,
    embedding: {
      ...defaults.embedding,
      provider: "azure" as const,
      base_url: "http://inner:1/v1",
      model: "m",
    },
  };
  const embedding = (withPlaces: boolean) =>
    componentsOf(mine, { withPlaces }).find(({ stage }) => stage === "embed");
  const known = { facts: {}, stage: "embed", provider: "azure", model: "m" };
  deepEqual([embedding(true), embedding(false)], [{ ...known, server: "inner:1" }, known]);
});

Deno.test("recognition is named where it is on", async () => {
  const recognition = async (ocr: "off" | "tesseract") =>
    componentsOf(await config({ files: { ocr } })).find(({ stage }) => stage === "recognise");
  const known = { stage: "recognise" };
  deepEqual([await recognition("off"), await recognition("tesseract")], [
    { ...known, provider: "none", facts: { ocr: "off" } },
    { ...known, method: "tesseract", facts: { ocr: "tesseract" } },
  ]);
});
