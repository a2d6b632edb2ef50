/**
 * The recorded calls of the command line about documents, indexes and searches, and wrong ones, in the order in which they run: later ones work on what earlier ones have made.
 * @module
 */
import { join } from "node:path";
import {
  documentName,
  DOCUMENTS,
  filesBelow,
  isPair,
  JUDGED,
  MIXED,
  NOTES,
  PARAGRAPHS,
  QUESTIONS,
  SETTINGS,
  settings,
  SMALL,
  SMALL_COPY,
  write,
} from "./_fixtures.ts";
import { callsOf, CHINESE, HOME, PLACE, type Recorder } from "./_recorder.ts";

const COMMANDS = [
  "index",
  "search",
  "serve",
  "status",
  "verify",
  "doctor",
  "reembed",
  "clean",
  "backup",
  "restore",
  "eval",
  "extract",
  "setup",
  "uninstall",
  "completions",
  "licenses",
  "model",
  "model install",
  "model list",
  "model remove",
  "config",
  "config check",
  "config init",
  "config encrypt",
  "config decrypt",
];

/** Help, completions and licences: calls that read no folder. */
export async function recordHelp(recorder: Recorder): Promise<void> {
  const call = callsOf(recorder, "help");
  for (const command of COMMANDS) {
    await call(`${command} --help`, `${command} --help`);
    await call(`${command} --help zh`, `${command} --help`, CHINESE);
  }
  await call("nothing", "");
  await call("nothing zh", "", CHINESE);
  await call("help", "help");
  await call("help --language zh", "help --language zh");
  await call("help search", "help search");
  await call("help model list zh", "help model list", { env: { MUXUE_RAG_LANGUAGE: "zh" } });
  await call("help narrow terminal", "search --help", { columns: 60 });
  await call("help wide terminal zh", "search --help", { columns: 140, ...CHINESE });
  for (const shell of ["bash", "zsh", "fish", "pwsh"]) {
    await call(`completions ${shell}`, `completions ${shell}`);
    await call(`completions ${shell} zh`, `completions ${shell}`, CHINESE);
  }
  await call("version", "--version");
  await call("version json", "--version --json");
  await call("licenses", "licenses");
}

/** `extract` of every document, many in one process, and of some documents as plain text. */
export async function recordExtract(recorder: Recorder): Promise<void> {
  const all = filesBelow(DOCUMENTS);
  for (let at = 0; at < all.length; at += 40) {
    const group = all.slice(at, at + 40);
    const { code, stdout, stderr } = await recorder.output(["extract", "--json", ...group]);
    // A line for each file. A file that has no line of its own still gets a record.
    const lines = stdout.split("\n").filter((line) => line !== "").map((line) => ({
      line,
      file: fileOf(line),
    }));
    for (const path of group) {
      const own = lines.filter(({ file }) => file === path).map(({ line }) => pretty(line));
      const notes = stderr.split("\n").filter((line) => line.includes(path));
      recorder.write("documents", documentName(path), [
        `$ muxue_rag extract --json ${path}`,
        ...own,
        "--- stderr",
        ...notes,
      ]);
    }
    const others = lines.filter(({ file }) => file === undefined || !group.includes(file)).map(({ line }) =>
      line
    );
    const rest = stderr.split("\n").filter((line) => !group.some((path) => line.includes(path)));
    recorder.write("documents", `group ${at / 40 + 1}`, [
      `exit code: ${code}`,
      ...others,
      "--- stderr",
      ...rest,
    ]);
  }
  const call = callsOf(recorder, "extract");
  for (const kind of new Set(all.filter(isPair).map((path) => path.split("/").at(-2)!))) {
    const ofKind = all.filter((path) => isPair(path) && path.split("/").at(-2) === kind);
    await recorder.run("extract", `plain text of ${kind}`, ["extract", ...ofKind.slice(0, 3)]);
  }
  const pdf = all.find((path) => path.endsWith("amt_handbook_sample.pdf"))!;
  await call("page 1", `extract ${pdf} --page 1`);
  await call("page 1 json zh", `extract ${pdf} --page 1 --json`, CHINESE);
  await call("page that is not there", `extract ${pdf} --page 9999`);
  await call("notes zh", `extract ${NOTES}/zh/faq.txt`, CHINESE);
  await call(
    "several, one missing, json",
    `extract ${SMALL_COPY}/tea.md ${SMALL_COPY}/nothing.md ${SMALL_COPY}/table.csv --json`,
  );
  await call("several, one missing zh", `extract ${SMALL_COPY}/tea.md ${SMALL_COPY}/nothing.md`, CHINESE);
  await call("folder", `extract ${SMALL_COPY}`);
  await call("empty file and picture", `extract ${SMALL_COPY}/empty.md ${SMALL_COPY}/picture.png`);
  await call("mail and page", `extract ${SMALL_COPY}/letter.eml ${SMALL_COPY}/page.html --json`);
  await call("relative path", "extract tea.md ops/keys.md --json", { cwd: SMALL_COPY });
  await call("narrow limit", `extract ${SMALL_COPY}/bundle.min.js`, {
    env: { MUXUE_RAG_FILES_MAX_FILE_MB: "0.001" },
  });
}

function fileOf(line: string): string | undefined {
  try {
    return JSON.parse(line).file;
  } catch {
    return undefined;
  }
}

function pretty(line: string): string {
  return JSON.stringify(JSON.parse(line), null, 1);
}

/** Indexing, and what the program says about the indexes. */
export async function recordIndexing(recorder: Recorder): Promise<void> {
  const index = callsOf(recorder, "index");
  await index("notes, first run", `index ${NOTES}`);
  await index("notes again", `index ${NOTES} --json`);
  await index("notes in full zh", `--dir ${NOTES} --full`, CHINESE);
  await index("mixed, first run zh", `index ${MIXED}`, CHINESE);
  await index("mixed again", `index ${MIXED} --json`);
  await index("mixed in full", `index ${MIXED} --full --json`);
  await index("paragraphs quiet", `index ${PARAGRAPHS} --quiet`);
  await index("small, first run", `index --dir ${SMALL} --json`);
  await index("current folder", "index", { cwd: SMALL });
  await index("folder inside of an indexed one", `index ${SMALL}/ops`);
  await index("folder inside removed again", `clean --dir ${SMALL}/ops --yes`);
  await index("small again with the outer index", `index ${SMALL} --json`);
  for (const name of ["recursive.json", "fixed.yaml", "semantic.yaml", "few.yaml", "no-vectors.yaml"]) {
    await index(`small by ${name}`, `index ${SMALL} --full --json ${settings(name)}`);
    await index(`search by ${name}`, `search 'rotate the keys' --dir ${SMALL} --no-update --format paths`);
  }
  await index("other settings than those of the index", `index ${SMALL} ${settings("fixed.yaml")}`);
  const key = { env: { SOME_KEY: "sk-1234567890" } };
  await index("many settings", `index ${SMALL} --full ${settings("many.yaml")}`, key);
  await index(
    "search by many settings",
    `search '怎么更换 boiler' --dir ${SMALL} ${settings("many.yaml")}`,
    key,
  );
  await index("small by the defaults", `index ${SMALL} --full --json`);
  await index("wait without models", `index ${SMALL} --wait ${settings("english.yaml")}`);
  await index("index elsewhere", `index ${SMALL} --index-dir ${PLACE}/indexes --json`);
  await index("status elsewhere", `status --dir ${SMALL} --index-dir ${PLACE}/indexes --json`);
  await index("clean elsewhere", `clean --dir ${SMALL} --index-dir ${PLACE}/indexes --yes`);
  await index("reembed", `reembed --dir ${SMALL} --json`);
  await index("reembed zh", `reembed --dir ${SMALL}`, CHINESE);
  await index("changes", `index ${SMALL} --json`);
  write(join(SMALL, "tea.md"), "# Tea\n\nBlack tea wants water of 95 degrees.\n");
  write(join(SMALL, "new.md"), "# New\n\nA note about parsley.\n");
  Deno.renameSync(join(SMALL, "kettle.md"), join(SMALL, "pot.md"));
  Deno.removeSync(join(SMALL, "same.md"));
  await index("status before the changes are taken up", `status --dir ${SMALL} --json`);
  await index("old index searched", `search 'black tea' --dir ${SMALL} --no-update --json`);
  await index("changed, new, renamed and removed", `index ${SMALL}`);
  write(join(SMALL, "new.md"), "# New\n\nA note about parsley and thyme.\n");
  await index("changed json", `index ${SMALL} --json --language zh`);

  const collections = callsOf(recorder, "collections");
  const named = settings("collections.yaml");
  await collections("index all, one with other settings", `index ${named}`);
  await collections("index all in full", `index --full ${named}`);
  await collections("index all again", `index --json ${named}`);
  await collections("index one", `index guide --json ${named}`);
  await collections("search all", `search 'how to back up' --json ${named}`);
  await collections("search one", `search tea --dir small --json ${named}`);
  await collections("search two zh", `search 备份 --dir small --dir guide ${named} --language zh`);
  await collections("status", `status ${named}`);
  await collections("verify", `verify --json ${named}`);
  await collections("doctor", `doctor ${named}`);
  await collections("unknown name", `search tea --dir smal ${named}`);
  await collections("small by itself again", `index ${SMALL} --full --json`);
  await collections("guide cleaned", `clean --dir guide --yes ${named}`);

  const status = callsOf(recorder, "status");
  await status("notes", `status --dir ${NOTES}`);
  await status("notes zh", `status --dir ${NOTES}`, CHINESE);
  await status("notes json", `status --dir ${NOTES} --json`);
  await status("mixed", `status --dir ${MIXED}`);
  await status("mixed files", `status --dir ${MIXED} --files`);
  await status("mixed files json", `status --dir ${MIXED} --files --json`);
  await status("mixed failed zh", `status --dir ${MIXED} --files --failed`, CHINESE);
  await status("mixed skipped", `status --dir ${MIXED} --files --skipped`);
  await status("mixed failed and skipped", `status --dir ${MIXED} --failed --skipped --json`);
  await status("small files", `status --dir ${SMALL} --files`);
  await status("all", "status --all");
  await status("current folder", "status", { cwd: join(SMALL, "ops") });
  await status("folder without an index", `status --dir ${SETTINGS}`);
  await status("two folders json zh", `status --dir ${NOTES} --dir ${SMALL} --json`, CHINESE);
  await status("on a terminal", `status --dir ${MIXED} --files --failed`, { columns: 100 });

  const verify = callsOf(recorder, "verify");
  await verify("notes", `verify --dir ${NOTES}`);
  await verify("notes deep json", `verify --dir ${NOTES} --deep --json`);
  await verify("mixed deep zh", `verify --dir ${MIXED} --deep`, CHINESE);
  await verify("all", "verify");
  await verify("folder without an index", `verify --dir ${SETTINGS} --json`);

  const doctor = callsOf(recorder, "doctor");
  await doctor("notes", `doctor --dir ${NOTES}`);
  await doctor("notes zh", `doctor --dir ${NOTES}`, CHINESE);
  await doctor("notes json", `doctor --dir ${NOTES} --json`);
  await doctor("all", "doctor");
  await doctor("folder without an index", `doctor --dir ${SETTINGS}`);
  await doctor("local models that are not installed", `doctor --dir ${SMALL} ${settings("local.yaml")}`);
}

/** Searches, with the options and settings that change an answer. */
export async function recordSearches(recorder: Recorder, queries: readonly string[]): Promise<void> {
  const search = callsOf(recorder, "search");
  const notes = `--dir ${NOTES}`;
  const asked = [
    "how to back up",
    "encoding of old files",
    "怎么备份索引",
    "加密 API 密钥",
    "MUXUE_RAG_PASSPHRASE",
    "what leaves my computer",
    "exit codes of verify",
    "扫描的 PDF 能搜索吗",
    "rerank.top_m",
    "table of settings",
  ];
  for (const query of asked) {
    await search(`json ${query}`, `search '${query}' ${notes} --json`);
  }
  for (const query of asked.slice(0, 4)) {
    await search(`text ${query}`, `search '${query}' ${notes}`);
    await search(`explain ${query}`, `search '${query}' ${notes} --explain`);
    await search(`keyword ${query}`, `search '${query}' ${notes} --mode keyword --json --top-k 5`);
    await search(`semantic ${query}`, `search '${query}' ${notes} --mode semantic --json --top-k 5`);
    await search(`terminal ${query}`, `search '${query}' ${notes}`, { columns: 80 });
  }
  await search("text zh", `search 怎么备份索引 ${notes}`, CHINESE);
  await search("json zh", `search 怎么备份索引 ${notes} --json`, CHINESE);
  await search("explain json", `search 'how to back up' ${notes} --explain --json`);
  await search("explain zh", `search 加密密钥 ${notes} --explain`, CHINESE);
  await search("explain keyword", `search 'how to back up' ${notes} --explain --mode keyword`);
  await search("explain semantic", `search 'how to back up' ${notes} --explain --mode semantic`);
  await search("explain on a terminal", `search 'how to back up' ${notes} --explain`, { columns: 120 });
  await search("paths", `search backup ${notes} --format paths`);
  await search("md", `search backup ${notes} --format md`);
  await search("md zh", `search 备份 ${notes} --format md`, CHINESE);
  await search("format json", `search backup ${notes} --format json --top-k 2`);
  await search("format text", `search backup ${notes} --format text --top-k 2`);
  await search("context", `search 'restore a backup' ${notes} --context 2`);
  await search("context on a terminal zh", `search 'restore a backup' ${notes} --context 1`, {
    columns: 60,
    ...CHINESE,
  });
  await search("whole passages on a terminal", `search 'restore a backup' ${notes} --full-text --top-k 4`, {
    columns: 100,
  });
  await search("colours off", `search 'restore a backup' ${notes} --top-k 3`, {
    columns: 80,
    env: { NO_COLOR: "1" },
  });
  await search("links on", `search 'restore a backup' ${notes} --top-k 3`, {
    columns: 80,
    env: { FORCE_HYPERLINK: "1" },
  });
  await search("top 1", `search backup ${notes} --top-k 1 --json`);
  await search("top 100", `search backup ${notes} --top-k 100 --json`);
  await search("phrase", `search '"index key"' ${notes} --json`);
  await search("phrase that is nowhere", `search '"purple elephants rotate"' ${notes} --json`);
  await search("Chinese quotation marks", `search '「备份」' ${notes} --json --top-k 3`);
  await search("without a word", `search backup -restore ${notes} --json`);
  await search("without a phrase", `search 'backup -"the index"' ${notes} --json --top-k 4`);
  await search("path filter", `search 'backup path:zh/' ${notes} --json --top-k 4`);
  await search("path pattern", `search 'backup path:**/*.txt' ${notes} --json --top-k 4`);
  await search("not a path", `search 'backup -path:zh/ -path:en/maintenance.md' ${notes} --json --top-k 4`);
  await search("type filter", `search 'files type:csv,yaml' ${notes} --json`);
  await search("language filter", `search 'backup lang:zh' ${notes} --json --top-k 4`);
  await search(
    "after and before",
    `search 'backup after:2024-01-02 before:2024-01-04' ${notes} --json --top-k 4`,
  );
  await search("after everything", `search 'backup after:2030' ${notes} --json`);
  await search("filters only", `search 'type:md lang:zh' ${notes}`);
  await search("bad date", `search 'backup after:2024-13-40' ${notes}`);
  await search("bad language", `search 'backup lang:xx' ${notes} --json`);
  await search("misspelt", `search checklst bakcup ${notes} --json`);
  await search("misspelt zh", `search 'encodign of flies' ${notes}`, CHINESE);
  await search("nothing", `search xyzzyqwert ${notes}`);
  await search("nothing json", `search xyzzyqwert ${notes} --json`);
  await search("nothing paths", `search xyzzyqwert ${notes} --format paths`);
  await search("traditional characters", `search 備份與還原 ${notes} --json --top-k 3`);
  await search("full-width", `search 'ｂａｃｋｕｐ ＡＰＩ' ${notes} --json --top-k 3`);
  await search(
    "long question",
    `search '${"what happens if the disk is full while an index is written ".repeat(20)}' ${notes} --json`,
  );
  await search("one letter", `search x ${notes} --json --top-k 3`);
  await search("only function words", `search 'how is the' ${notes} --json --top-k 3`);
  await search("symbols", `search '<script>alert(1)</script> %00 ../..' ${notes} --json --top-k 3`);
  await search("emoji", `search 🎉 ${notes} --json`);
  await search("current folder", "search backup --top-k 2", { cwd: join(NOTES, "en") });
  await search("folder below", `search backup --dir ${NOTES}/zh --json --top-k 3`);
  await search("two folders", `search keys --dir ${NOTES} --dir ${SMALL} --json --top-k 6`);
  await search("all folders", "search 'green tea' --all --json");
  await search("all folders zh", "search 黑豹队 --top-k 3", CHINESE);
  await search("no index and no update", `search keys --dir ${SETTINGS} --no-update`);
  for (const name of ["rrf.yaml", "no-legs.yaml", "no-rerank.yaml", "synonyms.yaml", "short.yaml"]) {
    await search(
      `by ${name}`,
      `search 'how to rotate keys jam' ${notes} --dir ${SMALL} --json ${settings(name)}`,
    );
  }
  for (const leg of ["translation", "vector", "maxsim", "sentence"]) {
    await search(`leg ${leg} alone`, `search 'keep the keys safe' ${notes} --json --top-k 4`, {
      env: { MUXUE_RAG_SEARCH_LEGS: leg },
    });
  }
  const small = `--dir ${SMALL}`;
  await search("small identifier", `search getUserName ${small} --json`);
  await search("small table", `search 'price of a stapler' ${small}`);
  await search("small odd name md", `search marmalade ${small} --format md`);
  await search("small odd name on a terminal", `search marmalade ${small}`, { columns: 80 });
  await search("small secret is not indexed", `search 4711 PIN ${small} --json`);
  await search("small test of code", `search 'test of rotate keys' ${small} --explain --json`);
  await search("small mail", `search '项目进度 type:eml' ${small} --json`);

  const mixed = callsOf(recorder, "mixed");
  for (
    const query of [
      "aircraft maintenance handbook",
      "table of contents",
      "rich table cells",
      "equation with a fraction",
      "سعر",
      "diffusion of particles",
      "genes and proteins in a study",
      "幻灯片 图表",
      "拿来主义",
      "duck habitat",
      "type:xlsx total",
      "type:pdf page of a scan",
    ]
  ) {
    await mixed(`json ${query}`, `search '${query}' --dir ${MIXED} --json --top-k 5`);
  }
  await mixed("text", `search 'rich table cells' --dir ${MIXED} --top-k 3`);
  await mixed("explain", `search 'rich table cells' --dir ${MIXED} --explain --top-k 3`);
  await mixed("weak, with a note about unread files zh", `search 量子色动力学 --dir ${MIXED}`, CHINESE);
  await mixed("terminal", `search 'aircraft maintenance' --dir ${MIXED}`, { columns: 90 });

  const paragraphs = callsOf(recorder, "paragraphs");
  for (const query of queries.filter((_, i) => i % 6 === 0)) {
    const words = query.replaceAll("'", "’");
    await paragraphs(`json ${words.slice(0, 60)}`, `search '${words}' --dir ${PARAGRAPHS} --json --top-k 3`);
  }
}

/** Measuring the quality of searches. */
export async function recordEvaluation(recorder: Recorder): Promise<void> {
  const call = callsOf(recorder, "eval");
  await call("questions", `eval ${QUESTIONS} --dir ${NOTES}`);
  await call("questions json", `eval ${QUESTIONS} --dir ${NOTES} --json --worst 3`);
  await call("questions zh", `eval ${QUESTIONS} --dir ${NOTES} --worst 2`, CHINESE);
  await call("collection", `eval ${JUDGED} --worst 2`);
  await call(
    "collection json",
    `eval ${JUDGED} --compare keyword,hybrid,hybrid-translation --json --worst 0`,
  );
  await call(
    "minimum that is missed",
    `eval ${QUESTIONS} --dir ${NOTES} --compare hybrid --min ndcg@10=0.999 --quiet`,
  );
  await call(
    "two minima",
    `eval ${QUESTIONS} --dir ${NOTES} --compare keyword,hybrid --min hit@5=0.1 --min keyword:mrr@10=0.1 --worst 0 --top-k 5`,
  );
  await call(
    "configuration file",
    `eval ${QUESTIONS} --dir ${NOTES} --compare keyword,${SETTINGS}/no-legs.yaml --worst 0`,
  );
  await call("bad metric", `eval ${QUESTIONS} --dir ${NOTES} --min beauty@10=1`);
  await call("bad system", `eval ${QUESTIONS} --dir ${NOTES} --compare keyword,magic`);
  await call("missing data", `eval ${PLACE}/nothing --json`);
  await call("questions that are none", `eval ${SETTINGS}/many.yaml --dir ${NOTES}`);
}

/** Wrong usage, missing and hostile paths. */
export async function recordMistakes(recorder: Recorder): Promise<void> {
  const call = callsOf(recorder, "mistakes");
  await call("misspelt option", `--dir ${NOTES} --ful`);
  await call("misspelt option zh", `--dir ${NOTES} --ful`, CHINESE);
  await call("misspelt command", "serch words");
  await call("misspelt command zh json", "statsu --json", CHINESE);
  await call("one dash", `search x -dir ${NOTES}`);
  await call("unknown option json", `search x --nothing --json --dir ${NOTES}`);
  await call("option without a value", "search x --dir");
  await call("option of another command", `status --top-k 3 --dir ${NOTES}`);
  await call("no query", `search --dir ${NOTES}`);
  await call("empty query", `search '' --dir ${NOTES}`);
  await call("blank query json", `search '   ' --dir ${NOTES} --json`);
  await call("query too long", `search '${"word ".repeat(5_000)}' --dir ${NOTES} --json`);
  await call("top-k 0", `search x --top-k 0 --dir ${NOTES}`);
  await call("top-k 101", `search x --top-k 101 --dir ${NOTES} --json`);
  await call("top-k text", `search x --top-k ten --dir ${NOTES}`);
  await call("bad mode", `search x --mode fuzzy --dir ${NOTES}`);
  await call("bad format zh", `search x --format pdf --dir ${NOTES}`, CHINESE);
  await call("bad context", `search x --context -1 --dir ${NOTES}`);
  await call("bad language", `search x --language fr --dir ${NOTES}`);
  await call("missing folder", `index ${PLACE}/nothing`);
  await call("missing folder json zh", `index ${PLACE}/nothing --json`, CHINESE);
  await call("file instead of a folder", `index ${SMALL}/tea.md`);
  await call("similar folder", `index ${PLACE}/note`);
  await call("sensitive folder", "index /etc");
  await call("sensitive folder zh", "status --dir /etc --json", CHINESE);
  await call("root of the disk", "index /");
  await call("home", `index ${HOME}`);
  await call("state folder", `index ${HOME}/.local/state/muxue_rag`);
  await call("path upwards", `search x --dir ${SMALL}/../../../etc`);
  await call("control characters in a path", `index '${PLACE}/\x1b[31mred\x07'`);
  await call("line break in a path json", `status --dir '${PLACE}/a\nb' --json`);
  await call("very long path", `index ${PLACE}/${"a".repeat(5_000)}`);
  Deno.symlinkSync("/etc", join(PLACE, "link"));
  await call("link to a sensitive folder", `index ${PLACE}/link`);
  Deno.removeSync(join(PLACE, "link"));
  await call("two folders for index", `index ${NOTES} ${SMALL}`);
  await call("folder twice", `index ${NOTES} --dir ${SMALL}`);
  await call("page 0", `extract ${SMALL}/tea.md --page 0`);
  await call("no file", "extract");
  await call("missing configuration", `search x --dir ${NOTES} --config ${PLACE}/nothing.yaml`);
  await call("folder as configuration", `search x --dir ${NOTES} --config ${SETTINGS}`);
  await call("broken configuration", `search x --dir ${NOTES} ${settings("bad-syntax.yaml")}`);
  await call("broken configuration json", `search x --dir ${NOTES} --json ${settings("bad-keys.yaml")}`);
  const folder = join(PLACE, "working");
  for (
    const [subject, text] of [
      ["harmless", "language: zh\nsearch: {top_k: 2}\nfiles: {exclude: ['*.txt']}\n"],
      ["that sends texts away", "embedding: {provider: azure, base_url: 'https://example.org', model: m}\n"],
      ["that opens folders", "files: {allow_sensitive: [/etc]}\n"],
      ["of another program", "version: 3\nservices: {}\n"],
    ] as const
  ) {
    write(join(folder, "config.yaml"), text);
    await call(
      `working folder with a configuration ${subject}`,
      `search backup --dir ${NOTES} --format paths`,
      {
        cwd: folder,
      },
    );
  }
  await call("bad port", `serve --http --port 99999 --dir ${NOTES}`);
  await call("bad host", `serve --http --host example.org --dir ${NOTES}`);
  await call("port without http", `serve --port 80 --dir ${NOTES}`);
  await call("token variable that is not set", `serve --http --token-env NOTHING --dir ${NOTES}`);
  await call("certificate without a key", `serve --http --tls-cert ${SMALL}/tea.md --dir ${NOTES}`);
  await call("serve a missing folder", `serve --dir ${PLACE}/nothing`);
  await call("unknown shell", "completions tcsh");
  await call("unknown client", `setup emacs --dir ${NOTES}`);
  await call("setup of a missing folder", `setup cursor --dir ${PLACE}/nothing`);
  await call("bad name", `setup cursor --dir ${NOTES} --name 'a b/c'`);
  await call("bad url", "setup cursor --url ftp://example.org");
  await call("help of nothing", "help nothing");
  await call("extra argument", "licenses now");
  await call("all and dir", `status --all --dir ${NOTES}`);
  await call("unusable state folder", `index ${SMALL} --json`, {
    env: { MUXUE_RAG_STATE_DIR: `${SMALL}/tea.md` },
  });
  await call("no home", "status", {
    env: { HOME: "", XDG_STATE_HOME: "", XDG_CONFIG_HOME: "", XDG_DATA_HOME: "" },
  });
}

/** The files that the program has written, and their removal. */
export async function recordEnd(recorder: Recorder): Promise<void> {
  const written = filesBelow(PLACE).filter((path) => /muxue_rag/.test(path.slice(PLACE.length)));
  recorder.write("end", "files written", written);
  const call = callsOf(recorder, "end");
  await call("uninstall lists", "uninstall");
  await call("uninstall json zh", "uninstall --json", CHINESE);
  await call("uninstall", "uninstall --yes");
  recorder.write(
    "end",
    "files left",
    filesBelow(PLACE).filter((path) => /muxue_rag/.test(path.slice(PLACE.length))),
  );
}
