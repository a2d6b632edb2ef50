import { deepEqual, equal, match, throws } from "node:assert/strict";
import { parse as parseJsonc } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import fc from "fast-check";
import { type Edited, entriesIn, withEntry, withoutEntry } from "#program/commands/setup/edit_entry.ts";
import { CLIENTS, httpEntry } from "#program/commands/setup/clients.ts";
import {
  entryText,
  type Format,
  type HttpEntry,
  type ServerEntry,
} from "#program/commands/setup/server_entry.ts";
import { unifiedDiff } from "#program/commands/setup/config_file.ts";
import { UserError } from "#foundation/errors.ts";

const ENTRY: ServerEntry = { command: "C:\\Program Files\\rag.exe", args: ["serve", "--dir", "D:\\笔记"] };

function edit(text: string, format: Format = "jsonc", entry = ENTRY, servers = "mcpServers"): Edited {
  return withEntry(text, {
    path: "config",
    format,
    servers: format === "toml" ? "mcp_servers" : servers,
    name: "rag",
    entry,
  });
}

/** The texts before and after, as arrays of lines. */
function edits(format: Format, before: string[], after: string[], state: Edited["state"] = "none"): void {
  for (const eol of ["\n", "\r\n"]) {
    for (const mark of ["", "\ufeff"]) {
      deepEqual(edit(mark + before.join(eol), format), { text: mark + after.join(eol), state });
    }
  }
  const [file] = [after.join("\n")];
  deepEqual(edit(file, format), { text: file, state: "same" }, "a second time");
}

const OWN = [
  '    "rag": {',
  '      "command": "C:\\\\Program Files\\\\rag.exe",',
  '      "args": [',
  '        "serve",',
  '        "--dir",',
  '        "D:\\\\笔记"',
  "      ]",
  "    }",
];

Deno.test("an entry is added behind the other servers, and the rest stays", () => {
  edits("json", [
    "{",
    '  "globalShortcut": "",',
    '  "mcpServers": {',
    '    "files": {"command": "npx", "args": [ "-y",  "files" ]}',
    "  },",
    '  "last" : 1',
    "}",
    "",
  ], [
    "{",
    '  "globalShortcut": "",',
    '  "mcpServers": {',
    '    "files": {"command": "npx", "args": [ "-y",  "files" ]},',
    ...OWN,
    "  },",
    '  "last" : 1',
    "}",
    "",
  ]);
});

Deno.test("comments and trailing commas stay where they are", () => {
  edits("jsonc", [
    "// Zed settings",
    "{",
    '  "theme": "One Dark", // dark',
    '  "mcpServers": {',
    '    "files": { "command": "files" }, // all of them',
    "    // none yet",
    "  },",
    "}",
  ], [
    "// Zed settings",
    "{",
    '  "theme": "One Dark", // dark',
    '  "mcpServers": {',
    '    "files": { "command": "files" }, // all of them',
    ...OWN.slice(0, -1),
    "    },",
    "    // none yet",
    "  },",
    "}",
  ]);
  edits("jsonc", [
    "{",
    '  "mcpServers": {',
    '    "files": { "command": "files" } /* all */ // of them',
    "    // none yet",
    "  }",
    "}",
  ], [
    "{",
    '  "mcpServers": {',
    '    "files": { "command": "files" }, /* all */ // of them',
    ...OWN,
    "    // none yet",
    "  }",
    "}",
  ]);
  edits("jsonc", [
    "{",
    '  "mcpServers": { // none yet',
    "    // soon",
    "  }",
    "}",
  ], [
    "{",
    '  "mcpServers": { // none yet',
    ...OWN,
    "    // soon",
    "  }",
    "}",
  ]);
});

Deno.test("a missing object of servers is added", () => {
  const tabbed = OWN.map((line) => line.replace(/^ +/, (blanks) => "\t".repeat(blanks.length / 2)));
  edits("jsonc", ["{", '\t"theme": "One Dark"', "}"], [
    "{",
    '\t"theme": "One Dark",',
    '\t"mcpServers": {',
    ...tabbed,
    "\t}",
    "}",
  ]);
  const file = ["{", '  "mcpServers": {', ...OWN, "  }", "}"];
  edits("json", ["{", "}", ""], [...file, ""]);
  edits("json", ["{", '  "mcpServers": {}', "}"], file);
  edits("json", ["{", '  "mcpServers": { }', "}"], file);
  for (const empty of ["", " ", "\n", "{}", "{ }"]) {
    const end = empty.startsWith("{") ? "" : "\n";
    deepEqual(edit(empty, "json"), { text: file.join("\n") + end, state: "none" }, JSON.stringify(empty));
  }
  deepEqual(edit("// mine", "jsonc"), { text: `// mine\n${file.join("\n")}\n`, state: "none" });
});

Deno.test("a file of one line stays on one line", () => {
  const own = '"rag":{"command":"c","args":[]}'.replace(":", ": ");
  const entry = { command: "c", args: [] };
  equal(
    edit('{"mcpServers":{"a":{"command":"x"}},"b":[1,2]}', "json", entry).text,
    `{"mcpServers":{"a":{"command":"x"}, ${own}},"b":[1,2]}`,
  );
  equal(edit('{"b":[1,2]}', "json", entry).text, `{"b":[1,2], "mcpServers": {${own.replace(": ", ":")}}}`);
  equal(
    edit('{"mcpServers":{"rag":{"command":"x","args":[1]}}}', "json", entry).text,
    '{"mcpServers":{"rag":{"command":"c","args":[]}}}',
  );
});

Deno.test("an entry of another program is updated and keeps its other settings", () => {
  edits("jsonc", [
    "{",
    '  "mcpServers": {',
    '    "rag": {',
    '      "command": "old", // the old one',
    '      "env": { "A": "1" },',
    '      "disabled": false',
    "    },",
    '    "b": {}',
    "  }",
    "}",
  ], [
    "{",
    '  "mcpServers": {',
    '    "rag": {',
    '      "command": "C:\\\\Program Files\\\\rag.exe", // the old one',
    '      "env": { "A": "1" },',
    '      "disabled": false,',
    '      "args": [',
    '        "serve",',
    '        "--dir",',
    '        "D:\\\\笔记"',
    "      ]",
    "    },",
    '    "b": {}',
    "  }",
    "}",
  ], "other");
});

Deno.test("an entry with a server's address is replaced as a whole", () => {
  edits(
    "json",
    [
      "{",
      '  "mcpServers": {',
      '    "rag": {"url": "http://localhost:8000", "headers": {}}',
      "  }",
      "}",
    ],
    ["{", '  "mcpServers": {', ...OWN, "  }", "}"],
    "other",
  );
});

const TABLE = [
  "[mcp_servers.rag]",
  'command = "C:\\\\Program Files\\\\rag.exe"',
  'args = [ "serve", "--dir", "D:\\\\笔记" ]',
];

Deno.test("a table is added at the end of a TOML file, and the rest stays", () => {
  const before = [
    'model = "o3" # the model',
    "",
    "[mcp_servers.files]",
    "command = 'files'",
    "args = [",
    '  "a", # [mcp_servers.rag]',
    "]",
    'env = { "A" = "1" }',
    "",
    "[projects.'/home/me/a b']",
    'trust_level = "trusted"',
    "",
  ];
  edits("toml", before, [...before, ...TABLE, ""]);
  equal(edit("a = 1", "toml").text, `a = 1\n\n${TABLE.join("\n")}\n`);
  for (const empty of ["", "\n", "\r\n \r\n"]) {
    equal(
      edit(empty, "toml").text,
      TABLE.join(empty.includes("\r") ? "\r\n" : "\n") + (empty.includes("\r") ? "\r\n" : "\n"),
    );
  }
});

Deno.test("a TOML table gets the command and arguments and keeps its other settings", () => {
  edits("toml", [
    'note = """',
    "[mcp_servers.rag]",
    'command = \\"none\\" """',
    "[ mcp_servers . 'rag' ] # ours",
    "  startup_timeout_sec = 20 # long",
    "  command = 'old' # the old one",
    "# the end",
    "",
    "[mcp_servers.rag.env]",
    'A = "]"',
    "[[other]]",
    "args = [1]",
  ], [
    'note = """',
    "[mcp_servers.rag]",
    'command = \\"none\\" """',
    "[ mcp_servers . 'rag' ] # ours",
    "  startup_timeout_sec = 20 # long",
    '  command = "C:\\\\Program Files\\\\rag.exe" # the old one',
    '  args = [ "serve", "--dir", "D:\\\\笔记" ]',
    "# the end",
    "",
    "[mcp_servers.rag.env]",
    'A = "]"',
    "[[other]]",
    "args = [1]",
  ], "other");
  edits("toml", ["[mcp_servers.rag]", "args = [", '  "old",', "] # old", 'command = "c"'], [
    "[mcp_servers.rag]",
    'args = [ "serve", "--dir", "D:\\\\笔记" ] # old',
    'command = "C:\\\\Program Files\\\\rag.exe"',
  ], "other");
  edits(
    "toml",
    ["a = 1", "[mcp_servers.rag]", 'url = "http://x"', "", "[b]"],
    ["a = 1", ...TABLE, "", "[b]"],
    "other",
  );
});

const WITH_ENV: ServerEntry = { command: "rag", args: ["serve"], env: { A: "1", B: "C:\\b" } };

Deno.test("variables of an entry's environment are set beside the present ones", () => {
  const state = (text: string, format: Format) => edit(text, format, WITH_ENV);
  deepEqual(
    state(
      '{\n  "mcpServers": {\n    "rag": {\n      "env": {\n        "B": "old", // b\n        "C": "c"\n      }\n    }\n  }\n}',
      "jsonc",
    ),
    {
      text: [
        "{",
        '  "mcpServers": {',
        '    "rag": {',
        '      "env": {',
        '        "B": "C:\\\\b", // b',
        '        "C": "c",',
        '        "A": "1"',
        "      },",
        '      "command": "rag",',
        '      "args": [',
        '        "serve"',
        "      ]",
        "    }",
        "  }",
        "}",
      ].join("\n"),
      state: "other",
    },
  );
  const present = { command: "rag", args: ["serve"], env: { B: "C:\\b", A: "1", C: "c" }, disabled: true };
  const same = JSON.stringify({ mcpServers: { rag: present } });
  deepEqual(state(same, "json"), { text: same, state: "same" });
  equal(JSON.parse(state('{"mcpServers":{"rag":{"env":null}}}', "json").text).mcpServers.rag.env.A, "1");
});

Deno.test("variables of an entry's environment are set in every notation of TOML", () => {
  const all = ['command = "rag"', 'args = [ "serve" ]'];
  const after = (...lines: string[]) => edit(lines.join("\n"), "toml", WITH_ENV).text.split("\n");
  deepEqual(after(""), [
    "[mcp_servers.rag]",
    ...all,
    "",
    "[mcp_servers.rag.env]",
    'A = "1"',
    'B = "C:\\\\b"',
    "",
  ]);
  deepEqual(after("[mcp_servers.rag]", ...all, "# end"), [
    "[mcp_servers.rag]",
    ...all,
    'env = { A = "1", B = "C:\\\\b" }',
    "# end",
  ]);
  deepEqual(after("[mcp_servers.rag]", "env = { C = 'c', \"A\" = '0' } # mine", ...all), [
    "[mcp_servers.rag]",
    'env = { C = "c", A = "1", B = "C:\\\\b" } # mine',
    ...all,
  ]);
  deepEqual(after("[mcp_servers.rag]", 'env.C = "c"', ...all), [
    "[mcp_servers.rag]",
    'env = { C = "c", A = "1", B = "C:\\\\b" }',
    ...all,
  ]);
  deepEqual(after("[mcp_servers.rag]", ...all, "", "[mcp_servers.rag.env] # mine", "B = '' # b", "[other]"), [
    "[mcp_servers.rag]",
    ...all,
    "",
    "[mcp_servers.rag.env] # mine",
    'B = "C:\\\\b" # b',
    'A = "1"',
    "[other]",
  ]);
  deepEqual(after("[mcp_servers.rag.env]", 'C = "c"', "[other]", ""), [
    "[mcp_servers.rag.env]",
    'C = "c"',
    'A = "1"',
    'B = "C:\\\\b"',
    "[other]",
    "",
    "[mcp_servers.rag]",
    ...all,
    "",
  ]);
  throws(
    () => after("[mcp_servers.rag]", 'env.C = "c"', 'env.D = "d"', ...all),
    (error) => error instanceof UserError && error.key === "cli_setup_not_editable",
  );
});

Deno.test("a text that is not valid is refused with line and column", () => {
  const cases: [Format, string, string][] = [
    [
      "json",
      '{\n  "a": 1,\n}',
      "config:3:1 is not valid JSON (property name expected), so nothing was changed. Correct it first",
    ],
    [
      "json",
      '{ "a": 1 } // b',
      "config:1:12 is a comment, and this client's file should be JSON without comments, so nothing was changed. Remove it first",
    ],
    [
      "jsonc",
      '{\r\n  "a" 1 }',
      "config:2:7 is not valid JSON (colon expected), so nothing was changed. Correct it first",
    ],
    [
      "jsonc",
      '{ "a": 1',
      "config:1:9 is not valid JSON (close brace expected), so nothing was changed. Correct it first",
    ],
    [
      "toml",
      "a = 1\nb = = 2\n",
      "config:2:5 is not valid TOML (invalid value), so nothing was changed. Correct it first",
    ],
  ];
  for (const [format, text, expected] of cases) {
    throws(
      () => edit(text, format),
      (error) => error instanceof UserError && error.message === expected,
      text,
    );
  }
});

Deno.test("a text that has no separate table for the entry is not changed", () => {
  const cases: [Format, string][] = [
    ["json", "[]"],
    ["json", "null"],
    ["json", '"text"'],
    ["json", '{"mcpServers": []}'],
    ["json", '{"mcpServers": null}'],
    ["json", '{"mcpServers": {}, "mcpServers": {"a": {}}}'],
    ["json", '{"mcpServers": {"rag": {}, "rag": {"disabled": true}}}'],
    ["toml", 'mcp_servers = { rag = { command = "old" } }'],
    ["toml", 'mcp_servers = { files = { command = "files" } }'],
    ["toml", 'mcp_servers.rag.command = "old"'],
    ["toml", '[mcp_servers]\nrag = { command = "old" }'],
    ["toml", '[mcp_servers.rag]\nurl = "http://x"\n[mcp_servers.rag.http_headers]\nA = "1"'],
    ["toml", "mcp_servers = 1"],
  ];
  for (const [format, text] of cases) {
    throws(
      () => edit(text, format),
      (error) => error instanceof UserError && error.key === "cli_setup_not_editable",
      text,
    );
  }
});

Deno.test("a separate table of servers and sub-tables of an entry allow a new table in TOML", () => {
  edits("toml", ["[mcp_servers]", 'files = { command = "files" }', ""], [
    "[mcp_servers]",
    'files = { command = "files" }',
    "",
    ...TABLE,
    "",
  ]);
  equal(
    edit('[mcp_servers.rag.env]\nA = "1"\n', "toml").text,
    `[mcp_servers.rag.env]\nA = "1"\n\n${TABLE.join("\n")}\n`,
  );
});

Deno.test("in any JSON the entry is added and nothing else is changed", () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const content = fc.record({
    before: value,
    mcpServers: fc.option(
      fc.dictionary(fc.constantFrom("a", "b", "rag"), fc.record({ command: fc.string(), env: value })),
    ),
    after: value,
  }, { requiredKeys: [] }).filter(({ mcpServers }) => mcpServers !== null);
  fc.assert(fc.property(content, fc.constantFrom("", "  ", "\t"), (found, unit) => {
    const text = JSON.stringify(found, null, unit);
    const { text: after } = edit(text, "json");
    const plain = JSON.parse(text);
    const servers = plain.mcpServers ?? {};
    deepEqual(JSON.parse(after), {
      ...plain,
      mcpServers: { ...servers, rag: { ...servers.rag, ...ENTRY } },
    });
  }));
});

Deno.test("the text to paste is a complete file", () => {
  const toPaste = (format: Format) => entryText({ format, servers: "s" }, "rag", ENTRY);
  deepEqual(parseJsonc(toPaste("json")), { s: { rag: ENTRY } });
  deepEqual(JSON.stringify(parseToml(toPaste("toml"))), JSON.stringify({ s: { rag: ENTRY } }));
  equal(toPaste("toml"), `${TABLE.join("\n").replace("mcp_servers", "s")}\n`);
});

Deno.test("unifiedDiff() shows a change with three lines around it", () => {
  const lines = (diff: ReturnType<typeof unifiedDiff>) => diff.map(({ text }) => text);
  deepEqual(lines(unifiedDiff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\ny\n6\n7\n8\n9\n", "f")), [
    "--- f",
    "+++ f",
    "@@ -2,7 +2,8 @@",
    " 2",
    " 3",
    " 4",
    "-5",
    "+x",
    "+y",
    " 6",
    " 7",
    " 8",
  ]);
  deepEqual(lines(unifiedDiff("a\r\n", "a\r\nb\r\n", "f")), [
    "--- f",
    "+++ f",
    "@@ -1,1 +1,2 @@",
    " a",
    "+b",
  ]);
  deepEqual(lines(unifiedDiff("", "a\n", "f")), ["--- /dev/null", "+++ f", "@@ -0,0 +1,1 @@", "+a"]);
  deepEqual(unifiedDiff("a", "a", "f"), []);
});

function removed(text: string, format: Format = "jsonc"): string {
  const servers = format === "toml" ? "mcp_servers" : "mcpServers";
  return withoutEntry(text, { path: "file", format, servers, name: "muxue_rag" });
}

const OURS = `"muxue_rag": { "command": "muxue_rag", "args": ["serve"] }`;
const OTHER = `"other": { "command": "x" }`;

Deno.test("withoutEntry() takes an entry out of JSON and leaves the rest to the byte", () => {
  equal(removed(`{ "mcpServers": { ${OURS} } }`), `{ "mcpServers": {} }`);
  equal(
    removed(`{\n  "mcpServers": {\n    ${OURS},\n    ${OTHER}\n  }\n}\n`),
    `{\n  "mcpServers": {\n    ${OTHER}\n  }\n}\n`,
  );
  equal(
    removed(`{\n  "mcpServers": {\n    ${OTHER},\n    ${OURS}\n  }\n}\n`),
    `{\n  "mcpServers": {\n    ${OTHER}\n  }\n}\n`,
  );
  equal(
    removed(`{\r\n  // theirs\r\n  "a": [1,2],\r\n  "mcpServers": { ${OTHER}, ${OURS}, },\r\n}`),
    `{\r\n  // theirs\r\n  "a": [1,2],\r\n  "mcpServers": { ${OTHER}, },\r\n}`,
  );
});

Deno.test("withoutEntry() leaves the comments around an entry", () => {
  equal(
    removed(`{ "mcpServers": {\n  ${OURS} /* a, b */, // ours\n  // theirs\n  ${OTHER}\n} }`),
    `{ "mcpServers": {\n   /* a, b */ // ours\n  // theirs\n  ${OTHER}\n} }`,
  );
  equal(
    removed(`{ "mcpServers": {\n  ${OTHER}, // theirs\n  // ours\n  ${OURS}\n} }`),
    `{ "mcpServers": {\n  ${OTHER} // theirs\n  // ours\n} }`,
  );
  equal(
    removed(`{ "mcpServers": {\n  // servers\n  ${OURS},\n} }`),
    `{ "mcpServers": {\n  // servers\n} }`,
  );
});

Deno.test("withoutEntry() takes a table and the tables in it out of TOML", () => {
  const ours =
    `[mcp_servers.muxue_rag]\ncommand = "muxue_rag"\nargs = ["serve"]\n\n[mcp_servers.muxue_rag.env]\nA = "1"\n`;
  const before = `model = "m"\n\n[mcp_servers.other]\ncommand = "x"\n`;
  const after = `[profiles.a] # mine\nmodel = "n"\n`;
  equal(removed(`${before}\n${ours}`, "toml"), before);
  equal(removed(`${before}\n${ours}`.replaceAll("\n", "\r\n"), "toml"), before.replaceAll("\n", "\r\n"));
  equal(removed(`${before}\n${ours}\n${after}`, "toml"), `${before}\n${after}`);
  equal(removed(`${ours}`, "toml"), "");
});

Deno.test("withoutEntry() refuses an entry in a notation that it cannot take out alone", () => {
  throws(() => removed(`mcp_servers = { muxue_rag = { command = "x" } }\n`, "toml"), {
    key: "cli_setup_not_editable",
  });
  throws(() => removed("{"), { key: "cli_setup_invalid" });
});

Deno.test("entriesIn() gives no entries of a file that cannot be parsed", () => {
  equal(entriesIn("{", { path: "file", format: "json", servers: "mcpServers" }).length, 0);
  equal(
    entriesIn(`{ "mcpServers": { ${OTHER} } }`, { path: "file", format: "json", servers: "mcpServers" })
      .length,
    1,
  );
});

const URL = "http://127.0.0.1:7368/mcp";

/** The entry of each client, or the key of its error. */
function entries(tokenEnv: string | undefined): Record<string, HttpEntry | string> {
  return Object.fromEntries(CLIENTS.map((client) => {
    try {
      return [client.id, httpEntry(client, URL, tokenEnv)];
    } catch (error) {
      return [client.id, error instanceof UserError ? error.key : (error as { key: string }).key];
    }
  }));
}

Deno.test("every client's entry of a server over HTTP", () => {
  deepEqual(entries(undefined), {
    "claude-desktop": "cli_setup_no_http",
    "claude-code": { type: "http", url: URL },
    "cursor": { url: URL },
    "vscode": { type: "http", url: URL },
    "windsurf": { serverUrl: URL },
    "cline": { type: "streamableHttp", url: URL },
    "zed": { url: URL },
    "codex": { url: URL },
    "gemini-cli": { httpUrl: URL },
    "qwen-code": { httpUrl: URL },
    "kimi": { url: URL },
    "continue": { type: "http", url: URL },
    "lm-studio": { url: URL },
    "cherry-studio": { type: "streamableHttp", url: URL },
    "trae": { url: URL },
  });
});

Deno.test("every client's entry names the variable with the token, and holds no token", () => {
  const bearer = (reference: string) => ({ Authorization: `Bearer ${reference}` });
  deepEqual(entries("MY_TOKEN"), {
    "claude-desktop": "cli_setup_no_http",
    "claude-code": { type: "http", url: URL, headers: bearer("${MY_TOKEN}") },
    "cursor": { url: URL, headers: bearer("${env:MY_TOKEN}") },
    "vscode": { type: "http", url: URL, headers: bearer("${env:MY_TOKEN}") },
    "windsurf": { serverUrl: URL, headers: bearer("${env:MY_TOKEN}") },
    "cline": "cli_setup_no_token_env",
    "zed": "cli_setup_no_token_env",
    "codex": { url: URL, bearer_token_env_var: "MY_TOKEN" },
    "gemini-cli": { httpUrl: URL, headers: bearer("${MY_TOKEN}") },
    "qwen-code": { httpUrl: URL, headers: bearer("${MY_TOKEN}") },
    "kimi": { url: URL, bearerTokenEnvVar: "MY_TOKEN" },
    "continue": "cli_setup_no_token_env",
    "lm-studio": "cli_setup_no_token_env",
    "cherry-studio": "cli_setup_no_token_env",
    "trae": "cli_setup_no_token_env",
  });
});

Deno.test("an address and a command replace each other, and the rest of the file stays", () => {
  const json = { path: "x", format: "jsonc", servers: "mcpServers", name: "rag" } as const;
  const text =
    '{\n  // mine\n  "mcpServers": {\n    "rag": { "command": "x", "args": [], "env": { "A": "1" } }\n  }\n}\n';
  const entry = { url: URL };
  const edited = withEntry(text, { ...json, entry });
  deepEqual([edited.state, edited.text.includes("// mine"), edited.text.includes("command")], [
    "other",
    true,
    false,
  ]);
  equal(withEntry(edited.text, { ...json, entry }).state, "same");
  const back = withEntry(edited.text, { ...json, entry: { command: "x", args: ["serve"] } });
  deepEqual([back.state, back.text.includes(URL)], ["other", false]);

  const toml = { path: "x", format: "toml", servers: "mcp_servers", name: "rag" } as const;
  const before = '# mine\n[mcp_servers.rag]\ncommand = "x"\nargs = []\n\n[other]\na = 1\n';
  const codex = { url: URL, "bearer_token_env_var": "T" };
  const after = withEntry(before, { ...toml, entry: codex }).text;
  equal(
    after,
    `# mine\n[mcp_servers.rag]\nurl = "${URL}"\nbearer_token_env_var = "T"\n\n[other]\na = 1\n`,
  );
  match(withEntry("a = 1\n", { ...toml, entry: codex }).text, /^a = 1\n\n\[mcp_servers\.rag\]\nurl = /);
});
