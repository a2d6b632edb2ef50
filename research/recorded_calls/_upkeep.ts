/**
 * The recorded calls beside indexing and searching: configuration, clients' entries, models, copies of an index, servers.
 * @module
 */
import { join } from "node:path";
import {
  ARCHIVES,
  copyFolder,
  DOCUMENTS,
  filesBelow,
  NOTES,
  SCANS,
  SETTINGS,
  settings,
  SMALL,
  SMALL_COPY,
  startModelServer,
  write,
} from "./_fixtures.ts";
import { callsOf, CHINESE, HOME, PLACE, type Recorder } from "./_recorder.ts";

/** Configuration and clients' entries: calls that read no index. */
export async function recordSettings(recorder: Recorder): Promise<void> {
  const config = callsOf(recorder, "config");
  const key = { env: { SOME_KEY: "sk-1234567890" } };
  await config("check", "config check");
  await config("check json zh", "config check --json", CHINESE);
  await config("check many", `config check ${settings("many.yaml")}`, key);
  await config("check many json", `config check --json ${settings("many.yaml")}`, key);
  await config("check without the key", `config check ${settings("many.yaml")}`);
  await config("check collections", `config check ${settings("collections.yaml")}`);
  await config("check environment", "config check --json", {
    env: { MUXUE_RAG_SEARCH_TOP_K: "5", MUXUE_RAG_FILES_EXCLUDE: "*.log,drafts/" },
  });
  await config("check misspelt variable", "config check", { env: { MUXUE_RAG_SERCH_TOP_K: "5" } });
  await config("check all that is wrong zh", `config check ${settings("bad-keys.yaml")}`, CHINESE);
  for (
    const name of [
      "bad-keys.yaml",
      "bad-syntax.yaml",
      "bad-syntax.json",
      "bad-type.yaml",
      "bad-cross.yaml",
      "bad-collection.yaml",
      "bad-encoding.yaml",
      "empty.yaml",
      "missing.yaml",
    ]
  ) {
    await config(`check ${name}`, `config check ${settings(name)}`);
  }
  await config("check bad keys json", `config check --json ${settings("bad-keys.yaml")}`);
  const folder = join(PLACE, "made");
  Deno.mkdirSync(folder);
  await config("init", "config init", { cwd: folder });
  recorder.write("config", "the file made", [Deno.readTextFileSync(join(folder, "config.yaml"))]);
  await config("init again zh", "config init", { cwd: folder, ...CHINESE });
  await config("init by force", `config init --force --config ${folder}/config.yaml`);
  await config("check in the folder", "config check", { cwd: folder });
  write(join(folder, "config.yaml"), "embedding: {api_key: sk-plain-text-1234}\n");
  await config("plain key", `config check --config ${folder}/config.yaml`);
  await config("encrypt", `config encrypt embedding.api_key --config ${folder}/config.yaml`);
  await config("decrypt", `config decrypt embedding.api_key --yes --config ${folder}/config.yaml`);
  await config(
    "decrypt without a terminal",
    `config decrypt embedding.api_key --config ${folder}/config.yaml`,
  );
  await config(
    "encrypt again zh",
    `config encrypt embedding.api_key --config ${folder}/config.yaml`,
    CHINESE,
  );
  await config("encrypt from stdin", "config encrypt", { stdin: "sk-another-key-5678\n" });
  await config("decrypt damaged", "config decrypt enc:v1:AAAA --yes");
  await config("decrypt other key", "config decrypt search.top_k --yes");
  await config(
    "encrypt a key that is not there",
    `config encrypt rerank.api_key --config ${folder}/config.yaml`,
  );
  await config("passphrase", "config encrypt", {
    env: { MUXUE_RAG_PASSPHRASE: "correct horse battery staple" },
    stdin: "sk-another-key-5678\n",
  });
  Deno.removeSync(folder, { recursive: true });

  const setup = callsOf(recorder, "setup");
  await setup("clients", "setup");
  await setup("clients json zh", "setup --json", CHINESE);
  for (
    const client of ["claude-desktop", "claude-code", "cursor", "vscode", "windsurf", "cline", "zed", "codex"]
  ) {
    await setup(`${client}`, `setup ${client} --dir ${NOTES}`);
  }
  await setup("cursor zh json", `setup cursor --dir ${NOTES} --dir ${SMALL} --update --json`, CHINESE);
  await setup("all collections", `setup cursor ${settings("collections.yaml")}`);
  await setup("settings in effect", `setup codex --dir ${NOTES} --no-watch --language zh --name files`, {
    env: { MUXUE_RAG_SEARCH_TOP_K: "5" },
  });
  await setup("url", "setup vscode --url http://127.0.0.1:7368/mcp --token-env MUXUE_TOKEN");
  await setup("url that a client cannot take", "setup claude-desktop --url http://127.0.0.1:7368/mcp");
  await setup("write, not installed", `setup cursor --dir ${NOTES} --write --yes`);
  await setup("write by force", `setup cursor --dir ${NOTES} --write --yes --force`);
  await setup("write again", `setup cursor --dir ${NOTES} --write --yes`);
  write(
    join(HOME, ".codex/config.toml"),
    'model = "some"\n\n[mcp_servers.other] # kept\ncommand = "other"\n\n[tui]\ntheme = "dark"\n',
  );
  await setup("write toml", `setup codex --dir ${SMALL} --write --yes`);
  write(
    join(HOME, ".config/zed/settings.json"),
    '// Settings\n{\n\t"theme": "One", // kept\n\t"context_servers": {\n\t\t"other": { "command": "x" },\n\t},\n}\n',
  );
  await setup("write with comments zh", `setup zed --dir ${SMALL} --write --yes`, CHINESE);
  write(join(HOME, ".codeium/windsurf/mcp_config.json"), '{"mcpServers": [\n');
  await setup("write into a damaged file", `setup windsurf --dir ${SMALL} --write --yes`);
  const project = join(PLACE, "project");
  Deno.mkdirSync(project);
  await setup("project", `setup claude-code --project ${project} --dir ${SMALL} --write --yes --force`);
  await setup("write without a terminal", `setup vscode --project ${project} --dir ${SMALL} --write`);
  for (const path of [...filesBelow(HOME), ...filesBelow(project)]) {
    if (!/cursor|codex|zed|windsurf|project/.test(path) || path.includes("backup-")) continue;
    recorder.write("setup", `file ${path.slice(PLACE.length + 1)}`, [Deno.readTextFileSync(path)]);
  }
  await setup("remove", "setup codex --remove --yes");
  await setup("remove from a project zh", `setup claude-code --project ${project} --remove --yes`, CHINESE);
  await setup("remove where nothing is", "setup cline --remove --yes");
  recorder.write("setup", "file codex afterwards", [Deno.readTextFileSync(join(HOME, ".codex/config.toml"))]);
}

/** Local models that are missing, and copies of an index. */
export async function recordCopies(recorder: Recorder): Promise<void> {
  const model = callsOf(recorder, "model without any");
  await model("list", "model list");
  await model("list zh", "model list", CHINESE);
  await model("list json", "model list --json --verify");
  await model("remove none", "model remove all --yes");
  await model("unknown name", "model install fr");
  await model("install from a missing folder", `model install --from ${PLACE}/nothing`);
  await model("install from a folder without models zh", `model install --from ${SMALL}`, CHINESE);
  await model("local models that are missing", `index ${SMALL} ${settings("local.yaml")} --json`);
  await model(
    "search without local models",
    `search 'green tea' --dir ${SMALL} ${settings("local.yaml")} --json`,
  );

  const copies = callsOf(recorder, "backup");
  const copy = join(PLACE, "copies/small.muxue_rag");
  await copies("into a missing folder", `backup --dir ${SMALL} -bp ${copy}`);
  await copies("backup", `backup --dir ${SMALL} --backup-path ${copy} --yes`);
  await copies("never overwritten", `backup --dir ${SMALL} --backup-path ${copy} --yes`);
  await copies("beside the folder zh", `-b -d ${SMALL}`, CHINESE);
  await copies("restore over an index", `restore ${copy} --dir ${SMALL}`);
  await copies("clean without a terminal", `clean --dir ${SMALL}`);
  await copies("clean", `clean --dir ${SMALL} --yes`);
  await copies("clean again zh", `-cl -d ${SMALL} --yes`, CHINESE);
  await copies("status without an index", `status --dir ${SMALL} --json`);
  await copies("restore", `restore ${copy} --dir ${SMALL}`);
  await copies("search after it", `search tea --dir ${SMALL} --no-update --json`);
  await copies("restore for another folder", `restore ${copy} --dir ${SETTINGS} --yes`);
  await copies("restore by force zh", `restore ${copy} --dir ${SETTINGS} --force`, CHINESE);
  await copies("status of the other folder", `status --dir ${SETTINGS}`);
  await copies("other folder cleaned", `clean --dir ${SETTINGS} --yes`);
  await copies("restore what is no backup", `restore ${SMALL}/tea.md --dir ${SMALL} --yes`);
  await copies("restore what is missing", `restore ${PLACE}/nothing --dir ${SMALL} --yes`);
  const moved = join(PLACE, "moved");
  copyFolder(SMALL, moved);
  await copies("moved folder, status", `status --dir ${moved}`);
  await copies("moved folder, search without an update", `search tea --dir ${moved} --no-update`);
  await copies("moved folder, index", `index ${moved} --json`);
  const stranger = { env: { MUXUE_RAG_STATE_DIR: join(PLACE, "other-state") } };
  await copies("index of another installation, status", `status --dir ${moved}`, stranger);
  await copies(
    "index of another installation, search",
    `search tea --dir ${moved} --no-update --json`,
    stranger,
  );
  damage(join(moved, ".muxue_rag"));
  for (const command of ["status", "verify", "doctor", "search tea --no-update", "index"]) {
    await copies(`damaged index, ${command}`, `${command} --dir ${moved}`);
  }
  await copies("moved folder cleaned", `clean --dir ${moved} --yes`);
}

/** Overwrites the middle of every larger file of an index. */
function damage(folder: string): void {
  for (const path of filesBelow(folder)) {
    const content = Deno.readFileSync(path);
    if (content.length < 1_000) continue;
    content.fill(0xa5, content.length * 0.3, content.length * 0.7);
    Deno.writeFileSync(path, content);
  }
}

/** Vectors and rerankers of a server. */
export async function recordServers(recorder: Recorder): Promise<void> {
  const call = callsOf(recorder, "servers");
  await using server = startModelServer();
  const small = `--dir ${SMALL}`;
  const remote = settings("remote.yaml");
  const seen = (subject: string) => {
    const requests = server.requests.splice(0).map((text) =>
      text.replaceAll(/\b(question|passage-(?:\d+|N))-[A-Za-z0-9]+>/g, "$1-<nonce>>")
    );
    recorder.write("servers", `requests, ${subject}`, requests.sort());
  };
  await call("index", `index ${SMALL} ${remote}`);
  seen("index");
  await call("index again", `index ${SMALL} --json ${remote}`);
  for (const mode of ["hybrid", "semantic", "keyword"]) {
    await call(`search ${mode}`, `search 'rotate the keys' ${small} --mode ${mode} --json ${remote}`);
  }
  await call("search explain zh", `search 密钥 ${small} --explain ${remote} --language zh`);
  await call("search weighted", `search 'rotate the keys' ${small} --json ${settings("remote-rrf.yaml")}`);
  seen("searches");
  await call("status", `status ${small} ${remote}`);
  await call("doctor", `doctor ${small} ${remote}`);
  await call("reembed", `reembed ${small} --json ${remote}`);
  for (const name of ["broken", "short", "refused", "gone"]) {
    await call(`${name}, search`, `search 'green tea' ${small} --json ${settings(`remote-${name}.yaml`)}`);
    await call(`${name}, index in full`, `index ${SMALL} --full ${settings(`remote-${name}.yaml`)}`);
    await call(`${name}, doctor`, `doctor ${small} ${settings(`remote-${name}.yaml`)}`);
  }
  server.requests.length = 0;
  await call("built-in vectors again", `index ${SMALL} --json`);
  for (const name of ["remote", "llm", "broken"]) {
    const reranked = settings(`rerank-${name}.yaml`);
    await call(`rerank ${name}`, `search 'rotate the keys' ${small} --json ${reranked}`);
    await call(`rerank ${name} explain`, `search 'rotate the keys' ${small} --explain ${reranked}`);
    await call(`rerank ${name} doctor`, `doctor ${small} ${reranked}`);
  }
  seen("rerankers");
}

/** Installing models, searching by them, and recognising text. Nothing of it is in the places of the other calls. */
export async function recordModels(recorder: Recorder): Promise<void> {
  const home = {
    HOME: `${PLACE}/home of models`,
    XDG_CONFIG_HOME: "",
    XDG_STATE_HOME: "",
    XDG_DATA_HOME: "",
  };
  const run = callsOf(recorder, "models");
  const call = (subject: string, line: string, language = "en_US.UTF-8") =>
    run(subject, line, { env: { ...home, LANG: language } });
  const [local, ocr] = [settings("local.yaml"), settings("ocr.yaml")];
  await call("install", `model install --from ${ARCHIVES}`);
  await call("install again zh", `model install en --from ${ARCHIVES}`, "zh_CN.UTF-8");
  await call("list", "model list");
  await call("list json", "model list --json --verify");
  await call("index without waiting", `index ${SMALL_COPY} ${local}`);
  await call("search before", `search 'hot drink' --dir ${SMALL_COPY} ${local} --no-update --json`);
  await call("index", `index ${SMALL_COPY} --wait ${local}`);
  await call("index json", `index ${SMALL_COPY} --wait --json ${local}`);
  for (
    const query of [
      "hot drink",
      "when is the building shut",
      "更换旧的口令",
      "how much is the thing that fastens paper",
    ]
  ) {
    await call(`search ${query}`, `search '${query}' --dir ${SMALL_COPY} ${local} --no-update --json`);
  }
  await call("search semantic", `search 'hot drink' --dir ${SMALL_COPY} ${local} --mode semantic --json`);
  await call("search explain zh", `search 口令 --dir ${SMALL_COPY} ${local} --explain`, "zh_CN.UTF-8");
  await call("status", `status --dir ${SMALL_COPY} ${local}`);
  await call("doctor", `doctor --dir ${SMALL_COPY} ${local}`);
  await call("verify", `verify --dir ${SMALL_COPY} ${local} --json`);
  const scans = filesBelow(SCANS).filter((path) => /\.(?:png|tif|jpg)$/.test(path));
  const pdf = filesBelow(DOCUMENTS).filter((path) => /issue(?:19326|1985)\.pdf$/.test(path));
  await call("recognised text", `extract ${scans.join(" ")} ${ocr}`);
  await call("recognised text json", `extract ${[...scans, ...pdf].join(" ")} ${ocr} --json`);
  await call("recognised page zh", `extract ${SCANS}/pages.tif --page 2 ${ocr}`, "zh_CN.UTF-8");
  await call("index of scans", `index ${SCANS} ${ocr} --json`);
  await call("index of scans again", `index ${SCANS} ${ocr}`);
  await call("search of scans", `search 'claims in writing' --dir ${SCANS} ${ocr}`);
  await call("search of scans json", `search 数据中心搬迁 --dir ${SCANS} ${ocr} --json`);
  await call("status of scans", `status --dir ${SCANS} --files ${ocr}`);
  await call("remove", "model remove zh --yes");
  await call(
    "search without the model",
    `search 'hot drink' --dir ${SMALL_COPY} ${local} --no-update --json`,
  );
  await call("remove all zh", "model remove all --yes", "zh_CN.UTF-8");
  await call("list afterwards", "model list");
  await call("scans without the model", `extract ${SCANS}/en.png ${ocr}`);
}
