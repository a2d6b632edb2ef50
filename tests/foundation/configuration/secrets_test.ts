import { deepEqual, equal, match, notEqual, ok, rejects } from "node:assert/strict";
import { createDecipheriv, createHash, pbkdf2Sync } from "node:crypto";
import { join } from "node:path";
import fc from "fast-check";
import {
  configLanguage,
  decryptSecret,
  encryptInFile,
  encryptSecret,
  type Environment,
  loadConfig,
  maskSecrets,
  printConfig,
  SECRET_KEYS,
  secretForms,
  secretInFile,
  secretValues,
} from "#foundation/configuration/mod.ts";
import { isSecretKey } from "#foundation/configuration/given_value.ts";
import { SECTIONS } from "#foundation/configuration/schema.ts";
import { UsageError } from "#foundation/errors.ts";
import { complaint, folder } from "./_load.ts";

const SECRET = 'key-4f9a81c2 with"odd\\signs';

const PASSPHRASE = "correct horse battery";

/** A working folder that contains a user's configuration folder. `env` names the latter. */
async function home(files: Record<string, string | Uint8Array> = {}) {
  const work = await folder(files);
  const user = join(work.dir, "user");
  const env: Environment = { "MUXUE_RAG_CONFIG_DIR": user, "MUXUE_RAG_LANGUAGE": "en" };
  return {
    dir: work.dir,
    user,
    keyFile: join(user, "secret.key"),
    env,
    withPassphrase: { ...env, "MUXUE_RAG_PASSPHRASE": PASSPHRASE },
    path: (name: string) => join(work.dir, name),
    write: (name: string, text: string) => Deno.writeTextFile(join(work.dir, name), text),
    load: (more: Environment = {}) => loadConfig({ cwd: work.dir, env: { ...env, ...more } }),
    [Symbol.asyncDispose]: () => work[Symbol.asyncDispose](),
  };
}

/** The key of the error that decryption throws. */
async function refusal(text: string, env: Environment): Promise<string> {
  try {
    await decryptSecret(text, { env });
  } catch (error) {
    ok(error instanceof UsageError, String(error));
    return error.key;
  }
  return "";
}

const payloadOf = (text: string) =>
  Uint8Array.fromBase64(text.slice("enc:v1:".length), { alphabet: "base64url" });

const textOf = (payload: Uint8Array) =>
  `enc:v1:${payload.toBase64({ alphabet: "base64url", omitPadding: true })}`;

Deno.test("decryptSecret() returns any secret that was encrypted with the same key file", async () => {
  await using me = await home();
  const secret = fc.string({ minLength: 1, maxLength: 200, unit: "grapheme" })
    .map((text) => text.replace(/\p{Cc}|\u2028|\u2029/gu, "").trim())
    .filter((text) => text !== "" && !/^enc:/i.test(text));
  await fc.assert(
    fc.asyncProperty(secret, async (secret) => {
      const { text } = await encryptSecret(secret, { env: me.env });
      match(text, /^enc:v1:[A-Za-z0-9_-]+$/);
      equal(await decryptSecret(text, { env: me.env }), secret);
    }),
    { numRuns: 100 },
  );
});

Deno.test("encryptSecret() gives another text each time and trims the secret", async () => {
  await using me = await home();
  const first = await encryptSecret(` ${SECRET}\t`, { env: me.env });
  const second = await encryptSecret(SECRET, { env: me.env });
  notEqual(first.text, second.text);
  equal(await decryptSecret(` ${first.text}\n`, { env: me.env }), SECRET);
  deepEqual([first.keyFile, first.keyFileCreated, second.keyFile, second.keyFileCreated], [
    me.keyFile,
    true,
    me.keyFile,
    false,
  ]);
});

Deno.test("the first use creates a key file of 32 bytes that only its owner can read", async () => {
  await using me = await home();
  // One of several concurrent runs creates it, and all use it.
  const all = await Promise.all(Array.from({ length: 8 }, () => encryptSecret(SECRET, { env: me.env })));
  equal(all.filter(({ keyFileCreated }) => keyFileCreated).length, 1);
  for (const { text } of all) equal(await decryptSecret(text, { env: me.env }), SECRET);
  deepEqual([...Deno.readDirSync(me.user)].map(({ name }) => name), ["secret.key"]);
  const info = await Deno.lstat(me.keyFile);
  deepEqual([info.isFile, info.size], [true, 32]);
  if (Deno.build.os === "windows") return;
  equal(info.mode! & 0o777, 0o600);
  equal((await Deno.stat(me.user)).mode! & 0o777, 0o700);
});

Deno.test("the values use AES-256-GCM and PBKDF2 as documented, so that another program can read them", async () => {
  await using me = await home();
  const open = (payload: Uint8Array, header: number, key: Uint8Array) => {
    const at = header + 12;
    const hash = createHash("sha256").update("muxue_rag key fingerprint\0").update(key).digest();
    deepEqual(payload.slice(header - 4, header), new Uint8Array(hash.subarray(0, 4)));
    const cipher = createDecipheriv("aes-256-gcm", key, payload.subarray(header, at));
    cipher.setAAD(Buffer.concat([Buffer.from("enc:v1:"), payload.subarray(0, header)]));
    cipher.setAuthTag(payload.subarray(-16));
    return Buffer.concat([cipher.update(payload.subarray(at, -16)), cipher.final()]).toString("utf8");
  };
  const byFile = payloadOf((await encryptSecret(SECRET, { env: me.env })).text);
  equal(byFile[0], 1);
  equal(open(byFile, 5, await Deno.readFile(me.keyFile)), SECRET);

  const byPassphrase = payloadOf((await encryptSecret(SECRET, { env: me.withPassphrase })).text);
  const iterations = new DataView(byPassphrase.buffer).getUint32(1);
  deepEqual([byPassphrase[0], iterations], [2, 600_000]);
  const key = pbkdf2Sync(PASSPHRASE, byPassphrase.subarray(5, 21), iterations, 32, "sha256");
  equal(open(byPassphrase, 25, key), SECRET);
});

Deno.test("decryptSecret() reads stored values of version 1", async () => {
  await using me = await home();
  await Deno.mkdir(me.user);
  await Deno.writeFile(me.keyFile, Uint8Array.from({ length: 32 }, (_, n) => n), { mode: 0o600 });
  equal(
    await decryptSecret("enc:v1:AcZBkHYAXM68gsMvQD14ZldJCmFXJOOJHAEhZsnAG1skOh8fcWCHg2JOsPCaWzJC", {
      env: me.env,
    }),
    "sk-of-version-1",
  );
  equal(
    await decryptSecret(
      "enc:v1:AgAJJ8Ci5zH-4IhzXiMCmj2qeZdg38slWtZvHrOmtXgGkTEcN96ITsi-ELVFDwtYzeq46kZzOJpsEsBW6C1x9aJbWsA",
      { env: me.withPassphrase },
    ),
    "sk-of-version-1",
  );
});

Deno.test("decryptSecret() refuses a value with any byte changed", async () => {
  await using me = await home();
  const { text } = await encryptSecret(SECRET, { env: me.env });
  const payload = payloadOf(text);
  for (const at of payload.keys()) {
    const changed = payload.slice();
    changed[at]! ^= 1;
    const key = await refusal(textOf(changed), me.env);
    const expected = at === 0
      ? /^config_secret_(?:malformed|iterations|other_passphrase)$|^config_passphrase_missing$/
      : at < 5
      ? /^config_secret_other_key_file$/
      : /^config_secret_changed$/;
    match(key, expected, `byte ${at}`);
    match(await refusal(textOf(payload.subarray(0, at)), me.env), /^config_secret_/, `cut to ${at} bytes`);
  }
  equal(await refusal(textOf(Uint8Array.of(...payload, 0)), me.env), "config_secret_changed");
  // Characters that the decoder would ignore.
  const odd = [
    `${text}=`,
    `${text} x`,
    text.replace("enc:v1:", "enc:v1: "),
    `${text.slice(0, 20)}\n${text.slice(20)}`,
  ];
  for (const other of [...odd, "enc:v1:", "enc:v1:!", "enc:v1:AAAA"]) {
    equal(await refusal(other, me.env), "config_secret_malformed", other);
  }
  for (const other of [text.replace("v1", "v2"), text.toUpperCase(), "enc:"]) {
    equal(await refusal(other, me.env), "config_secret_version");
  }
});

Deno.test("every part of a value with a passphrase is authenticated", async () => {
  await using me = await home();
  const payload = payloadOf((await encryptSecret(SECRET, { env: me.withPassphrase })).text);
  const parts: [number, string][] = [
    [0, "config_secret_changed|config_key_file_missing"],
    [1, "config_secret_iterations"],
    [2, "config_secret_other_passphrase"],
    [4, "config_secret_other_passphrase"],
    [5, "config_secret_other_passphrase"],
    [20, "config_secret_other_passphrase"],
    [24, "config_secret_other_passphrase"],
    [25, "config_secret_changed"],
    [37, "config_secret_changed"],
    [payload.length - 1, "config_secret_changed"],
  ];
  for (const [at, expected] of parts) {
    const changed = payload.slice();
    // 600,000 is 0x000927c0, so a change of the first byte asks for 17 million iterations.
    changed[at]! ^= at === 0 ? 3 : 1;
    match(await refusal(textOf(changed), me.withPassphrase), new RegExp(`^(?:${expected})$`), `byte ${at}`);
  }
});

Deno.test("a value whose key derivation would take hours, or no work at all, is refused", async () => {
  await using me = await home();
  const payload = payloadOf((await encryptSecret(SECRET, { env: me.withPassphrase })).text);
  for (const iterations of [0, 10_000_001, 0xffff_ffff]) {
    new DataView(payload.buffer).setUint32(1, iterations);
    await rejects(decryptSecret(textOf(payload), { env: me.withPassphrase }), {
      key: "config_secret_iterations",
      params: { count: iterations, limit: 10_000_000 },
    });
  }
});

Deno.test("with a passphrase no key file is created, and only that passphrase decrypts", async () => {
  await using me = await home();
  const { text, keyFile, keyFileCreated } = await encryptSecret(SECRET, { env: me.withPassphrase });
  deepEqual([keyFile, keyFileCreated], [undefined, false]);
  await rejects(Deno.lstat(me.user), Deno.errors.NotFound);
  equal(await decryptSecret(text, { env: me.withPassphrase }), SECRET);
  equal(await refusal(text, me.env), "config_passphrase_missing");
  equal(await refusal(text, { ...me.env, "MUXUE_RAG_PASSPHRASE": "" }), "config_passphrase_missing");
  const wrong = { ...me.env, "MUXUE_RAG_PASSPHRASE": `${PASSPHRASE}!` };
  equal(await refusal(text, wrong), "config_secret_other_passphrase");
  // A value that was encrypted with a key file needs the key file, with or without a passphrase.
  const byFile = await encryptSecret(SECRET, { env: me.env });
  equal(await decryptSecret(byFile.text, { env: me.withPassphrase }), SECRET);
});

Deno.test("a passphrase in NFC and in NFD is the same", async () => {
  await using me = await home();
  const typed = (text: string) => ({ ...me.env, "MUXUE_RAG_PASSPHRASE": text });
  const { text } = await encryptSecret(SECRET, { env: typed("café au lait".normalize("NFC")) });
  equal(await decryptSecret(text, { env: typed("café au lait".normalize("NFD")) }), SECRET);
});

Deno.test("encryptSecret() refuses a passphrase that is too short", async () => {
  await using me = await home();
  for (const passphrase of ["short", "        ", " 1234567 "]) {
    const env = { ...me.env, "MUXUE_RAG_PASSPHRASE": passphrase };
    await rejects(encryptSecret(SECRET, { env }), { key: "config_passphrase_short", params: { min: 8 } });
  }
});

Deno.test("encryptSecret() refuses texts that cannot be a key and creates no key file for them", async () => {
  await using me = await home();
  const cases: Record<string, string> = {
    "": "secret_empty",
    " \t\n": "secret_empty",
    "two\nlines": "secret_not_one_line",
    "a\u0000b": "secret_not_one_line",
    "\u001b[Aup": "secret_not_one_line",
    "half \ud800 of a pair": "secret_not_one_line",
    "enc:v1:AAAA": "secret_encrypted_already",
    [`${"x".repeat(8193)}`]: "secret_too_long",
    [`${"字".repeat(2731)}`]: "secret_too_long",
  };
  for (const [secret, key] of Object.entries(cases)) {
    await rejects(encryptSecret(secret, { env: me.env }), { key }, JSON.stringify(secret.slice(0, 20)));
  }
  await rejects(Deno.lstat(me.user), Deno.errors.NotFound);
  const longest = "x".repeat(8192);
  equal(await decryptSecret((await encryptSecret(longest, { env: me.env })).text, { env: me.env }), longest);
});

Deno.test("loadConfig() decrypts secrets, printing masks them, and secretValues() lists them for the log", async () => {
  await using me = await home();
  const { text } = await encryptSecret(SECRET, { env: me.env });
  for (const value of [text, "env:KEY"]) {
    await me.write("config.yaml", `embedding:\n  api_key: ${value}\n`);
    const { config, warnings } = await me.load({ KEY: text });
    deepEqual([config.embedding.api_key, warnings], [SECRET, []]);
    deepEqual(secretValues(config), [SECRET]);
    equal(maskSecrets(config).embedding.api_key, "****");
    equal(printConfig(config).includes("4f9a81c2"), false);
  }

  await me.write("config.yaml", "language: en\n");
  equal((await me.load({ "MUXUE_RAG_EMBEDDING_API_KEY": text })).config.embedding.api_key, SECRET);
});

Deno.test("secretForms() gives the forms of a secret in URLs, JSON and HTML", () => {
  deepEqual(secretForms("sk-plain_0123"), ["sk-plain_0123"]);
  deepEqual(secretForms('a&"b\\'), ['a&"b\\', "a%26%22b%5C", 'a&\\"b\\\\', "a&amp;&quot;b\\"]);
});

Deno.test("a secret that cannot be decrypted is reported with its position and without its value", async () => {
  await using me = await home();
  const byFile = (await encryptSecret(SECRET, { env: me.env })).text;
  const byPassphrase = (await encryptSecret(SECRET, { env: me.withPassphrase })).text;
  await me.write(
    "config.yaml",
    `embedding:\n  api_key: ${byFile.slice(0, -1)}${byFile.endsWith("A") ? "Q" : "A"}\n`,
  );
  const damaged = await complaint(me.load());
  match(damaged, /^The configuration has 1 problem:\nconfig\.yaml:2:12 embedding\.api_key: [^\n]+$/);
  equal(damaged.includes(byFile.slice(7, 20)), false);
  await me.write("config.yaml", `embedding:\n  api_key: "${byPassphrase}"\n`);
  equal(
    await complaint(me.load()),
    "The configuration has 1 problem:\nconfig.yaml:2:12 embedding.api_key: this value was encrypted with a passphrase. Set the environment variable MUXUE_RAG_PASSPHRASE",
  );

  await me.write("config.yaml", `embedding:\n  api_key: ${byFile}\n  api_key: x\n  top_k: 1\n`);
  equal((await complaint(me.load())).includes(byFile.slice(7, 20)), false);

  await me.write(
    "config.yaml",
    `embedding: {api_key: ${byFile}, base_url: "${byFile}", model: "enc:v1:x"}\n`,
  );
  const elsewhere = "only an api_key, a password and headers can be encrypted (enc:v1:…); use env:NAME here";
  deepEqual((await complaint(me.load())).split("\n").slice(1).map((line) => line.replace(/^\S+ /, "")), [
    `embedding.base_url: ${elsewhere}`,
    `embedding.model: ${elsewhere}`,
  ]);

  // The value in a variable is reported with the variable's name.
  await me.write("config.yaml", "");
  const wrong = { "MUXUE_RAG_EMBEDDING_API_KEY": byPassphrase, "MUXUE_RAG_PASSPHRASE": "not the passphrase" };
  equal(
    await complaint(me.load(wrong)),
    "The configuration has 1 problem:\nenv:MUXUE_RAG_EMBEDDING_API_KEY embedding.api_key: the passphrase in MUXUE_RAG_PASSPHRASE is not the one this value was encrypted with. Set the right one, or encrypt the key again with muxue_rag config encrypt",
  );
});

Deno.test("a value that is overridden is not decrypted", async () => {
  await using me = await home();
  const { text } = await encryptSecret(SECRET, { env: me.withPassphrase });
  await me.write("config.yaml", `embedding: {api_key: ${text}}`);
  equal(
    (await me.load({ "MUXUE_RAG_EMBEDDING_API_KEY": "of-the-environment" })).config.embedding.api_key,
    "of-the-environment",
  );
});

Deno.test("a key file with access for other users is refused", async () => {
  if (Deno.build.os === "windows") return;
  await using me = await home();
  const { text } = await encryptSecret(SECRET, { env: me.env });
  await me.write("config.yaml", `embedding: {api_key: ${text}}`);
  for (const mode of [0o640, 0o604, 0o660, 0o601, 0o777]) {
    await Deno.chmod(me.keyFile, mode);
    await rejects(encryptSecret(SECRET, { env: me.env }), { key: "config_key_file_loose" });
    equal(
      await complaint(me.load()),
      `The configuration has 1 problem:
config.yaml:1:22 embedding.api_key: the key file ${me.keyFile} is open to other users (mode ${
        mode.toString(8)
      }), so it is not used. Run chmod 600 "${me.keyFile}"`,
    );
  }
  for (const mode of [0o600, 0o400]) {
    await Deno.chmod(me.keyFile, mode);
    equal((await me.load()).config.embedding.api_key, SECRET);
  }
});

Deno.test("a key file that is missing, different, damaged, a link, a folder or a pipe has its specific error", async () => {
  await using me = await home();
  const { text } = await encryptSecret(SECRET, { env: me.env });
  const kept = await Deno.readFile(me.keyFile);
  const refused = () => refusal(text, me.env);
  const put = async (bytes: Uint8Array) => {
    await Deno.remove(me.keyFile, { recursive: true }).catch(() => {});
    await Deno.writeFile(me.keyFile, bytes, { mode: 0o600 });
  };
  await Deno.remove(me.keyFile);
  equal(await refused(), "config_key_file_missing");
  await rejects(Deno.lstat(me.keyFile), Deno.errors.NotFound, "reading makes no key file");
  await put(crypto.getRandomValues(new Uint8Array(32)));
  equal(await refused(), "config_secret_other_key_file");
  for (const bytes of [new Uint8Array(0), kept.subarray(1), Uint8Array.of(...kept, 10)]) {
    await put(bytes);
    equal(await refused(), "config_key_file_size");
    // It is not replaced, because values may still need it.
    await rejects(encryptSecret(SECRET, { env: me.env }), { key: "config_key_file_size" });
  }
  await Deno.remove(me.keyFile);
  await Deno.mkdir(me.keyFile);
  equal(await refused(), "config_key_file_not_regular");
  await Deno.remove(me.keyFile);
  if (Deno.build.os !== "windows") {
    await Deno.writeFile(me.path("elsewhere"), kept, { mode: 0o600 });
    await Deno.symlink(me.path("elsewhere"), me.keyFile);
    equal(await refused(), "config_key_file_link");
    await Deno.remove(me.path("elsewhere"));
    await rejects(encryptSecret(SECRET, { env: me.env }), { key: "config_key_file_link" });
    await rejects(Deno.lstat(me.path("elsewhere")), Deno.errors.NotFound, "nothing is made behind a link");
    await Deno.remove(me.keyFile);
    await new Deno.Command("mkfifo", { args: ["-m", "600", me.keyFile] }).output();
    equal(await refused(), "config_key_file_not_regular");
  }
  await put(kept);
  equal(await refused(), "");
  equal(await refusal(text, {}), "config_key_folder_unknown");
  const inTheWay = { "MUXUE_RAG_CONFIG_DIR": join(me.keyFile, "below") };
  equal(await refusal(text, inTheWay), "config_key_file_missing");
  await rejects(encryptSecret(SECRET, { env: inTheWay }), { key: "config_key_file_unwritable" });
});

Deno.test("SECRET_KEYS lists the secret keys of the schema", () => {
  const secret = Object.entries(SECTIONS).flatMap(([section, keys]) =>
    Object.keys(keys).filter(isSecretKey).map((key) => `${section}.${key}`)
  );
  deepEqual([...SECRET_KEYS], secret);
});

Deno.test("encryptInFile() changes only the bytes of the value", async () => {
  await using me = await home();
  const files: [string, string][] = [
    ["config.yaml", `# 密钥\nembedding:\n    api_key:   @   # secret!\n\n\n# end`],
    ["config.yaml", `language: en\r\nembedding:\r\n  api_key: "@"\r\n  model: 'm'\r\n`],
    ["config.yaml", `embedding: { model: x, api_key: '@' } # both`],
    ["config.yaml", `"embedding": { "api_key": @, "model": y }\n`],
    ["config.yaml", `\uFEFFembedding:\n  api_key: @`],
    ["config.yaml", `embedding:\n  api_key: &k @\nllm: {api_key: *k}\n`],
    ["config.yml", `embedding: {api_key: @}\nlog: {}\n`],
    ["config.json", `{\n\t"embedding": {"api_key": "@", "model": "a\\u0041"}\n}`],
  ];
  const key = "embedding.api_key";
  for (const [name, template] of files) {
    await me.write(name, template.replace("@", "sk-plain-0123"));
    const options = { cwd: me.dir, env: me.env };
    const { path, encrypted } = await encryptInFile(key, options);
    equal(path, me.path(name));
    equal(
      new TextDecoder("utf-8", { ignoreBOM: true }).decode(await Deno.readFile(path)),
      template.replace("@", encrypted!.text),
    );
    equal((await me.load()).config.embedding.api_key, "sk-plain-0123", template);
    equal(await secretInFile(key, options), encrypted!.text);
    deepEqual(await encryptInFile(key, options), { path, encrypted: null });
    await Deno.remove(path);
  }
  deepEqual([...Deno.readDirSync(me.dir)].map(({ name }) => name), ["user"], "no copy is left behind");
});

Deno.test("encryptInFile() keeps the mode of the file and a link to it", async () => {
  if (Deno.build.os === "windows") return;
  await using me = await home();
  await Deno.mkdir(me.path("dotfiles"));
  await me.write("dotfiles/my.yaml", "embedding: {api_key: sk-plain-0123}\n");
  await Deno.chmod(me.path("dotfiles/my.yaml"), 0o640);
  await Deno.symlink("dotfiles/my.yaml", me.path("config.yaml"));
  await encryptInFile("embedding.api_key", { cwd: me.dir, env: me.env });
  equal((await Deno.lstat(me.path("config.yaml"))).isSymlink, true);
  const { mode } = await Deno.lstat(me.path("dotfiles/my.yaml"));
  equal(mode! & 0o777, 0o640);
  match(await Deno.readTextFile(me.path("dotfiles/my.yaml")), /^embedding: \{api_key: enc:v1:\S+\}\n$/);
});

Deno.test("encryptInFile() leaves a file unchanged and gives the reason if it cannot encrypt", async () => {
  await using me = await home();
  const cases: [string, string][] = [
    ["language: zh\n", "secret_not_in_file"],
    ["embedding:\n  api_key:\n", "secret_not_in_file"],
    ["embedding: {api_key: env:KEY}", "secret_is_reference"],
    ["embedding:\n  api_key: |\n    sk-plain\n", "secret_not_by_itself"],
    ["embedding:\n  api_key: sk-plain\n    -continued\n", "secret_not_by_itself"],
    ["llm: {api_key: &k sk-plain}\nembedding: {api_key: *k}", "secret_not_by_itself"],
    ["llm: &e {api_key: sk-plain}\nembedding: *e", "secret_not_by_itself"],
    ["embedding: {api_key: &k sk-plain, model: *k}", "secret_not_by_itself"],
    ["embedding: {api_key: 'a\n  b'}", "secret_not_by_itself"],
    ['embedding: {api_key: "a\\nb"}', "secret_not_one_line"],
    ["embedding: {api_key: 5}", "config_invalid"],
    ["embedding: {api_key: sk-plain, apikey: 3}", "config_invalid"],
    ["embedding: {api_key: 'sk-plain}", "config_invalid"],
    ["embedding: {api_key: '  '}", "config_invalid"],
  ];
  for (const [text, key] of cases) {
    await me.write("config.yaml", text);
    await rejects(encryptInFile("embedding.api_key", { cwd: me.dir, env: me.env }), (error) => {
      ok(error instanceof UsageError, String(error));
      equal(error.key, key, text);
      equal(error.message.includes("sk-plain"), false, text);
      return true;
    });
    equal(await Deno.readTextFile(me.path("config.yaml")), text);
  }
  await Deno.remove(me.path("config.yaml"));
  await rejects(encryptInFile("embedding.api_key", { cwd: me.dir, env: me.env }), { key: "secret_no_file" });
  if (Deno.build.os === "windows" || Deno.uid() === 0) return;
  await me.write("config.yaml", "embedding: {api_key: sk-plain}");
  await Deno.chmod(me.path("config.yaml"), 0o444);
  await rejects(encryptInFile("embedding.api_key", { cwd: me.dir, env: me.env }), {
    key: "config_file_unwritable",
  });
});

Deno.test("secretInFile() returns encrypted values only", async () => {
  await using me = await home();
  const { text } = await encryptSecret(SECRET, { env: me.env });
  await me.write("config.yaml", "embedding: {api_key: env:KEY}");
  const options = { cwd: me.dir, env: { ...me.env, KEY: text } };
  equal(await secretInFile("embedding.api_key", options), text);
  await rejects(secretInFile("embedding.api_key", { ...options, env: me.env }), { key: "config_invalid" });
  await me.write("config.yaml", "embedding: {api_key: plain}");
  await rejects(secretInFile("embedding.api_key", options), { key: "secret_not_encrypted" });
});

Deno.test("configLanguage() reads the language where a secret cannot be decrypted or the file is invalid", async () => {
  await using me = await home();
  const language = (env: Environment = { LANG: "zh_CN" }) => configLanguage({ cwd: me.dir, env });
  equal(await language(), "zh");
  await me.write("config.yaml", "language: en\nembedding: {api_key: enc:v1:AAAA}\nsearch: 5");
  equal(await language(), "en");
  equal(await language({ "MUXUE_RAG_LANGUAGE": "zh" }), "zh");
  equal(await configLanguage({ file: "none.yaml", cwd: me.dir, env: { LANG: "zh_CN" } }), "zh");
});

Deno.test("loadConfig() imports no key for a configuration without encrypted values", async () => {
  await using me = await home({ "config.yaml": "embedding: {api_key: env:KEY}" });
  const { deriveBits, importKey } = crypto.subtle;
  let called = 0;
  crypto.subtle.deriveBits = (...args) => (called++, deriveBits.apply(crypto.subtle, args));
  crypto.subtle.importKey = ((
    ...args: Parameters<typeof importKey>
  ) => (called++, importKey.apply(crypto.subtle, args))) as typeof importKey;
  try {
    await loadConfig({ cwd: me.dir, env: { ...me.withPassphrase, KEY: "x" } });
  } finally {
    Object.assign(crypto.subtle, { deriveBits, importKey });
  }
  equal(called, 0);
  await rejects(Deno.lstat(me.user), Deno.errors.NotFound);
});
