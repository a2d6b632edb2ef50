import { equal } from "node:assert/strict";
import { npmRegistry } from "#models/install/install.ts";

const no = () => Promise.resolve(undefined);

Deno.test("npmRegistry() prefers the setting, then the environment, then the user's file", async () => {
  const file = () => Promise.resolve("registry=https://file.example/npm/\n");
  const env = { "npm_config_registry": "https://env.example/" };
  equal(await npmRegistry("https://set.example/a/", env, file), "https://set.example/a");
  equal(await npmRegistry(null, env, file), "https://env.example");
  equal(
    await npmRegistry(null, { "NPM_CONFIG_REGISTRY": "http://upper.example:81" }, file),
    "http://upper.example:81",
  );
  equal(await npmRegistry(null, {}, file), "https://file.example/npm");
  equal(await npmRegistry(null, {}, no), undefined);
});

Deno.test("npmRegistry() reads the last line of an .npmrc, with variables, and skips what is no web address", async () => {
  const of = (text: string, env = {}) => npmRegistry(null, env, () => Promise.resolve(text));
  equal(
    await of("; registry=https://a.example\n registry = 'https://b.example/x'\r\nproxy=none"),
    "https://b.example/x",
  );
  equal(await of("registry=https://a.example\nregistry=https://b.example"), "https://b.example");
  equal(await of("registry=https://${HOST}/npm", { HOST: "c.example" }), "https://c.example/npm");
  equal(await of("@scope:registry=https://a.example"), undefined);
  equal(await of("registry=file:///etc/passwd"), undefined);
  equal(
    await npmRegistry(
      null,
      { "npm_config_registry": "nonsense" },
      () => Promise.resolve("registry=https://a.example"),
    ),
    "https://a.example",
  );
});

Deno.test("npmRegistry() leaves out user, password and query", async () => {
  equal(await npmRegistry("https://me:secret@set.example/npm/?token=x", {}, no), "https://set.example/npm");
});
