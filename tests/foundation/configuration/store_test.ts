import { deepEqual, equal, match } from "node:assert/strict";
import {
  folderConfig,
  loadConfig,
  printConfig,
  secretValues,
  sharedName,
  storedName,
  storeUrls,
} from "#foundation/configuration/mod.ts";
import { complaint, folder } from "./_load.ts";
import { posixTest } from "../../_posix.ts";

/** Loads a configuration file that the user names. */
async function named(text: string, env: Record<string, string> = {}) {
  await using place = await folder({ "mine.yaml": `language: en\n${text}` });
  return await loadConfig({ cwd: place.dir, file: "mine.yaml", env });
}

/** The problems of a file that the user names, without the first line. */
async function problems(text: string): Promise<string[]> {
  return (await complaint(named(text))).split("\n").slice(1).map((line) =>
    line.replace(/^.*?mine\.yaml/, "")
  );
}

const TEAM = `
store: {provider: postgres, url: "postgres://reader@DB.example.com/notes", password: env:DB_PASSWORD}
`;

Deno.test("a database is named by its address, and its password by a variable", async () => {
  const { config, warnings } = await named(TEAM, { DB_PASSWORD: "s3cret" });
  deepEqual(warnings, []);
  deepEqual(config.store, {
    provider: "postgres",
    url: "postgres://reader@DB.example.com/notes",
    urls: [],
    readers: [],
    password: "s3cret",
    schema: "muxue_rag",
    collection: null,
    pool: 5,
    "cache_mb": 256,
    tls: { ca: null, verify: true },
  });
  deepEqual(secretValues(config), ["s3cret"]);
  match(printConfig(config), /^ {2}url: "postgres:\/\/reader@DB.example.com\/notes"$/m);
  match(printConfig(config), /^ {2}password: "\*\*\*\*"$/m);
});

Deno.test("the settings of a database are checked", async () => {
  deepEqual(
    await problems(`store:
  provider: postgres
  url: postgres://reader:s3cret@db.example.com/notes
  schema: pg_catalog
  pool: 0
`),
    [
      ':4:8 store.url: expected an address such as postgres://user@host:5432/database without a password, which belongs into store.password, found "postgres://****@db.example.com/notes"',
      ':5:11 store.schema: expected the name of a schema: lower-case letters, digits and underscores, not beginning with a digit or pg_, found "pg_catalog"',
      ":6:9 store.pool: expected a whole number from 1 to 100, found 0",
    ],
  );
});

Deno.test("a database needs an address", async () => {
  deepEqual(await problems("store: {provider: postgres}\n"), [
    ":2:19 store.url: expected an address such as postgres://user@host:5432/database without a password, which belongs into store.password (required for provider postgres), found nothing",
  ]);
});

Deno.test("the certificate of a database on another machine is always checked", async () => {
  const verified = (host: string) =>
    `store: {provider: postgres, url: "postgres://reader@${host}/notes", tls: {verify: false}}\n`;
  equal((await named(verified("127.0.0.1"))).config.store.tls.verify, false);
  deepEqual(await problems(verified("db.example.com")), [
    ":2:90 store.tls.verify: expected true, because the certificate of a database on another machine must be checked, found false",
  ]);
});

Deno.test("the files of a collection are spread over different databases, which have no readers", async () => {
  deepEqual(
    await problems(`store:
  provider: postgres
  urls: ["postgres://me@one/x", "postgres://me@one/x"]
  readers: ["postgres://me@two/x"]
`),
    [
      ":4:9 store.urls: expected different addresses, because each file is in one of the databases, found a list",
      ":5:12 store.readers: expected an empty list, because replicas are used with one database alone (store.url), found a list",
    ],
  );
});

posixTest("a collection may lie in a database while the others stay in their folders", async () => {
  const { config } = await named(`
collections:
  team: {path: /team, store: {provider: postgres, url: "postgres://reader@[::1]:6000/notes"}}
  mine: {path: /mine}
`);
  deepEqual(storeUrls(config, "/team"), ["postgres://reader@[::1]:6000/notes"]);
  deepEqual(storeUrls(config, "/mine"), []);
  equal(folderConfig(config, "/mine").store.provider, "folder");
});

posixTest(
  "the name in the database is that of the settings or of the collection, and never that of the folder",
  async () => {
    const { config } = await named(`
collections:
  team: {path: /data/one}
  notes: {path: /data/two, store: {collection: 团队 笔记}}
`);
    deepEqual(["/data/one", "/data/two", "/data/docs"].map((root) => storedName(config, root)), [
      "team",
      "团队 笔记",
      undefined,
    ]);
  },
);

posixTest("two folders with one name in a database are found, also in one of several databases", async () => {
  const { config } = await named(`
store: {provider: postgres, urls: ["postgres://me@one/x", "postgres://me@two/x"]}
collections:
  team: {path: /team}
  schema: {path: /schema, store: {collection: team, schema: other}}
  mine: {path: /mine, store: {collection: team, provider: folder}}
  two: {path: /two, store: {collection: team, urls: ["postgres://me@two/x"]}}
`);
  deepEqual(sharedName(config, ["/team", "/schema", "/mine", "/docs", "/other/docs"]), undefined);
  deepEqual(sharedName(config, ["/team", "/team", "/two"]), { name: "team", dirs: ["/team", "/two"] });
});

Deno.test("a file found in the working folder may not choose a database", async () => {
  const found = async (text: string, env: Record<string, string> = {}) => {
    await using place = await folder({ "config.yaml": `language: en\n${text}` });
    return await complaint(loadConfig({ cwd: place.dir, env }));
  };
  const refused =
    /store\.[\w.]+: would decide which database the indexes are kept in, which a file that was only found in/;
  match(await found('store: {provider: postgres, url: "postgres://me@127.0.0.1/x"}'), refused);
  match(await found("store: {schema: other}"), refused);
  match(await found("store: {tls: {ca: mine.pem}}"), refused);
  match(await found("collections: {one: {path: ., store: {collection: other}}}"), refused);
});

Deno.test("variables of the environment choose a database", async () => {
  const { config } = await loadConfig({
    cwd: "/",
    env: {
      MUXUE_RAG_STORE_PROVIDER: "postgres",
      MUXUE_RAG_STORE_URL: "postgresql://me@localhost/x?sslmode=require",
      MUXUE_RAG_STORE_PASSWORD: "12",
    },
  });
  deepEqual([config.store.provider, config.store.password], ["postgres", "12"]);
});
