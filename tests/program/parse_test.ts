import { deepEqual, equal, ok } from "node:assert/strict";
import { UsageError } from "#foundation/errors.ts";
import { message, shellWord } from "#foundation/messages/mod.ts";
import { COMMANDS } from "#program/commands/declarations.ts";
import { helpIn } from "#program/help.ts";
import { plainCommandLine } from "#program/plain_line.ts";
import { parseArguments } from "#program/parse.ts";

/** The English text of the error of a command line. */
function errorOf(...argv: string[]): string {
  try {
    parseArguments(argv, (path) => path === "docs");
  } catch (error) {
    ok(error instanceof UsageError, String(error));
    return message("en", error.key, error.params);
  }
  throw new Error(`no error: ${argv.join(" ")}`);
}

function helpOf(...argv: string[]): string {
  const invocation = parseArguments(argv, undefined, helpIn("en"));
  ok("text" in invocation);
  return invocation.text;
}

/** Command lines with the command, operands and flags that they are read as. */
const READ: readonly [argv: string[], command: string, operands: string[], flags: object][] = [
  ["--dir docs --full --json --quiet".split(" "), "index", [], {
    ...{ dir: ["docs"], full: true, json: true, quiet: true },
  }],
  [["index", "notes"], "index", [], { dir: ["notes"] }],
  [["index", "--dir", "notes", "--full"], "index", [], { dir: ["notes"], full: true }],
  // -word in a search is a word to exclude, at any position.
  [
    ["search", "keys", "-draft", '-"old notes"', "--top-k", "3", "-d", "docs", "-草稿"],
    "search",
    ["keys", "-draft", '-"old notes"', "-草稿"],
    { dir: ["docs"], topK: 3 },
  ],
  [["search", "-draft keys", "--", "-d"], "search", ["-draft keys", "-d"], { dir: [] }],
  [["search", "keys", "-d=docs", "-d/notes", "-d", "-odd"], "search", ["keys"], {
    dir: ["=docs", "/notes", "-odd"],
  }],
  ["status --files --skipped --failed -d docs".split(" "), "status", [], {
    ...{ dir: ["docs"], files: true, skipped: true, failed: true },
  }],
  // One- and two-letter short forms.
  ["-d docs -c my.yaml -cl".split(" "), "clean", [], { dir: ["docs"], config: "my.yaml", clean: true }],
  ...[["-bp", "copy.bin"], ["-bp=copy.bin"], ["--backup-path=copy.bin"]].map((path) =>
    [["-b", ...path, "-d", "docs"], "backup", [], {
      ...{ dir: ["docs"], backup: true, backupPath: "copy.bin" },
    }] as typeof READ[number]
  ),
  [["-v"], "version", [], { dir: [], version: true }],
  [["--serve"], "serve", [], { dir: [], serve: true }],
  [["serve", "--dir", "a", "b", "-d", "c", "d"], "serve", [], { dir: ["a", "c", "b", "d"] }],
  [["serve", "--update", "a"], "serve", [], { dir: ["a"], update: true }],
  [["--serve", "--dir", "a", "--update"], "serve", [], { dir: ["a"], update: true, serve: true }],
  [["serve", "--no-watch", "a"], "serve", [], { dir: ["a"], noWatch: true }],
  [["setup", "cursor", "--update"], "setup", ["cursor"], { dir: [], update: true }],
  ["serve --http --host ::1 --port 0 --allow-host a --allow-host b".split(" "), "serve", [], {
    ...{ dir: [], http: true, host: "::1", port: 0, allowHost: ["a", "b"] },
  }],
  // Flags before and after a command are joined, and the words of a query are kept.
  ["--dir a search 两个 words -d b --top-k 5 --no-update".split(" "), "search", ["两个", "words"], {
    ...{ dir: ["a", "b"], topK: 5, noUpdate: true },
  }],
  [["search", "-d", "a", "--", "-cl", "--json"], "search", ["-cl", "--json"], { dir: ["a"] }],
  [["search", "x", "--format", "json"], "search", ["x"], { dir: [], format: "json", json: true }],
  [["search", "x", "--json", "--format=json"], "search", ["x"], { dir: [], json: true, format: "json" }],
  [["config", "init", "--force"], "config init", [], { dir: [], force: true }],
  [["config", "check", "--json"], "config check", [], { dir: [], json: true }],
  [["config", "check", "--language", "en"], "config check", [], { dir: [], language: "en" }],
  [["config", "--language", "en", "check"], "config check", [], { dir: [], language: "en" }],
  ["config encrypt embedding.api_key -c my.yaml".split(" "), "config encrypt", ["embedding.api_key"], {
    ...{ dir: [], config: "my.yaml" },
  }],
  [["config", "decrypt", "-", "--yes"], "config decrypt", ["-"], { dir: [], yes: true }],
  ["model install zh ocr --from /usb".split(" "), "model install", ["zh", "ocr"], { dir: [], from: "/usb" }],
  [["model", "list", "--verify"], "model list", [], { dir: [], verify: true }],
];

Deno.test("parseArguments() reads commands, operands and flags", () => {
  for (const [argv, command, operands, flags] of READ) {
    deepEqual(parseArguments(argv), { command, operands, flags }, argv.join(" "));
  }
  const here = { command: "index", operands: [], flags: { dir: ["."] }, isHere: true };
  deepEqual(parseArguments(["index"]), here);
  for (const form of ["--format md --context 1", "--explain --format json", "--format text --full-text"]) {
    equal(parseArguments(["search", "x", ...form.split(" ")]).command, "search");
  }
});

const NOT_TOGETHER = (one: string, other: string) => `Options ${one} and ${other} cannot be used together`;
const NOT_HERE = (flag: string, command: string, commands: string) =>
  `Option ${flag} cannot be used with ${command}, only with ${commands}`;
const MANY_DIRS = "Only one folder can be processed at a time. Use --dir once";
const NO_QUERY = "No query given. Usage: muxue_rag search WORDS OR A QUESTION";

/** Wrong command lines and their errors. */
const REFUSED: readonly (readonly [line: string, text: string])[] = [
  // unknown flags and commands, with similar ones
  ["--ful --dir a", "Unknown option --ful. Did you mean --full?"],
  ["--gibberish", "Unknown option --gibberish"],
  ["-clean", "Unknown option -clean. Did you mean --clean?"],
  ["status --jsn", "Unknown option --jsn. Did you mean --json?"],
  ["serch word --top-k 5", "Unknown command serch. Did you mean search?"],
  [
    "frobnicate",
    "Unknown command frobnicate. The commands are: index, preview, search, ask, check-answer, why-not, serve, ui, status, verify, doctor, reembed, clean, backup, restore, export, import, eval, trace, token, extract, setup, update, uninstall, completions, licenses, model, config",
  ],
  ["config chek", "Unknown command config chek. Did you mean config check?"],
  ["help serch", "Unknown command serch. Did you mean search?"],
  ["model lst", "Unknown command model lst. Did you mean model list?"],
  [
    "model frobnicate",
    "Unknown command model frobnicate. The commands are: model install, model list, model remove",
  ],
  // a folder without a flag
  ["docs", "Use --dir to name a folder: muxue_rag --dir docs"],
  ["./docs", "Use --dir to name a folder: muxue_rag --dir ./docs"],
  // a flag of another command, at any position
  ["search word --full", NOT_HERE("--full", "search", "index")],
  ["--full search word", NOT_HERE("--full", "search", "index")],
  ["--clean --full -d a", NOT_HERE("--full", "clean", "index")],
  ["search x --files", NOT_HERE("--files", "search", "status")],
  ["search x --update", NOT_HERE("--update", "search", "serve, setup")],
  ["--update --dir a", NOT_HERE("--update", "index", "serve, setup")],
  ["serve --no-update", NOT_HERE("--no-update", "serve", "search, ask")],
  // flags that contradict each other, or need one another
  ["--clean --backup -d a", NOT_TOGETHER("--clean", "--backup")],
  ["serve --update --no-watch", NOT_TOGETHER("--update", "--no-watch")],
  ["search x --json --format md", NOT_TOGETHER("--json", "--format md")],
  ["search x --full-text --context 2", NOT_TOGETHER("--full-text", "--context")],
  ["search x --full-text --json", NOT_TOGETHER("--full-text", "--json")],
  ["search x --context 2 --format paths", NOT_TOGETHER("--context", "--format paths")],
  ["search x --explain --format md", NOT_TOGETHER("--explain", "--format md")],
  ["search x --explain --full-text", NOT_TOGETHER("--full-text", "--explain")],
  ["-bp copy.bin -d a", "Option --backup-path can only be used together with --backup"],
  ["serve --port 1", "Option --port can only be used together with --http"],
  ["serve --token-env T", "Option --token-env can only be used together with --http"],
  ["serve --http --tls-cert a", "Option --tls-cert can only be used together with --tls-key"],
  ["serve --http --tls-key a", "Option --tls-key can only be used together with --tls-cert"],
  // missing and impossible values
  ["--dir", "Option --dir needs a value"],
  ["--dir --full", "Option --dir needs a value"],
  ["--quiet=1 --dir a", "Option --quiet takes no value"],
  ["search w --top-k 0", "Invalid value 0 for --top-k. Use a whole number from 1 to 100"],
  ["serve --http --port 65536", "Invalid value 65536 for --port. Use a whole number from 0 to 65535"],
  ["search w --mode fast", "Invalid value fast for --mode. Use one of: hybrid, keyword, semantic"],
  ["search x --format xml", "Invalid value xml for --format. Use one of: text, json, paths, md"],
  ["--language fr", "Invalid value fr for --language. Use one of: zh, en"],
  // missing and surplus arguments
  ["--full", "No folder given. Name it with --dir"],
  ["--dir a --dir b", MANY_DIRS],
  ["index a --dir b", MANY_DIRS],
  ["index a b", "Too many arguments for index: a, b"],
  ["search", NO_QUERY],
  ["restore -d a", "No backup file given. Usage: muxue_rag restore FILE --dir DIR"],
  ["model remove", "No model named. Name zh, en, ocr or all"],
  ["status more words", "Too many arguments for status: more, words"],
];

Deno.test("parseArguments() refuses everything else with UsageError, and suggests what was meant", () => {
  for (const [line, text] of REFUSED) equal(errorOf(...line.split(" ")), text, line);
  equal(errorOf("search", " "), NO_QUERY);
  equal(errorOf("./my docs"), `Use --dir to name a folder: muxue_rag --dir ${shellWord("./my docs")}`);
});

Deno.test("parseArguments() returns the help on request and for an empty command line", () => {
  equal(parseArguments([]).command, "help");
  deepEqual(
    [parseArguments([]), parseArguments(["--help"])].map((it) => "asked" in it && it.asked),
    [
      false,
      true,
    ],
  );
  equal(helpOf("help", "search"), helpOf("search", "--help"));
  deepEqual(helpOf("search", "-h").split("\n").slice(0, 12), [
    "Usage: muxue_rag search <query...> [options]",
    "",
    "update the index, then search it",
    "",
    "Arguments:",
    '  query                  words or a question; also "a phrase", -without, AND OR',
    "                         NOT, and path: type: lang: tag: author: after: before:",
    "",
    "Options:",
    "  -d, --dir <dir>        a folder or collection, repeatable; default: the",
    "                         indexed folder you are in, else all",
    "  --all                  all folders indexed on this machine",
  ]);
});

Deno.test("parseArguments() shows the two-letter forms in the help", () => {
  const help = helpOf("--help");
  ok(help.includes("  -cl, --clean "), help);
  ok(help.includes("  -bp, --backup-path <path> "), help);
});

Deno.test("parseArguments() gives help in Chinese without an English word of commander's", () => {
  for (const argv of [[], ["help", "search"], ["config"], ["restore", "-h"]]) {
    const invocation = parseArguments(argv, undefined, helpIn("zh"));
    ok("text" in invocation);
    equal(
      /Usage|Options|Commands|Arguments|\[options\]|\[command\]|display help/.exec(invocation.text),
      null,
    );
  }
});

Deno.test("a command line of the usual form is read the same way without commander", () => {
  const flags = [["--dir", "docs"], ["--config", "my.yaml"], ["--update"], ["--no-watch"], ["--http"]];
  flags.push(["--port", "8080"], ["--port", "0x1"], ["--language", "zh"], ["--language", "fr"]);
  flags.push(["--quiet"], ["--full"], ["--json"], ["--all"], ["docs"], [""]);
  const resultOf = (read: () => unknown) => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return [error.key, error.params];
    }
  };
  let plain = 0;
  for (const { name } of COMMANDS) {
    for (const first of [[], ...flags]) {
      for (const second of [[], ...flags]) {
        const argv = [...name.split(" "), ...first, ...second];
        const read = resultOf(() => plainCommandLine(argv));
        if (read === undefined) continue;
        plain++;
        deepEqual(read, resultOf(() => parseArguments(argv)), argv.join(" "));
      }
    }
  }
  ok(plain > 500, `${plain}`);
  for (
    const other of ["", "--serve", "serve -d docs", "serve --dir=docs", "serve --port -1", "search tea", "-h"]
  ) {
    equal(plainCommandLine(other.split(" ")), undefined, other);
  }
});
