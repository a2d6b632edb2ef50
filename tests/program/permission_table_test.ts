import { deepEqual, equal } from "node:assert/strict";
import { join } from "node:path";
import { COMMANDS } from "#program/commands/declarations.ts";
import { permissionsFor, type RunPlaces } from "#foundation/boundary/mod.ts";
import { type PermissionRow, permissionRows } from "./_permission_rows.ts";

/** The permissions of every locked command, beside reading its folders, the list of folders and the program's own files. */
const LOCKED = `\
| command | reads as well | writes | connects to | starts readers | key of indexes |
|---|---|---|---|---|---|
| index | – | index, list of folders, logs | store, embedding server, language model | yes | make |
| preview | – | – | – | – | none |
| search | – | index, list of folders, logs | store, embedding server, reranker, language model | yes | make |
| search --no-update | – | logs | store, embedding server, reranker, language model | – | read |
| ask | – | index, list of folders, logs | store, embedding server, reranker, language model | yes | make |
| ask --no-update | – | logs | store, embedding server, reranker, language model | – | read |
| check-answer | named files | logs | store, embedding server, reranker, language model | yes | read |
| why-not | – | logs | store, embedding server, reranker, language model | – | read |
| serve | – | index, list of folders, logs | store, embedding server, reranker, language model | yes | make if possible |
| serve --no-watch | – | logs | store, embedding server, reranker, language model | yes | make if possible |
| serve --http | tokens | index, list of folders, logs, uses of tokens | store, embedding server, reranker, language model, own address | yes | make if possible |
| serve --http --no-watch | tokens | logs, uses of tokens | store, embedding server, reranker, language model, own address | yes | make if possible |
| ui | – | index, list of folders, logs | store, embedding server, reranker, language model, own address | yes | make if possible |
| ui --no-watch | – | logs | store, embedding server, reranker, language model, own address | yes | make if possible |
| status | – | – | store | – | read |
| verify | – | – | store | – | read |
| doctor | – | logs | store, embedding server, reranker, language model | – | read |
| reembed | – | index, list of folders, logs | store, embedding server, language model | yes | make |
| clean | – | index, list of folders, logs | store | – | none |
| backup | – | logs, named files | store | – | read |
| restore | named files | index, list of folders, logs | store | – | read |
| export | – | logs, named files | store | – | read |
| import | named files | index, list of folders, logs, temporary files | store | – | make |
| eval | named files | index, list of folders, logs, temporary files | store, embedding server, reranker, language model | yes | make |
| eval draft | – | index, list of folders, logs | store, embedding server, language model | yes | make |
| eval history | – | – | store | – | none |
| trace list | logs | – | – | – | none |
| trace show | logs | – | – | – | none |
| token add | – | tokens | store | – | none |
| token list | tokens | – | store | – | none |
| token revoke | – | tokens | store | – | none |
| extract | named files | – | – | yes | none |
| update | – | – | release page | – | none |
| model install | – | models | sources of models | – | none |
| model install --from | named files | models | – | – | none |
| model list | models | – | – | – | none |
| model remove | – | models | – | – | none |
`;

/** The kinds of permission that the launcher's thread keeps for the commands that it runs itself. */
const UNLOCKED = `\
| command | keeps |
|---|---|
| setup | read, write, run |
| uninstall | read, write |
| completions | read |
| licenses | read |
| config check | read |
| config init | read, write |
| config encrypt | read, write |
| config decrypt | read |
| version | read |
`;

function table(head: readonly string[], rows: readonly (readonly (readonly string[])[])[]): string {
  const cells = rows.map((row) => row.map((values) => values.join(", ") || "–"));
  return [head, head.map(() => "---"), ...cells].map((row, at) =>
    at === 1 ? `|${row.join("|")}|\n` : `| ${row.join(" | ")} |\n`
  ).join("");
}

function rowOf({ name, needs, listens }: PermissionRow): string[][] {
  return [
    [name],
    [
      ...(needs.logs === "read" ? ["logs"] : []),
      ...(needs.models === "read" ? ["models"] : []),
      ...(needs.named === "read" ? ["named files"] : []),
      ...(needs.tokens === "read" || needs.tokens === "use" && listens ? ["tokens"] : []),
    ],
    [
      ...(needs.index ? ["index"] : []),
      ...(needs.registry ? ["list of folders"] : []),
      ...(needs.logs === true ? ["logs"] : []),
      ...(needs.models === "write" ? ["models"] : []),
      ...(needs.named === "write" ? ["named files"] : []),
      ...(needs.temporary ? ["temporary files"] : []),
      ...(needs.tokens === "write" ? ["tokens"] : []),
      ...(needs.tokens === "use" && listens ? ["uses of tokens"] : []),
    ],
    [
      ...(needs.store ? ["store"] : []),
      ...(needs.net ? ["embedding server"] : []),
      ...(needs.rerank ? ["reranker"] : []),
      ...(needs.llm === true ? ["language model"] : []),
      ...(needs.downloads ? ["sources of models"] : []),
      ...(needs.releasePage ? ["release page"] : []),
      ...(listens ? ["own address"] : []),
    ],
    needs.documents ? ["yes"] : [],
    [needs.indexKey],
  ];
}

Deno.test("the table of permissions of the locked commands", () => {
  const head = ["command", "reads as well", "writes", "connects to", "starts readers", "key of indexes"];
  equal(table(head, permissionRows().map(rowOf)), LOCKED);
});

Deno.test("the table of permissions that the launcher keeps for the other commands", () => {
  const rows = COMMANDS.flatMap(({ name, keeps }) => keeps === undefined ? [] : [[[name], keeps]]);
  equal(table(["command", "keeps"], rows), UNLOCKED);
});

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

Deno.test("the worker writes the data folder of --index-dir in place of .muxue_rag, and a command that writes no index reads it", () => {
  const places = { ...PLACES, indexDirs: { "/notes": "/indexes/notes-1" } };
  const needs = Object.fromEntries(permissionRows().map(({ name, needs }) => [name, needs]));
  const of = (name: string) => permissionsFor(needs[name]!, places);
  deepEqual(of("index").write, [
    join("/docs", ".muxue_rag"),
    "/indexes/notes-1",
    "/state/folders",
    "/state/logs",
  ]);
  deepEqual(of("status"), {
    ...of("status"),
    read: ["/docs", "/notes", "/indexes/notes-1", "/state/folders", "/program/"],
    write: false,
  });
});

Deno.test("a command on indexes connects to the databases that they are kept in, and reads the certificates of these", () => {
  const places = { ...PLACES, stores: ["db:5432"], storeCertificates: ["/ca.pem"] };
  const needs = Object.fromEntries(permissionRows().map(({ name, needs }) => [name, needs]));
  const of = (name: string) => permissionsFor(needs[name]!, places);
  deepEqual([of("status").net, of("preview").net, of("extract").net], [["db:5432"], false, false]);
  deepEqual(of("verify").read, ["/docs", "/notes", "/state/folders", "/program/", "/ca.pem"]);
  deepEqual(of("preview").read, ["/docs", "/notes", "/state/folders", "/program/"]);
});

Deno.test("a command that uses language models connects to those that may be used, writes the tokens of the day and reads prompts", () => {
  const languageModels = { hosts: ["api.example.org:443"], usage: "/state/usage", prompts: ["/prompts"] };
  const needs = Object.fromEntries(permissionRows().map(({ name, needs }) => [name, needs]));
  const of = (name: string) => permissionsFor(needs[name]!, { ...PLACES, languageModels });
  deepEqual(of("index").net, ["127.0.0.1:1234", "api.example.org:443"]);
  const isIn = (list: unknown, place: string) => Array.isArray(list) && list.includes(place);
  deepEqual([of("index").write, of("index").read].map((list) => isIn(list, "/state/usage")), [true, true]);
  deepEqual([of("index").write, of("index").read].map((list) => isIn(list, "/prompts")), [false, true]);
  deepEqual([of("status").net, of("status").write, isIn(of("verify").read, "/prompts")], [
    false,
    false,
    false,
  ]);
  deepEqual(isIn(permissionsFor(needs["index"]!, PLACES).write, "/state/usage"), false);
});

Deno.test("a command takes --dir exactly where it works on folders", () => {
  for (const { name, folders, flags } of COMMANDS) {
    equal(flags.includes("dir"), folders !== undefined && folders !== "none", name);
  }
});
