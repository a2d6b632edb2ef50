import { deepEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { run } from "#program/mod.ts";
import { shellWord } from "#foundation/messages/mod.ts";
import { fakeContext } from "../program/_fake_io.ts";
import { EmbeddingServer } from "../models/embedding/_embedding_server.ts";
import { openPipe, search } from "./_mcp_pipe.ts";
import {
  type Ended,
  hasTerminal,
  makeSandbox,
  type Sandbox,
  type Setting,
  spawnIn,
  writeFiles,
} from "./_program.ts";

/** A secret that matches no pattern of the log, and that every kind of quoting changes. */
const SECRET = 'Zq7"x\\odd%2F+key/=&9f3c1';

const EN = { env: { MUXUE_RAG_LANGUAGE: "en" } };

const ignore = !await hasTerminal();

/** `SECRET` unchanged, and in the encodings that programs use for texts. */
function formsOfSecret(): string[] {
  const json = JSON.stringify(SECRET).slice(1, -1);
  const bytes = new TextEncoder().encode(SECRET);
  return [
    SECRET,
    json,
    JSON.stringify(json).slice(1, -1),
    encodeURIComponent(SECRET),
    encodeURI(SECRET),
    SECRET.replaceAll("&", "&amp;").replaceAll('"', "&quot;"),
    bytes.toHex(),
    // The base64 forms for each alignment: the letters in the middle are one of these.
    ...[0, 1, 2].map((shift) => Uint8Array.of(...new Uint8Array(shift), ...bytes).toBase64().slice(4, -4)),
    // Most of the secret.
    SECRET.slice(0, 12),
    SECRET.slice(-12),
  ];
}

/** Returns whether a text or the bytes of a file contain the secret, in any form, also in UTF-16. */
function holdsSecret(content: string | Uint8Array): boolean {
  const text = typeof content === "string" ? content : new TextDecoder("latin1").decode(content);
  const wide = text.replaceAll("\0", "");
  return formsOfSecret().some((form) => text.includes(form) || wide.includes(form));
}

function filesBelow(dir: string): string[] {
  return [...Deno.readDirSync(dir)].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesBelow(join(dir, name)) : [join(dir, name)]
  );
}

function filesWithSecret(dir: string): string[] {
  return filesBelow(dir).filter((path) => holdsSecret(Deno.readFileSync(path)));
}

async function encrypted(place: Sandbox, env: Setting["env"] = {}): Promise<string> {
  const { code, stdout, stderr } = await place.runIn({ stdin: `${SECRET}\n`, env })`config encrypt --quiet`;
  deepEqual([code, stderr], [0, ""]);
  return stdout.trimEnd();
}

Deno.test("config encrypt reads a key from stdin and prints it encrypted, and config decrypt restores it", async () => {
  await using place = await makeSandbox({}, EN);
  const keyFile = join(place.cwd, "config", "secret.key");
  const first = await place.runIn({ stdin: `  ${SECRET}\r\nrest` })`config encrypt`;
  match(first.stdout, /^enc:v1:[\w-]+\n$/);
  equal(
    first.stderr,
    `Encrypted with a new key file, ${keyFile}. Nothing can be decrypted without it. Do not store or share it together with the configuration\n`,
  );
  const second = await place.runIn({ stdin: SECRET })`config encrypt`;
  equal(second.stderr, `Encrypted with the key file ${keyFile}\n`);
  const text = first.stdout.trimEnd();
  for (const [arg, stdin] of [[text, undefined], ["-", `${text}\n`]] as const) {
    const run = place.runIn({ stdin });
    const asked = await run`config decrypt ${arg}`;
    deepEqual([asked.code, asked.stdout], [2, ""]);
    match(asked.stderr, /There is no terminal to ask for confirmation/);
    deepEqual(await run`config decrypt ${arg} --yes`, { code: 0, stdout: `${SECRET}\n`, stderr: "" });
  }
});

Deno.test("config encrypt refuses a key on the command line and does not repeat it", async () => {
  await using place = await makeSandbox({}, EN);
  for (const command of ["encrypt", "decrypt"]) {
    for (const arg of [SECRET, "sk-12345678", "embedding.model", "llm.api_key"]) {
      const { code, stdout, stderr } = await place.run`config ${command} ${arg}`;
      deepEqual([code, stdout, stderr.includes(arg)], [2, "", false], stderr);
      match(stderr, /embedding\.api_key/);
    }
  }
  const two = await place.run`config encrypt embedding.api_key ${SECRET}`;
  deepEqual([two.code, holdsSecret(two.stderr)], [2, false]);
  match(two.stderr, /in the shell history/);
  for (const stdin of ["", "\n", "   \n"]) {
    const empty = await place.runIn({ stdin })`config encrypt`;
    deepEqual(empty, { code: 2, stdout: "", stderr: "Error: The key is empty\n" });
  }
  deepEqual(filesBelow(place.cwd), []);
});

Deno.test("config encrypt KEY encrypts it in the file in use, and config decrypt KEY shows it", async () => {
  await using place = await makeSandbox({});
  const { cwd, run } = place;
  const path = join(cwd, "my.yaml");
  await writeFiles(cwd, { "my.yaml": `language: en\nembedding:\n  api_key: ${SECRET} # mine\n` });
  const args = ["embedding.api_key", "--config", "my.yaml"];
  match(
    (await run`config check -c my.yaml`).stderr,
    /Encrypt it with muxue_rag config encrypt embedding\.api_key/,
  );
  const { code, stdout, stderr } = await run`config encrypt ${args}`;
  deepEqual([code, stdout], [0, ""]);
  deepEqual(stderr.split("\n").map((line) => line.replace(/(?:,| with).*/, "")), [
    `embedding.api_key in ${path} is now encrypted`,
    "Encrypted",
    "Older copies of the file (backups",
    "",
  ]);
  match(await Deno.readTextFile(path), /^language: en\nembedding:\n {2}api_key: enc:v1:[\w-]+ # mine\n$/);
  deepEqual(filesWithSecret(cwd), []);
  deepEqual(await run`config encrypt ${args}`, {
    code: 0,
    stdout: "",
    stderr: `embedding.api_key in ${path} is already encrypted. Nothing was changed\n`,
  });
  equal((await run`config decrypt ${args} --yes`).stdout, `${SECRET}\n`);
  const checked = await run`config check -c my.yaml`;
  deepEqual([checked.code, holdsSecret(checked.stdout + checked.stderr)], [0, false]);
  match(checked.stdout, /\n {2}api_key: "\*\*\*\*"\n/);
});

Deno.test("errors of a key file and of a passphrase stop every command, in the configuration's language", async () => {
  await using place = await makeSandbox({});
  const { cwd, run, runIn } = place;
  const configure = (text: string) =>
    writeFiles(cwd, { "config.yaml": `language: en\nembedding:\n  api_key: ${text}\n` });
  const text = await encrypted(place);
  const keyFile = join(cwd, "config", "secret.key");
  await configure(text);
  equal((await run`config check`).code, 0);
  const stops = async (reason: RegExp, env: Setting["env"] = {}) => {
    for (const command of [["config", "check"], "doctor", ["search", "x"]]) {
      const { code, stdout, stderr }: Ended = await runIn({ env })`${command}`;
      deepEqual([code, stdout], [2, ""]);
      match(
        stderr,
        /^Error: The configuration has 1 problem:\nconfig\.yaml:3:12 embedding\.api_key: /,
      );
      match(stderr, reason);
      equal(stderr.includes(text.slice(8)) || holdsSecret(stderr), false);
    }
  };
  if (Deno.build.os !== "windows") {
    await Deno.chmod(keyFile, 0o644);
    await stops(/is open to other users \(mode 644\), so it is not used\. Run chmod 600 ".*secret\.key"/);
  }
  await Deno.rename(keyFile, `${keyFile}.kept`);
  await stops(
    /the key file .*secret\.key, which is needed to decrypt this value, does not exist. Copy it from the machine where/,
  );
  await Deno.writeFile(keyFile, new Uint8Array(32), { mode: 0o600 });
  await stops(/this value was not encrypted with the key file .*secret\.key. Put back the key file/);
  await Deno.rename(`${keyFile}.kept`, keyFile);

  const env = { MUXUE_RAG_PASSPHRASE: "correct horse battery" };
  await configure(await encrypted(place, env));
  equal((await runIn({ env })`config check`).code, 0);
  await stops(/encrypted with a passphrase. Set the environment variable MUXUE_RAG_PASSPHRASE/);
  await stops(/the passphrase in MUXUE_RAG_PASSPHRASE is not the one/, { MUXUE_RAG_PASSPHRASE: "wrong" });
  equal(
    (await run`config decrypt embedding.api_key --yes`).stderr,
    "Error: this value was encrypted with a passphrase. Set the environment variable MUXUE_RAG_PASSPHRASE\n",
  );
});

Deno.test({
  name: "on a terminal a key is typed unseen, and cancelling its input restores the terminal",
  ignore,
}, async () => {
  await using place = await makeSandbox({}, EN);
  const shown = await typeKey(place, `wrong\u0015${SECRET}x\u007f\r`);
  match(
    shown,
    new RegExp(`^Key \\(not shown while you type\\): \\r\\n${SECRET.length} characters read\\r\\n`),
  );
  match(shown, /\nexit 0\r\n/);
  equal(holdsSecret(shown), false, shown);
  const [text = ""] = /enc:v1:[\w-]+/.exec(shown) ?? [];
  equal((await place.run`config decrypt ${text} --yes`).stdout, `${SECRET}\n`);

  for (const keys of ["half\u0003", "\u0004"]) {
    const shown = await typeKey(place, keys);
    match(shown, /\nexit 130\r\n/);
    equal(shown.includes("half"), false);
    match(shown, /\secho\s/);
    match(shown, /\sicanon\s/);
  }
});

Deno.test({ name: "on a terminal, config decrypt asks and follows the answer", ignore }, async () => {
  await using place = await makeSandbox({}, EN);
  const text = await encrypted(place);
  const declined = await place.runIn({ terminal: 100, stdin: "n\n" })`config decrypt ${text}`;
  match(declined.stdout, /This prints the key in plain text to stdout\. Continue\? \[y\/N\] /);
  deepEqual([declined.code, holdsSecret(declined.stdout)], [1, false]);
  const accepted = await place.runIn({ terminal: 100, stdin: "y\n" })`config decrypt ${text}`;
  deepEqual([accepted.code, accepted.stdout.includes(SECRET)], [0, true]);
});

/**
 * Returns the text that a terminal shows from the prompt on when `keys` are typed at it, then `exit CODE` and, by `stty -a`,
 * how the program left the terminal.
 */
async function typeKey(place: Sandbox, keys: string): Promise<string> {
  const { cmd, args } = place.start(["config", "encrypt"]);
  const line = [cmd, ...args].map((part) => shellWord(part)).join(" ");
  const command = `trap : INT; ${line}; echo "exit $?"; stty -a`;
  const script = { cmd: "script", args: ["--quiet", "--return", "--command", command, "/dev/null"] };
  const child = spawnIn({ ...place, env: { ...place.env, TERM: "xterm" } }, script);
  void child.stderr.cancel();
  const writer = child.stdin.getWriter();
  let shown = "";
  let typed = false;
  for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) {
    shown += part;
    if (typed || !shown.includes("while you type): ")) continue;
    typed = true;
    await writer.write(new TextEncoder().encode(keys));
  }
  await child.status;
  await writer.close().catch(() => {});
  return shown.slice(shown.indexOf("Key (not shown"));
}

Deno.test("the secret is in no output, log, index or crash report of any command", async () => {
  await using place = await makeSandbox({
    "guide.md": "# Guide\n\nUnpack the archive and run it.\n",
    "soup.txt": "Tomato soup: cook the tomatoes with onions.\n",
  });
  await using server = await EmbeddingServer.start();
  const path = join(place.cwd, "config.yaml");
  await Deno.writeTextFile(
    path,
    `language: en
embedding:
  provider: openai-compatible
  base_url: ${server.url}
  api_key: ${SECRET}
  model: test-embed
  max_retries: 1
log: {level: debug}
`,
  );
  deepEqual(filesWithSecret(place.cwd), [path], "the search finds it where it is");
  const said: string[] = [];
  const dir = ["--dir", place.folder];
  /** Runs a line, in which DIR stands for the folder. */
  const say = async (code: number, line: string) => {
    const args = line.split(" ").flatMap((word) => word === "DIR" ? dir : word);
    const run = await place.run`${args}`;
    said.push(run.stdout, run.stderr);
    if (code >= 0) equal(run.code, code, `${line}: ${run.stdout}${run.stderr}`);
  };
  await say(0, "config encrypt embedding.api_key");

  // The server accepts it.
  await say(0, "DIR");
  await say(0, "search tomato soup DIR --explain --mode hybrid");
  await say(0, "search tomato soup DIR --explain --json");
  await say(0, "status DIR --json");
  await say(0, "doctor DIR");
  await say(0, "config check --json");
  ok(server.requests.length > 0);
  deepEqual(
    new Set(server.requests.map(({ headers }) => headers["authorization"])),
    new Set([`Bearer ${SECRET}`]),
  );

  // The server refuses it, and repeats it in all common forms.
  const bodies: unknown[] = [
    { error: { message: `Incorrect API key provided: ${SECRET}. Check your account.` } },
    { detail: `Bearer ${SECRET} is not valid` },
    `<html><body>Unauthorized: ${SECRET}</body></html>`,
    `key=${encodeURIComponent(SECRET)} was refused`,
    JSON.stringify({ message: JSON.stringify({ authorization: `Bearer ${SECRET}` }) }),
  ];
  for (const body of bodies) {
    for (const status of [401, 400, 500]) {
      server.rule = () => ({ status, body, headers: { "x-echo": encodeURIComponent(SECRET) } });
      await say(1, "doctor DIR");
    }
  }
  server.rule = () => ({ status: 401, body: bodies[0] });
  await Deno.writeTextFile(join(place.folder, "new.md"), "# New\n\nThe server has not seen this.\n");
  await say(0, "DIR");
  await say(1, "reembed DIR --json");
  await say(-1, "search another question DIR --explain --json --no-update");
  server.rule = () => ({
    status: 302,
    headers: { location: `http://127.0.0.1:1/?k=${encodeURIComponent(SECRET)}` },
  });
  await say(1, "doctor --json");

  // The MCP server, with an embedding server that works and one that refuses the key.
  for (const rule of [() => undefined, () => ({ status: 401, body: bodies[0] })]) {
    server.rule = rule;
    await using pipe = await openPipe(place, dir);
    // The requests run one after another, because answers to concurrent requests come in any order.
    for (const [id, question] of [[1, "ripe tomatoes"], [2, `what is ${place.folder}`]] as const) {
      await pipe.send(search(id, question));
      said.push(JSON.stringify(await pipe.receiveUntil(id)));
    }
    const { stderr, rest } = await pipe.end();
    said.push(stderr, JSON.stringify(rest));
  }

  // The program crashes while it works.
  server.rule = () => undefined;
  for (const args of [["doctor"], ["search", "tomato", ...dir, "--explain"], ["config", "check"]]) {
    const { context, stderr } = fakeContext({
      io: { cwd: place.cwd, env: place.env, out: () => Promise.reject(new TypeError("a bug")) },
    });
    equal(await run(args, context.io, "0.0.0"), 1);
    match(stderr(), /a bug/);
    said.push(stderr());
  }

  // The value cannot be decrypted.
  const text = await Deno.readTextFile(path);
  await Deno.writeTextFile(path, text.replace(/(?<=enc:v1:.{60})./, (letter) => letter === "A" ? "B" : "A"));
  await say(2, "search x DIR");
  await say(2, "config check --json");
  await Deno.writeTextFile(path, text);

  deepEqual(said.filter(holdsSecret), []);
  deepEqual(filesWithSecret(place.cwd), []);
  const logs = filesBelow(join(place.cwd, "state", "logs"));
  const log = logs.map((file) => Deno.readTextFileSync(file)).join("");
  match(log, /"level":"DEBUG"|"message":"failed"/);
  match(log, /TypeError: a bug/, "the crash left its trace");
  match(log, /401|unauthorized|refused/i);
});
