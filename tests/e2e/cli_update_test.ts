import { deepEqual, equal, match } from "node:assert/strict";
import project from "../../deno.json" with { type: "json" };
import { makeSandbox } from "./_program.ts";

const { version } = project;

/** Runs `update --check --json` with a page that a local server answers with. Returns the exit code and the data without the host. */
async function ask(answer: (request: Request) => Response | Promise<Response>) {
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, answer);
  const host = `127.0.0.1:${server.addr.port}`;
  const env = { MUXUE_RAG_UPDATES_URL: `http://user:secret@${host}/latest`, MUXUE_RAG_LANGUAGE: "en" };
  await using sandbox = await makeSandbox({}, { env });
  const { code, stdout, stderr } = await sandbox.run`update --check --json`;
  equal(stderr, "");
  equal(stdout.includes("secret"), false);
  const { data: { host: asked, version: own, ...data }, message } = JSON.parse(stdout);
  deepEqual([asked, own], [host, version]);
  return { code, ...data, message: message.replaceAll(host, "HOST") };
}

const json = (page: unknown) => () => Response.json(page);
const sums = (found: string) => () =>
  new Response(`${"0".repeat(64)}  install.sh\n${"0".repeat(64)}  muxue_rag-${found}-linux-x64.tar.gz\n`);

for (
  const [page, answer, latest] of [
    ["a code host's description of a release", json({ tag_name: "v99.0.0", draft: false }), "99.0.0"],
    ["an npm registry's description of a package", json({ name: "muxue-rag", version: "99.0.1" }), "99.0.1"],
    ["the SHA256SUMS of a release", sums("99.0.2"), "99.0.2"],
  ] as const
) {
  Deno.test(`update --check finds a newer version in ${page}`, async () => {
    deepEqual(await ask(answer), {
      ...{ code: 0, state: "newer", latest },
      message:
        `There is a newer version, ${latest} (this is ${version}; asked HOST). Install it in the way that you installed this one`,
    });
  });
}

for (const latest of [version, "0.0.9", `${version}-rc.10`]) {
  Deno.test(`update --check says that there is no newer version than this one where the page names ${latest}`, async () => {
    deepEqual(await ask(json({ tag_name: latest })), {
      ...{ code: 0, state: "current", latest },
      message: `There is no newer version: this is ${version}, and HOST has ${latest}`,
    });
  });
}

for (
  const [page, body] of [
    ["HTML", "<!doctype html><title>muxue_rag 99.0.0</title>"],
    ["JSON without a version", "{}"],
    ["JSON that ends too early", '{"tag_name": "v99'],
    ["a version with control characters", JSON.stringify({ version: "99.0.0\u001b[31m" })],
    ["nothing", ""],
  ] as const
) {
  Deno.test(`update --check does not take ${page} for a version`, async () => {
    deepEqual(await ask(() => new Response(body)), {
      ...{ code: 1, state: "not_understood", latest: null },
      message:
        "The page of HOST names no version of muxue_rag. updates.url must lead to JSON with tag_name or version, or to the SHA256SUMS of a release",
    });
  });
}

Deno.test("update --check follows a redirect on the host, and none to another", async () => {
  const moved = await ask(({ url }) =>
    url.endsWith("/latest")
      ? new Response(null, { status: 302, headers: { location: "/now" } })
      : json({ version })()
  );
  equal(moved.state, "current");
  const asked: string[] = [];
  await using other = Deno.serve({ hostname: "127.0.0.2", port: 0, onListen: () => {} }, ({ url }) => {
    asked.push(url);
    return new Response();
  });
  const location = `http://127.0.0.2:${other.addr.port}/x`;
  deepEqual(await ask(() => new Response(null, { status: 302, headers: { location } })), {
    ...{ code: 1, state: "unreachable", latest: null },
    message: `HOST redirects to http://127.0.0.2:${other.addr.port}, which is another server. ` +
      "The redirect was not followed. Set updates.url to the final address",
  });
  deepEqual(asked, []);
});

Deno.test("update --check reads no more than 1 MB of a page that does not end", async () => {
  let parts = 0;
  const endless = () =>
    new ReadableStream({
      pull: (controller) => {
        parts++;
        controller.enqueue(new Uint8Array(100_000));
      },
    });
  const { code, state, message } = await ask(() => new Response(endless()));
  deepEqual([code, state, message], [
    ...[1, "unreachable"],
    "The page of HOST is larger than 1 MB and was not read to its end. Check updates.url",
  ]);
  equal(parts < 1000, true);
});

Deno.test("update --check reports a page that is missing or cannot be reached", async () => {
  const { code, state, message } = await ask(() => new Response("gone", { status: 404 }));
  deepEqual([code, state, message], [
    ...[1, "unreachable", "HOST did not give the page (HTTP 404). Check updates.url"],
  ]);
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  const env = { MUXUE_RAG_UPDATES_URL: `http://127.0.0.1:${port}/` };
  await using sandbox = await makeSandbox({}, { env });
  const refused = await sandbox.run`update --check --language zh`;
  deepEqual([refused.code, refused.stdout], [1, ""]);
  match(refused.stderr, /^127\.0\.0\.1:\d+ 拒绝连接/);
});

Deno.test("update connects to nothing without a page or without --check, and says what to do in both languages", async () => {
  await using sandbox = await makeSandbox({});
  const { code, stdout, stderr } = await sandbox.run`update --check --language en`;
  deepEqual([code, stdout], [2, ""]);
  match(
    stderr,
    /No page to ask for a newer version is configured, and nothing was connected to\. Set updates\.url/,
  );
  match(
    (await sandbox.run`update --check --language zh`).stderr,
    /没有配置查询新版本的页面，未连接任何服务器/,
  );
  const bare = await sandbox.run`update --language en`;
  equal(bare.code, 2);
  match(
    bare.stderr,
    /does not update itself.*muxue_rag update --check\. To update an index, run: muxue_rag index/,
  );
  match((await sandbox.run`update --language zh`).stderr, /muxue_rag 不会更新自己/);
});
