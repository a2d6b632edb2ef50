import { deepEqual, doesNotThrow, equal, ok, throws } from "node:assert/strict";
import { UsageError } from "#foundation/errors.ts";
import { message, shellWord } from "#foundation/messages/mod.ts";
import { COMMANDS } from "#program/commands/declarations.ts";
import { helpIn } from "#program/help.ts";
import { plainCommandLine } from "#program/plain_line.ts";
import { parseArguments } from "#program/parse.ts";
import type { CommandLine } from "#program/request.ts";

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

Deno.test("parseArguments() chooses index for --dir without a command", () => {
  deepEqual(parseArguments(["--dir", "docs", "--full", "--json", "--quiet"]), {
    command: "index",
    operands: [],
    flags: { dir: ["docs"], full: true, json: true, quiet: true },
  });
});

Deno.test("parseArguments() takes a folder after index, and the working folder without one", () => {
  const dirOf = (...argv: string[]) => (parseArguments(argv) as CommandLine).flags.dir;
  deepEqual(dirOf("index"), ["."]);
  deepEqual(dirOf("index", "notes"), ["notes"]);
  deepEqual(dirOf("index", "--dir", "notes", "--full"), ["notes"]);
  equal(errorOf("index", "a", "b"), "Too many arguments for index: a, b");
  equal(errorOf("index", "a", "--dir", "b"), "Only one folder can be processed at a time. Use --dir once");
});

Deno.test("parseArguments() takes -word in a search as a word to exclude, at any position", () => {
  deepEqual(
    parseArguments(["search", "keys", "-draft", '-"old notes"', "--top-k", "3", "-d", "docs", "-草稿"]),
    {
      command: "search",
      operands: ["keys", "-draft", '-"old notes"', "-草稿"],
      flags: { dir: ["docs"], topK: 3 },
    },
  );
  deepEqual(parseArguments(["search", "-draft keys", "--", "-d"]), {
    command: "search",
    operands: ["-draft keys", "-d"],
    flags: { dir: [] },
  });
  deepEqual(parseArguments(["search", "keys", "-d=docs", "-d/notes", "-d", "-odd"]).command, "search");
});

Deno.test("parseArguments() accepts --files, --skipped and --failed only with status", () => {
  deepEqual(parseArguments(["status", "--files", "--skipped", "--failed", "-d", "docs"]), {
    command: "status",
    operands: [],
    flags: { dir: ["docs"], files: true, skipped: true, failed: true },
  });
  equal(
    errorOf("search", "x", "--files"),
    "Option --files cannot be used with search, only with status",
  );
});

Deno.test("parseArguments() reads the one- and two-letter short forms", () => {
  deepEqual(parseArguments(["-d", "docs", "-c", "my.yaml", "-cl"]), {
    command: "clean",
    operands: [],
    flags: { dir: ["docs"], config: "my.yaml", clean: true },
  });
  for (const path of [["-bp", "copy.bin"], ["-bp=copy.bin"], ["--backup-path=copy.bin"]]) {
    deepEqual(parseArguments(["-b", ...path, "-d", "docs"]), {
      command: "backup",
      operands: [],
      flags: { dir: ["docs"], backup: true, backupPath: "copy.bin" },
    });
  }
  equal(parseArguments(["-v"]).command, "version");
  equal(parseArguments(["-h"]).command, "help");
});

Deno.test("parseArguments() reads the flags that choose a command", () => {
  deepEqual(parseArguments(["--serve"]), {
    command: "serve",
    operands: [],
    flags: { dir: [], serve: true },
  });
  equal(parseArguments(["--backup", "-d", "docs"]).command, "backup");
  equal(parseArguments(["--clean", "-d", "docs"]).command, "clean");
});

Deno.test("parseArguments() takes the arguments of serve as folders", () => {
  deepEqual(parseArguments(["serve", "--dir", "a", "b", "-d", "c", "d"]), {
    command: "serve",
    operands: [],
    flags: { dir: ["a", "c", "b", "d"] },
  });
});

Deno.test("parseArguments() accepts --update and --no-watch with serve and setup, and --no-update with search", () => {
  const served = { command: "serve", operands: [], flags: { dir: ["a"], update: true } };
  deepEqual(parseArguments(["serve", "--update", "a"]), served);
  deepEqual(parseArguments(["--serve", "--dir", "a", "--update"]), {
    ...served,
    flags: { ...served.flags, serve: true },
  });
  equal(parseArguments(["setup", "cursor", "--update"]).command, "setup");
  deepEqual(parseArguments(["serve", "--no-watch", "a"]), {
    ...served,
    flags: { dir: ["a"], noWatch: true },
  });
  equal(
    errorOf("serve", "--update", "--no-watch"),
    "Options --update and --no-watch cannot be used together",
  );
  equal(
    errorOf("search", "x", "--update"),
    "Option --update cannot be used with search, only with serve, setup",
  );
  equal(
    errorOf("--update", "--dir", "a"),
    "Option --update cannot be used with index, only with serve, setup",
  );
  equal(errorOf("serve", "--no-update"), "Option --no-update cannot be used with serve, only with search");
});

Deno.test("parseArguments() joins flags before and after a command, and keeps a query's words", () => {
  deepEqual(
    parseArguments(["--dir", "a", "search", "两个", "words", "-d", "b", "--top-k", "5", "--no-update"]),
    { command: "search", operands: ["两个", "words"], flags: { dir: ["a", "b"], topK: 5, noUpdate: true } },
  );
  deepEqual(parseArguments(["search", "-d", "a", "--", "-cl", "--json"]), {
    command: "search",
    operands: ["-cl", "--json"],
    flags: { dir: ["a"] },
  });
});

Deno.test("parseArguments() reads the commands of config", () => {
  deepEqual(parseArguments(["config", "init", "--force"]), {
    command: "config init",
    operands: [],
    flags: { dir: [], force: true },
  });
  equal(parseArguments(["config", "check", "--json"]).command, "config check");
  deepEqual(parseArguments(["config", "encrypt", "embedding.api_key", "-c", "my.yaml"]), {
    command: "config encrypt",
    operands: ["embedding.api_key"],
    flags: { dir: [], config: "my.yaml" },
  });
  deepEqual(parseArguments(["config", "decrypt", "-", "--yes"]), {
    command: "config decrypt",
    operands: ["-"],
    flags: { dir: [], yes: true },
  });
});

Deno.test("parseArguments() reads the commands of model", () => {
  deepEqual(parseArguments(["model", "install", "zh", "ocr", "--from", "/usb"]), {
    command: "model install",
    operands: ["zh", "ocr"],
    flags: { dir: [], from: "/usb" },
  });
  equal(parseArguments(["model", "list", "--verify"]).command, "model list");
  equal(errorOf("model", "remove"), "No model named. Name zh, en, ocr or all");
  equal(errorOf("model", "lst"), "Unknown command model lst. Did you mean model list?");
  equal(
    errorOf("model", "frobnicate"),
    "Unknown command model frobnicate. The commands are: model install, model list, model remove",
  );
});

Deno.test("parseArguments() refuses unknown flags and commands, and suggests similar ones", () => {
  equal(errorOf("--ful", "--dir", "a"), "Unknown option --ful. Did you mean --full?");
  equal(errorOf("--nonsense"), "Unknown option --nonsense");
  equal(errorOf("-clean"), "Unknown option -clean. Did you mean --clean?");
  equal(errorOf("status", "--jsn"), "Unknown option --jsn. Did you mean --json?");
  equal(errorOf("serch", "word", "--top-k", "5"), "Unknown command serch. Did you mean search?");
  equal(
    errorOf("frobnicate"),
    "Unknown command frobnicate. The commands are: index, search, serve, status, verify, doctor, reembed, clean, backup, restore, eval, extract, setup, uninstall, completions, licenses, model, config",
  );
  equal(errorOf("config", "chek"), "Unknown command config chek. Did you mean config check?");
  equal(errorOf("help", "serch"), "Unknown command serch. Did you mean search?");
});

Deno.test("parseArguments() suggests --dir for a folder without a flag", () => {
  equal(errorOf("docs"), "Use --dir to name a folder: muxue_rag --dir docs");
  equal(errorOf("./my docs"), `Use --dir to name a folder: muxue_rag --dir ${shellWord("./my docs")}`);
});

Deno.test("parseArguments() refuses a flag of another command, at any position", () => {
  const text = "Option --full cannot be used with search, only with index";
  equal(errorOf("search", "word", "--full"), text);
  equal(errorOf("--full", "search", "word"), text);
  equal(
    errorOf("--clean", "--full", "-d", "a"),
    "Option --full cannot be used with clean, only with index",
  );
  equal(errorOf("--clean", "--backup", "-d", "a"), "Options --clean and --backup cannot be used together");
  equal(
    errorOf("-bp", "copy.bin", "-d", "a"),
    "Option --backup-path can only be used together with --backup",
  );
});

Deno.test("parseArguments() refuses missing and impossible values", () => {
  equal(errorOf("--dir"), "Option --dir needs a value");
  equal(errorOf("--dir", "--full"), "Option --dir needs a value");
  equal(errorOf("--quiet=1", "--dir", "a"), "Option --quiet takes no value");
  equal(
    errorOf("search", "w", "--top-k", "0"),
    "Invalid value 0 for --top-k. Use a whole number from 1 to 100",
  );
  equal(
    errorOf("search", "w", "--mode", "fast"),
    "Invalid value fast for --mode. Use one of: hybrid, keyword, semantic",
  );
  equal(errorOf("--language", "fr"), "Invalid value fr for --language. Use one of: zh, en");
});

Deno.test("parseArguments() refuses missing and surplus arguments", () => {
  equal(errorOf("--full"), "No folder given. Name it with --dir");
  equal(errorOf("--dir", "a", "--dir", "b"), "Only one folder can be processed at a time. Use --dir once");
  equal(errorOf("search"), "No query given. Usage: muxue_rag search WORDS OR A QUESTION");
  equal(errorOf("search", " "), "No query given. Usage: muxue_rag search WORDS OR A QUESTION");
  equal(errorOf("restore", "-d", "a"), "No backup file given. Usage: muxue_rag restore FILE --dir DIR");
  equal(errorOf("status", "more", "words"), "Too many arguments for status: more, words");
});

Deno.test("parseArguments() throws UsageError only", () => {
  throws(() => parseArguments(["--nonsense"]), UsageError);
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
    '  query                  words or a question; also "a phrase", -without, and',
    "                         path: type: lang: after: before:",
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

Deno.test("parseArguments() takes --format json for --json", () => {
  deepEqual((parseArguments(["search", "x", "--format", "json"]) as CommandLine).flags, {
    dir: [],
    format: "json",
    json: true,
  });
  deepEqual((parseArguments(["search", "x", "--json", "--format=json"]) as CommandLine).flags, {
    dir: [],
    json: true,
    format: "json",
  });
});

Deno.test("parseArguments() refuses forms of hits that contradict each other", () => {
  const conflict = (one: string, other: string) => `Options ${one} and ${other} cannot be used together`;
  deepEqual(
    [
      errorOf("search", "x", "--json", "--format", "md"),
      errorOf("search", "x", "--full-text", "--context", "2"),
      errorOf("search", "x", "--full-text", "--json"),
      errorOf("search", "x", "--context", "2", "--format", "paths"),
      errorOf("search", "x", "--explain", "--format", "md"),
      errorOf("search", "x", "--explain", "--full-text"),
      errorOf("search", "x", "--format", "xml"),
    ],
    [
      conflict("--json", "--format md"),
      conflict("--full-text", "--context"),
      conflict("--full-text", "--json"),
      conflict("--context", "--format paths"),
      conflict("--explain", "--format md"),
      conflict("--full-text", "--explain"),
      "Invalid value xml for --format. Use one of: text, json, paths, md",
    ],
  );
  for (
    const flags of [["--format", "md", "--context", "1"], ["--explain", "--format", "json"], [
      "--format",
      "text",
      "--full-text",
    ]]
  ) {
    doesNotThrow(() => parseArguments(["search", "x", ...flags]));
  }
});

Deno.test("parseArguments() takes --language before and after the command of config", () => {
  const flags = { dir: [], language: "en" };
  deepEqual((parseArguments(["config", "check", "--language", "en"]) as CommandLine).flags, flags);
  deepEqual((parseArguments(["config", "--language", "en", "check"]) as CommandLine).flags, flags);
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
