import { deepEqual, doesNotThrow, equal, notEqual, ok } from "node:assert/strict";
import { basename, dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import project from "../deno.json" with { type: "json" };
import pages from "../web/deno.json" with { type: "json" };
import type { Folders } from "#program/command.ts";
import { COMMANDS } from "#program/commands/declarations.ts";
import { OPTIONS } from "#program/options.ts";
import { helpIn } from "#program/help.ts";
import { parseArguments } from "#program/parse.ts";
import { loadConfig } from "#foundation/configuration/mod.ts";
import { SECTIONS } from "#foundation/configuration/schema.ts";
import { type NameType, typeByName } from "#documents/mod.ts";
import { FORMATS } from "#documents/formats.ts";
import { readQuestions } from "#library/evaluate/mod.ts";
import { type Language, message, type MessageKey, shellWord } from "#foundation/messages/mod.ts";
import { permissionsFor } from "#foundation/boundary/mod.ts";
import { expressionText, parseQuery, positiveWords } from "#engine/query/mod.ts";
import { recipe } from "#engine/rank/prepared_query.ts";
import { copyFolder } from "../scripts/copy_folder.ts";
import { visitImports } from "../scripts/lint/imports.ts";
import { svgLines } from "../scripts/pictures/terminal_svg.ts";
import { withoutTimes } from "../scripts/pictures/write_picture.ts";
import { picturedLines, picturedSearches, PICTURES } from "../scripts/readme_pictures.ts";
import { screenPicture, screens } from "../scripts/screen_pictures.ts";
import { permissionRows } from "./program/_permission_rows.ts";
import { openPipe } from "./e2e/_mcp_pipe.ts";
import { fromSources, hasTerminal, makeIndexed, makeSandbox, type Sandbox } from "./e2e/_program.ts";
import { EmbeddingServer } from "./models/embedding/_embedding_server.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const GUIDE = join(ROOT, "examples", "docs");
const READMES: Readonly<Record<Language, string>> = { en: "README.md", zh: "README.zh-CN.md" };
const CONTRIBUTING: Readonly<Record<Language, string>> = {
  en: "CONTRIBUTING.md",
  zh: "CONTRIBUTING.zh-CN.md",
};
const SECURITY: Readonly<Record<Language, string>> = { en: "SECURITY.md", zh: "SECURITY.zh-CN.md" };
const START = `npx -y deno@[\\d.]+ task (?:-q )?start`;
/** Files that name the flags of the other programs in the texts: Deno, the tasks, the installer, Docker. */
const OTHER_PROGRAMS = [
  "deno.json",
  "scripts/compile.ts",
  "scripts/compile/stage.ts",
  "scripts/bundle.ts",
  "scripts/bench.ts",
  "scripts/install.sh",
  "scripts/windows.ts",
  "packaging/docker/Dockerfile",
  "tests/conformance/inspector.ts",
];

const PEARS = { "a.md": "# Pears\n\nPears are ripe in autumn.\n" };

/** One fenced block of a Markdown text. */
interface Block {
  readonly language: string;
  readonly text: string;
}

function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^(`{3,})(\w*)\n([\s\S]*?)^\1$/gm)].map(([, , language = "", text = ""]) => ({
    language,
    text,
  }));
}

/** Returns the levels of the headings, in order. */
function headingsOf(markdown: string): number[] {
  const prose = markdown.replace(/^(`{3,})\w*\n[\s\S]*?^\1$/gm, "");
  return [...prose.matchAll(/^(#+) /gm)].map(([, marks = ""]) => marks.length);
}

function read(path: string): string {
  return Deno.readTextFileSync(path);
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/** Returns the names of the guide's pages in one language, sorted. */
function pagesOf(language: Language): string[] {
  return [...Deno.readDirSync(join(GUIDE, language))].filter(({ isFile, name }) => isFile && name[0] !== ".")
    .map(({ name }) => name).sort();
}

/** Returns path and text of every Markdown page in the root of the repository and of every page of the guide. */
function everyText(): [path: string, text: string][] {
  const root = [...Deno.readDirSync(ROOT)].map(({ name }) => name).filter((name) => name.endsWith(".md"))
    .sort();
  const guide = (["en", "zh"] as const).flatMap((language) =>
    pagesOf(language).map((name) => join(GUIDE, language, name))
  );
  return [...root.map((name) => join(ROOT, name)), ...guide].map((path) => [path, read(path)]);
}

/** Returns the arguments of every command for the program in the shell blocks of a text. */
function commandLines(markdown: string): string[][] {
  return blocksOf(markdown).filter(({ language }) => language === "sh")
    .flatMap(({ text }) => text.replaceAll("\\\n", " ").split("\n"))
    .flatMap((line) => {
      const [, rest] = new RegExp(`(?:^|\\s)(?:muxue_rag|${START})(\\s.*)`).exec(line) ?? [];
      if (rest === undefined || /^(?:git|cd|claude) /.test(line)) return [];
      const own = rest.replace(/\s(?:\|\||>|\|)\s.*/, "");
      return [
        [...own.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, single, double, bare]) =>
          single ?? double ?? bare ?? ""
        ),
      ];
    });
}

/** Returns the commands in a text that are followed by their output. */
function shownRuns(markdown: string): { args: string[]; output: string }[] {
  const blocks = blocksOf(markdown);
  return blocks.flatMap(({ language, text }, at) => {
    const next = blocks[at + 1];
    if (language !== "sh" || next?.language !== "text") return [];
    const [args] = commandLines(`\`\`\`sh\n${text}\`\`\`\n`);
    return args === undefined ? [] : [{ args, output: next.text }];
  });
}

/** Returns the first cells of the tables in the sections whose headings begin with one of `headings`. */
function firstCells(markdown: string, ...headings: string[]): string[] {
  const parts = markdown.split(/^#+ /m).filter((part) =>
    headings.some((heading) => part.startsWith(heading))
  );
  return [...parts.join("").matchAll(/^\| (`.*?) \|/gm)].map(([, cell = ""]) => cell);
}

function codesOf(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
}

/** Returns the program's arguments in a client's configuration; `undefined` if there are none. */
function clientArguments(json: string): string[] | undefined {
  const { mcpServers, servers } = JSON.parse(json);
  const args: string[] | undefined = (mcpServers ?? servers)?.muxue_rag?.args;
  return args?.slice(args.indexOf("start") + 1);
}

Deno.test("both READMEs, CONTRIBUTING, SECURITY and the guide in both languages have the same headings and code blocks", () => {
  deepEqual(pagesOf("zh"), pagesOf("en"));
  const pairs = pagesOf("en").map((name) => [join(GUIDE, "en", name), join(GUIDE, "zh", name)]);
  const roots = [READMES, CONTRIBUTING, SECURITY].map(({ en, zh }) => [join(ROOT, en), join(ROOT, zh)]);
  for (const [en = "", zh = ""] of [...roots, ...pairs]) {
    const shape = (text: string) => [headingsOf(text), blocksOf(text).map(({ language }) => language)];
    deepEqual(shape(read(zh)), shape(read(en)), basename(en));
  }
});

Deno.test("the READMEs have at most 150 lines", () => {
  for (const path of Object.values(READMES)) ok(read(join(ROOT, path)).split("\n").length <= 151, path);
});

Deno.test("every flag in the texts is in the program's help", () => {
  const commands = COMMANDS.filter(({ help }) => help !== undefined).map(({ name }) => name);
  const help = ["", ...commands]
    .map((command) => {
      const words = command.split(" ").filter((word) => word !== "");
      const asked = parseArguments([...words, "--help"], undefined, helpIn("en"));
      return "text" in asked ? asked.text : "";
    }).join("\n");
  const flagsIn = (text: string) => [...text.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([flag]) => flag);
  const own = new Set(flagsIn(help));
  // `--scope` is a flag of Claude Code
  const others = new Set(OTHER_PROGRAMS.flatMap((path) => flagsIn(read(join(ROOT, path))))).add("--scope")
    .add("--transport");
  for (const [path, text] of everyText()) {
    deepEqual(flagsIn(text).filter((flag) => !own.has(flag) && !others.has(flag)), [], path);
  }
});

Deno.test("every command line in the texts is accepted by the command line parser", () => {
  for (const [path, text] of everyText()) {
    for (const args of commandLines(text)) {
      doesNotThrow(() => parseArguments(args), `${path}: ${args.join(" ")}`);
    }
  }
  ok(commandLines(read(join(ROOT, READMES.en))).length >= 4);
  const commandsOn = (wanted: readonly Folders[]) =>
    COMMANDS.filter(({ folders }) => folders !== undefined && wanted.includes(folders)).map(({ name }) =>
      name
    );
  deepEqual(
    commandsOn(["here"]),
    ["search", "ask", "check-answer", "why-not", "ui", "status"],
    "the reference names these six",
  );
  deepEqual(commandsOn(["all", "any"]), ["serve", "verify", "doctor", "setup"], "and these four");
  deepEqual(OPTIONS.topK.range, { min: 1, max: 100 }, "the reference names these bounds");
});

Deno.test("every JSON block parses, and the blocks for clients start the server", () => {
  let clients = 0;
  for (const [path, text] of everyText()) {
    for (const block of blocksOf(text).filter(({ language }) => language === "json")) {
      const args = clientArguments(block.text);
      if (args === undefined) continue;
      clients++;
      equal(parseArguments(args).command, "serve", path);
    }
  }
  equal(clients, 10);
});

Deno.test("every YAML block and the example configuration are valid and cause no warning", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const blocks = everyText().flatMap(([, text]) => blocksOf(text))
      .filter(({ language }) => language === "yaml").map(({ text }) => text);
    for (const text of [...blocks, read(join(GUIDE, "team-config.yaml"))]) {
      const file = join(folder, "config.yaml");
      await Deno.writeTextFile(file, text);
      const referred = [...text.matchAll(/: env:(\w+)$/gm)].map(([, name = ""]) => [name, "sk-0123456789"]);
      const { warnings } = await loadConfig({
        file,
        cwd: folder,
        env: { HOME: folder, ...Object.fromEntries(referred) },
      });
      deepEqual(warnings, []);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("every relative link in the texts leads to a file", async () => {
  for (const [path, text] of everyText()) {
    for (const [, target = ""] of text.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)) {
      const found = await Deno.stat(join(dirname(path), target)).catch(() => undefined);
      ok(found?.isFile, `${path}: ${target}`);
    }
  }
});

Deno.test("every file and folder of the project that the texts name exists", async () => {
  for (const [path, text] of everyText()) {
    // Of a name with a placeholder, such as `lib/documents/<format>/`, only the part before the placeholder is checked.
    for (
      const [, name = ""] of text.matchAll(
        /`((?:lib|tests|scripts|research|packaging|examples)\/[^\s`*<{]*)/g,
      )
    ) {
      const found = await Deno.stat(join(ROOT, name)).catch(() => undefined);
      ok(found !== undefined, `${path} names ${name}, which does not exist`);
    }
  }
});

Deno.test("every file of the project that a comment names exists", () => {
  const named =
    /^\s*(?:\/?\*\*?|\/\/).*?\b((?:lib|tests|scripts|research|packaging|examples)\/[\w./-]+\.(?:ts|md|json|bin))\b/gm;
  for (const file of ["lib", "tests", "scripts", "research", "examples"].flatMap(sourcesBelow)) {
    for (const [, name = ""] of read(join(ROOT, file)).matchAll(named)) {
      // `NAME` in capitals is a placeholder
      if (/\bNAME\b/.test(name)) continue;
      ok(isFile(join(ROOT, name)), `a comment in ${file} names ${name}, which does not exist`);
    }
  }
});

Deno.test("the weights in RANKING.md are equal to those of the program", () => {
  const rows = read(join(ROOT, "RANKING.md")).matchAll(/^\| (\S.*`.*) \| ([.\d]+) \| ([.\d]+) \|$/gm);
  const [long, short]: Record<string, number>[] = [{}, {}];
  for (const [, names = "", ofLong, ofShort] of rows) {
    for (const leg of codesOf(names)) [long![leg], short![leg]] = [Number(ofLong), Number(ofShort)];
  }
  const rounded = (weights: Record<string, number>) =>
    Object.fromEntries(Object.entries(weights).map(([leg, weight]) => [leg, Number(weight.toFixed(6))]));
  deepEqual(long, rounded(recipe(80)));
  deepEqual(short, rounded(recipe(40)));
});

Deno.test("every environment variable in the texts is one of the program", () => {
  const own = ["CONFIG", "CONFIG_DIR", "STATE_DIR", "MODELS_DIR", "PASSPHRASE", "LANGUAGE"];
  for (const [section, keys] of Object.entries(SECTIONS)) {
    own.push(...Object.keys(keys).map((key) => `${section.replaceAll(".", "_")}_${key}`.toUpperCase()));
  }
  for (const [path, text] of everyText()) {
    const names = [...text.matchAll(/MUXUE_RAG_([A-Z_]*[A-Z])\b/g)].map(([, name = ""]) => name);
    deepEqual(names.filter((name) => !own.includes(name)), [], path);
  }
});

Deno.test("the tables of permissions in the guide are equal to those of the program", () => {
  const words = {
    en:
      "`.muxue_rag`|list of folders|logs|the new file|temporary files|embedding server|models|sources of models|" +
      "reranker|its own address|language model|tokens|uses of tokens|database|release page",
    zh:
      "`.muxue_rag`|目录列表|日志|新文件|临时文件|向量服务|模型|模型的来源|重排服务|自身的监听地址|语言模型|令牌|令牌的使用时间|数据库|新版本的页面",
  };
  for (const language of ["en", "zh"] as const) {
    // each place is its own name in the tables
    const [index = "", registry = "", logDir = "", named = "", tempDir = "", server = "", ...ofModels] =
      words[language].split("|");
    const [
      models = "",
      source = "",
      reranker = "",
      own = "",
      llm = "",
      tokens = "",
      used = "",
      db = "",
      page = "",
    ] = ofModels;
    const places = {
      ...{ roots: ["/"], registry, logDir, servers: [server], models, downloads: [source], named: [named] },
      ...{
        rerankers: [reranker],
        tempDir,
        program: [],
        tokens: { list: tokens, used },
        stores: [db],
        releasePage: page,
      },
    };
    const expected = permissionRows().map(({ name, needs, listens }) => {
      const { llm: _, ...rest } = needs;
      const { write, net: servers } = permissionsFor(rest, listens ? { ...places, listen: own } : places);
      const net = [...Array.isArray(servers) ? servers : [], ...needs.llm === true ? [llm] : []];
      const names = (list: unknown) =>
        Array.isArray(list) ? list.map((path) => path === join("/", ".muxue_rag") ? index : path).sort() : [];
      return [name, names(write), names(net)];
    });
    const path = join(GUIDE, language, "privacy.md");
    const rows = [
      ...read(path).matchAll(
        /^\| (.+) \| .+ \| (.+) \| (–|(?:database|数据库|embedding server|向量服务).*|sources of models|模型的来源|release page|新版本的页面) \|$/gm,
      ),
    ];
    const list = (cell = "") => cell === "–" ? [] : cell.split(/, |、/).sort();
    const told = rows.flatMap(([, names, write, net]) =>
      list(names).map((name) => [
        name.replaceAll("`", "").replace(/^(?:indexing|建立索引)$/, "index"),
        list(write),
        list(net),
      ])
    );
    deepEqual(told.sort(), expected.toSorted(), `the table of permissions in ${path}`);
  }
});

Deno.test("the troubleshooting page quotes the contract's messages word for word", () => {
  const failures: MessageKey[] = [
    ...["index_not_ready", "no_match", "file_not_found", "not_text"] as const,
    ...["no_permission", "directory_not_found", "not_a_directory", "unsupported_encoding"] as const,
  ];
  for (const language of ["en", "zh"] as const) {
    const page = read(join(GUIDE, language, "troubleshooting.md"));
    deepEqual(failures.filter((key) => !page.includes(message(language, key))), [], language);
  }
});

Deno.test("the guide's page on indexing names every format that has a loader", () => {
  for (const language of ["en", "zh"]) {
    const path = join(GUIDE, language, "indexing.md");
    const page = read(path);
    for (const { name, extensions } of FORMATS) {
      if (extensions.length === 0) continue;
      const words = new RegExp(`\\b(?:${[name, ...extensions].join("|")})\\b`, "i");
      ok(words.test(page), `${path} does not name ${name}`);
    }
  }
});

Deno.test("file-types.csv says for every extension whether the program reads it", () => {
  const [, ...rows] = read(join(GUIDE, "file-types.csv")).trimEnd().split("\n");
  const named = new Set<string>();
  for (const row of rows) {
    const [indexed, , , extensions = ""] = row.split(",");
    if (indexed === "yes") { for (const extension of extensions.split(" ")) named.add(extension); }
    const types: NameType[] = indexed === "yes" ? ["text", "unknown"] : ["binary"];
    deepEqual(
      extensions.split(" ").filter((extension) => !types.includes(typeByName(`a.${extension}`))),
      [],
      row,
    );
  }
  for (const { name, extensions } of FORMATS) {
    if (extensions.length > 0) ok(extensions.some((extension) => named.has(extension)), name);
  }
});

/** Returns the specifiers of all imports in a source. */
function specifiersIn(path: string, source: string): string[] {
  const specifiers: string[] = [];
  const rule: Deno.lint.Rule = {
    create: () => visitImports(({ specifier }) => void (specifier && specifiers.push(specifier))),
  };
  Deno.lint.runPlugin({ name: "imports", rules: { rule } }, path, source);
  return specifiers;
}

Deno.test("SECURITY names tests that exist, the same in both languages", async () => {
  const named = (language: Language) =>
    [...read(join(ROOT, SECURITY[language])).matchAll(/`([\w/]+_test(?:\.slow)?\.ts)`/g)].map((
      [, path = ""],
    ) => path);
  deepEqual(named("zh"), named("en"));
  for (const path of new Set(named("en"))) {
    const file = path.includes("/") ? path : join("tests", "attacks", path);
    ok((await Deno.stat(join(ROOT, file))).isFile, file);
  }
});

Deno.test("the tables in CONTRIBUTING name every package that is imported and every task", () => {
  const packages = new Set<string>();
  const sources = ["main.ts", ...["lib", "scripts", "research", "tests"].flatMap(sourcesBelow)];
  const ofPages = Object.keys(pages.imports);
  for (
    const specifier of [...sources.flatMap((path) => specifiersIn(path, read(join(ROOT, path)))), ...ofPages]
  ) {
    const [name] = /^(?:@[\w-]+\/)?[\w-]+(?=\/|$)/.exec(specifier) ?? [];
    if (name !== undefined) packages.add(name);
  }
  for (const language of ["en", "zh"] as const) {
    const path = CONTRIBUTING[language];
    const named = (...headings: string[]) => firstCells(read(join(ROOT, path)), ...headings).flatMap(codesOf);
    deepEqual(named("Dependencies", "依赖").sort(), [...packages].sort(), path);
    const tasks = named("Tasks", "任务").flatMap((name) =>
      /^npx -y deno@[\d.]+ task (?:-q )?([\w:]+)/.exec(name)?.[1] ?? []
    );
    deepEqual(tasks.sort(), Object.keys(project.tasks).sort(), path);
  }
});

Deno.test("the newest version in the changelog is the version of the program", () => {
  const [, version] = /^## \[([\d.]+)\] - \d{4}-\d{2}-\d{2}$/m.exec(read(join(ROOT, "CHANGELOG.md"))) ?? [];
  equal(version, project.version);
});

Deno.test("the query syntax in the guide is understood by the query parser", () => {
  for (const language of ["en", "zh"]) {
    const path = join(GUIDE, language, "searching.md");
    const examples = firstCells(read(path), "Query syntax", "检索语法").flatMap(codesOf);
    ok(examples.length >= 9, path);
    for (const example of examples) {
      const { text, phrases, expression } = parseQuery(`x ${example}`);
      const ofFields = expression === undefined ? [] : positiveWords(expression).map(({ words }) => words);
      notEqual(text, `x ${example}`, path);
      equal(text.replace(/^x ?/, ""), [...phrases, ...ofFields].join(" "), path);
    }
  }
});

Deno.test("the boolean queries in the guide are understood as such", () => {
  const [en, zh] = ["en", "zh"].map((language) => {
    const examples = firstCells(read(join(GUIDE, language, "searching.md")), "Boolean queries", "布尔检索")
      .flatMap(codesOf);
    return examples.map((example) => expressionText(parseQuery(example).expression!));
  });
  deepEqual(en, [
    "rotate AND (keys OR tokens)",
    "backup AND NOT draft",
    'rotate NEAR/5 "private key"',
    "encrypt*",
    "(tag:budget OR title:cost) AND 2024",
  ]);
  deepEqual(zh, [
    "密钥 AND (更换 OR 轮换)",
    "备份 AND NOT 草稿",
    '更换 NEAR/5 "私有密钥"',
    "encrypt*",
    "(标签:预算 OR 标题:成本) AND 2024",
  ]);
});

Deno.test("the questions of the example name files of the guide", async () => {
  const { queries } = (await readQuestions(join(ROOT, "examples", "questions.jsonl"), GUIDE)).search!;
  equal(queries.length, 20, "the guide says twenty");
  for (const { targets } of queries) {
    for (const { document } of targets) ok((await Deno.stat(join(GUIDE, document))).isFile, document);
  }
});

/** Returns the output of a run with the paths of the texts in place of this machine's paths. */
function asShown(output: string, sandbox: Sandbox, folder: string): string {
  // an executable holds its own files itself
  const files = /\S*deno-compile-\S*/g;
  return output.replaceAll(shellWord(sandbox.folder), folder).replaceAll(sandbox.folder, folder)
    .replaceAll(sandbox.env["MUXUE_RAG_STATE_DIR"]!, "/home/me/.local/state/muxue_rag")
    .replaceAll(join(ROOT, "lib") + sep, "/home/me/muxue_rag/lib/")
    .replaceAll("\\", "/").replaceAll(files, "/home/me/muxue_rag/lib/");
}

const LANGUAGES = ["en", "zh"] as const;

/** Runs the first command of a page of the guide that is shown with its output. Its folder of the texts is the sandbox's. */
async function runShown(
  sandbox: Sandbox,
  page: string,
  command: string,
): Promise<[given: string, shown: string]> {
  const { args, output } = shownRuns(read(page)).find(({ args }) => args[0] === command)!;
  const paths: Record<string, string> = {
    "examples/docs": sandbox.folder,
    "examples/questions.jsonl": join(ROOT, "examples", "questions.jsonl"),
  };
  const run = await sandbox.run`${args.map((part) => paths[part] ?? part)}`;
  equal(run.code, 0, run.stderr);
  return [asShown(run.stdout, sandbox, "/home/me/muxue_rag/examples/docs"), output];
}

Deno.test(
  { name: "the pictures show what the program prints in a terminal", ignore: !await hasTerminal() },
  async (t) => {
    const isDrawn = (picture: string, lines: readonly string[], script: string) =>
      equal(
        withoutTimes(svgLines(read(join(ROOT, picture))).join("\n")),
        withoutTimes(stripVTControlCharacters(lines.join("\n"))),
        `draw it again: deno run -A scripts/${script}.ts`,
      );
    for (const language of LANGUAGES) {
      await t.step(`the searches of ${READMES[language]}`, async () => {
        const { readme, picture } = PICTURES[language];
        equal(readme, READMES[language]);
        const text = read(join(ROOT, readme));
        ok(text.includes(`](${picture})`), "the README shows its picture");
        equal(picturedSearches(text).length, 2);
        isDrawn(picture, await picturedLines(text), "readme_pictures");
      });
    }
    await t.step("the searches of the guide, in light and dark", async () => {
      for (const { language, columns, lines } of await screens()) {
        const page = read(join(GUIDE, language, "searching.md"));
        for (const theme of ["light", "dark"]) {
          const picture = screenPicture(language, columns, theme);
          ok(page.includes(`](../../${picture.replace("examples/", "")})`), `the guide shows ${picture}`);
          isDrawn(picture, lines, "screen_pictures");
        }
      }
    });
  },
);

Deno.test("the evaluation in the guide matches the program's output up to small changes", async (t) => {
  await using sandbox = await makeSandbox({});
  await copyFolder(GUIDE, sandbox.folder);
  // all figures change with every page of the guide, and with them which differences are significant
  const withoutFigures = (text: string) =>
    text.trimEnd().replaceAll("]*", "]").replace(/ *(?:\d+\/\d+ \d?\.\d+|–)/g, " 0").replace(
      / *[-+]?\d*\.\d+\*?| {2,}[-+]?\d+(?= {2,}|\n|$)/g,
      " 0",
    ).replace(/ +/g, " ");
  const ndcg = (text: string) =>
    [...text.matchAll(/^ +(\w+) +(\.\d+) \[/gm)].map(([, name, mean]) => ({ name, mean: Number(mean) }));
  for (const language of LANGUAGES) {
    await t.step(language, async () => {
      const [given, shown] = await runShown(sandbox, join(GUIDE, language, "evaluating.md"), "eval");
      equal(withoutFigures(given), withoutFigures(shown));
      for (const [at, { name, mean }] of ndcg(given).entries()) {
        const before = ndcg(shown)[at];
        equal(before?.name, name);
        ok(Math.abs(before!.mean - mean) <= 0.1, `${name}: ${before?.mean}, now ${mean}`);
      }
    });
  }
});

// From source, because the executables of a test may have another runtime, which doctor names.
Deno.test("the output of doctor in the guide is what the program prints, with and without an embedding server", async (t) => {
  await using sandbox = await makeIndexed(PEARS, { start: fromSources });
  const { cwd, folder, run } = sandbox;
  await Deno.copyFile(join(ROOT, "config.yaml"), join(cwd, "config.yaml"));
  const withoutTime = (text: string) => text.replace(/[\d.]+ s$/m, "");
  const server = await EmbeddingServer.start();
  await server.stop();
  for (const language of LANGUAGES) {
    await t.step(language, async () => {
      const [given, shown] = await runShown(sandbox, join(GUIDE, language, "privacy.md"), "doctor");
      equal(
        withoutTime(given.replaceAll(cwd.replaceAll("\\", "/"), "/home/me/muxue_rag")),
        withoutTime(shown),
      );
    });
    await t.step(`${language}, without a server`, async () => {
      const page = blocksOf(read(join(GUIDE, language, "embedding-servers.md")));
      const [shown, configuration] = ["text", "yaml"].map((name) =>
        page.find((block) => block.language === name)!
      );
      const file = join(cwd, "rag.yaml");
      await Deno.writeTextFile(file, configuration!.text.replace("http://127.0.0.1:1234/v1", server.url));
      const { code, stdout, stderr } =
        await run`doctor --dir ${folder} --config ${file} --language ${language}`;
      equal(code, 1, stderr);
      const printed = stdout.replaceAll(new URL(server.url).host, "127.0.0.1:1234")
        .replaceAll(file, "/home/me/rag.yaml");
      equal(asShown(printed, sandbox, "/home/me/notes"), shown!.text);
    });
  }
});

Deno.test("the command for clients starts the server from any folder and writes only the protocol to stdout", async () => {
  const [json] = blocksOf(read(join(ROOT, READMES.en))).filter(({ language }) => language === "json");
  await using sandbox = await makeIndexed(PEARS);
  const { args }: { args: string[] } = JSON.parse(json!.text).mcpServers.muxue_rag;
  const paths: Record<string, string> = {
    "/path/to/muxue_rag/deno.json": join(ROOT, "deno.json"),
    "/home/me/notes": sandbox.folder,
  };
  const command = args.slice(args.indexOf("task")).map((part) => paths[part] ?? part);
  const start = () => ({ cmd: Deno.execPath(), args: command });
  // It fails if a line is no message of the protocol.
  await using pipe = await openPipe({ ...sandbox, start }, []);
  equal((await pipe.search("ripe pears")).result.structuredContent.code, 200);
  const { code, rest } = await pipe.end();
  deepEqual([code, rest], [0, []]);
});

function sourcesBelow(folder: string): string[] {
  return [...Deno.readDirSync(join(ROOT, folder))].flatMap(({ name, isDirectory }) => {
    const path = `${folder}/${name}`;
    return isDirectory ? sourcesBelow(path) : name.endsWith(".ts") ? [path] : [];
  });
}
