import "#foundation/messages/mod.ts";
import { deepEqual, equal } from "node:assert/strict";
import { digestOfBytes, SourceFailure } from "#models/install/model_location.ts";
import { download, type RemoteFile } from "#models/install/download.ts";
import { OwnFolder } from "#foundation/boundary/mod.ts";
import { TempDir } from "../../foundation/boundary/helpers.ts";
import { fileAnswer, type RawAnswer, type RawRequest, RawServer } from "./_raw_server.ts";

const BYTES = new TextEncoder().encode("the bytes of a model, more than a few of them");

/** The files that a download has left in the folder, without the origins of parts, and the message of its failure. */
interface Outcome {
  readonly files: Record<string, string>;
  readonly failure?: string;
}

interface Options {
  readonly timeoutMs?: number;
  readonly redirects?: readonly string[];
  readonly signal?: AbortSignal;
}

/** Downloads BYTES from a server into a folder. */
async function downloadTo(dir: TempDir, url: string, options: Options = {}): Promise<Outcome> {
  const folder = new OwnFolder(dir.path);
  const file: RemoteFile = { url: new URL(url), ...digestOfBytes(BYTES) };
  let failure: string | undefined;
  try {
    await download(file, {
      folder,
      name: "model.onnx",
      timeoutMs: options.timeoutMs ?? 20_000,
      mayRedirectTo: (host) => options.redirects?.includes(host) ?? false,
      signal: options.signal ?? new AbortController().signal,
    });
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error;
    failure = error.message;
  }
  const names = folder.names().filter((name) => !name.endsWith(".json"));
  const files = Object.fromEntries(names.map((name) => [name, Deno.readTextFileSync(folder.at(name))]));
  return failure === undefined ? { files } : { files, failure };
}

const WHOLE: Outcome = { files: { "model.onnx": new TextDecoder().decode(BYTES) } };

/** A server that gives BYTES at any path; `answer` may replace the answer to a request, counted from 1. */
function serverOf(
  answer: (request: RawRequest, count: number) => RawAnswer | "silence" | undefined = () => undefined,
): RawServer {
  return new RawServer((request, count) => answer(request, count) ?? fileAnswer(request, BYTES));
}

function rangesOf({ requests }: RawServer): (string | null)[] {
  return requests.map(({ headers }) => headers.get("range"));
}

/** Writes a part that an earlier run has left. */
function leavePart(
  dir: TempDir,
  text: string,
  origin: { url: string; validator?: string; sha256?: string },
): void {
  const { sha256 } = digestOfBytes(BYTES);
  dir.write("model.onnx.partial", text);
  dir.write("model.onnx.partial.json", JSON.stringify({ sha256, ...origin }));
}

Deno.test("download() writes the file and leaves nothing beside it", async () => {
  using dir = new TempDir();
  await using server = serverOf();
  deepEqual(await downloadTo(dir, `${server.url}/x`), WHOLE);
  deepEqual([...Deno.readDirSync(dir.path)].map(({ name }) => name), ["model.onnx"]);
});

Deno.test("download() continues at once after a broken connection", async () => {
  using dir = new TempDir();
  await using server = serverOf((request, count) => {
    const answer = fileAnswer(request, BYTES);
    return count < 3 ? { ...answer, body: answer.body.subarray(0, 10) } : answer;
  });
  deepEqual(await downloadTo(dir, `${server.url}/x`), WHOLE);
  deepEqual(rangesOf(server), [null, "bytes=10-", "bytes=20-"]);
  equal(server.requests[1]?.headers.get("if-range"), '"v1"');
});

Deno.test("download() gives up a source that breaks off without new bytes, and the next call continues the part", async () => {
  using dir = new TempDir();
  let isBroken = true;
  await using server = serverOf((request) => {
    if (!isBroken) return undefined;
    const answer = fileAnswer(request, BYTES);
    return { ...answer, body: answer.status === 206 ? new Uint8Array() : answer.body.subarray(0, 12) };
  });
  deepEqual(await downloadTo(dir, `${server.url}/x`), {
    files: { "model.onnx.partial": "the bytes of" },
    failure: `${server.host} closed the connection before x was complete`,
  });
  isBroken = false;
  deepEqual(await downloadTo(dir, `${server.url}/x`), WHOLE);
  equal(rangesOf(server).at(-1), "bytes=12-");
});

Deno.test("download() continues at once after a connection that has stalled", async () => {
  using dir = new TempDir();
  await using server = serverOf((request, count) => {
    const answer = fileAnswer(request, BYTES);
    return count < 3 ? { ...answer, body: answer.body.subarray(0, 10), end: "hang" } : answer;
  });
  deepEqual(await downloadTo(dir, `${server.url}/x`, { timeoutMs: 300 }), WHOLE);
  deepEqual(rangesOf(server), [null, "bytes=10-", "bytes=20-"]);
});

Deno.test("download() continues a part from another address without its validator, and checks the whole", async () => {
  using dir = new TempDir();
  await using server = serverOf();
  leavePart(dir, "the bytes of", { url: "http://elsewhere/x", validator: '"v0"' });
  deepEqual(await downloadTo(dir, `${server.url}/x`), WHOLE);
  leavePart(dir, "some old bytes", { url: "http://elsewhere/x" });
  deepEqual(await downloadTo(dir, `${server.url}/x`), WHOLE);
  deepEqual(rangesOf(server), ["bytes=12-", "bytes=14-", null]);
  deepEqual(server.requests.map(({ headers }) => headers.get("if-range")), [null, null, null]);
});

Deno.test("download() starts anew if the file has changed on the server, or the part is of another file", async () => {
  using dir = new TempDir();
  await using server = serverOf();
  leavePart(dir, "some old bytes", { url: `${server.url}/x`, validator: '"v1"', sha256: "0".repeat(64) });
  deepEqual(await downloadTo(dir, `${server.url}/x`), WHOLE);
  leavePart(dir, "some old bytes", { url: `${server.url}/x`, validator: '"v0"' });
  deepEqual(await downloadTo(dir, `${server.url}/x`), WHOLE);
  deepEqual(rangesOf(server), [null, "bytes=14-"]);
});

Deno.test("download() reads the whole file again if the part does not belong to it", async () => {
  using dir = new TempDir();
  await using server = serverOf();
  leavePart(dir, "wrong bytes", { url: `${server.url}/x`, validator: '"v1"' });
  deepEqual(await downloadTo(dir, `${server.url}/x`), WHOLE);
  deepEqual(rangesOf(server), ["bytes=11-", null]);
});

Deno.test("download() starts anew if the server refuses the rest, or sends another part of the file", async () => {
  const other = { status: 206, headers: { "content-range": "bytes 3-9/45" }, body: "x" };
  for (const answer of [{ status: 416 }, other]) {
    using dir = new TempDir();
    await using server = serverOf((_, count) => count === 1 ? answer : undefined);
    leavePart(dir, "the bytes", { url: `${server.url}/x`, validator: '"v1"' });
    deepEqual(await downloadTo(dir, `${server.url}/x`), WHOLE);
    deepEqual(rangesOf(server), ["bytes=9-", null]);
  }
});

Deno.test("download() gives up a server that sends nothing, before and after the first bytes", async () => {
  const headers = { "content-length": String(BYTES.length) };
  const cases: [RawAnswer | "silence", Record<string, string>][] = [
    ["silence", {}],
    [{ headers, end: "hang" }, { "model.onnx.partial": "" }],
    [{ headers, body: "the", end: "hang" }, { "model.onnx.partial": "the" }],
  ];
  for (const [answer, files] of cases) {
    using dir = new TempDir();
    await using server = serverOf(() => answer);
    deepEqual(await downloadTo(dir, `${server.url}/x`, { timeoutMs: 300 }), {
      files,
      failure: `${server.host} sent nothing for 0.3 s`,
    });
  }
});

Deno.test("download() ends with the reason of an abort while the server sends nothing", async () => {
  using dir = new TempDir();
  const stop = new AbortController();
  await using server = serverOf(() => {
    stop.abort(new Error("stopped by the user"));
    return { headers: { "content-length": String(BYTES.length) }, end: "hang" };
  });
  const outcome = await downloadTo(dir, `${server.url}/x`, { signal: stop.signal }).catch((error) =>
    error.message
  );
  equal(outcome, "stopped by the user");
});

Deno.test("download() refuses a file of another size, announced or not, and reads no more than it should have", async () => {
  const cases: [Record<string, string>, number][] = [[{ "content-length": "1000" }, 1000], [{}, 46]];
  for (const [headers, found] of cases) {
    using dir = new TempDir();
    await using server = serverOf(() => ({ headers, body: "x".repeat(1000) }));
    const { failure, files } = await downloadTo(dir, `${server.url}/x`);
    equal(failure, `x of ${server.host} has the wrong size: expected 45 bytes, found ${found} or more`);
    equal((files["model.onnx.partial"] ?? "").length <= BYTES.length, true);
  }
});

Deno.test("download() refuses wrong bytes, names source, file and both digests, and keeps nothing of them", async () => {
  using dir = new TempDir();
  await using server = serverOf((request) => fileAnswer(request, BYTES.toReversed()));
  const [expected, found] = [BYTES, BYTES.toReversed()].map((bytes) => digestOfBytes(bytes).sha256);
  deepEqual(await downloadTo(dir, `${server.url}/onnx/model_quantized.onnx?download=true`), {
    files: {},
    failure: `model_quantized.onnx of ${server.host} has the wrong content: ` +
      `expected the SHA-256 ${expected}, found ${found}`,
  });
});

Deno.test("download() reports the status of a server without the file, and a server that cannot be reached", async () => {
  using dir = new TempDir();
  const server = serverOf(() => ({ status: 404 }));
  const { url, host } = server;
  equal((await downloadTo(dir, `${url}/x`)).failure, `${host} did not give x (HTTP 404)`);
  await server[Symbol.asyncDispose]();
  const { failure = "" } = await downloadTo(dir, `${url}/x?secret=1`);
  equal(failure.startsWith(`${host} refused the connection (`), true);
  equal(failure.includes("secret"), false);
});

Deno.test("download() follows redirects on the same host, and to others only if they are allowed", async () => {
  await using cdn = serverOf();
  const toCdn = cdn.url.replace("127.0.0.1", "localhost");
  await using hub = serverOf(({ path }) => ({
    status: 302,
    headers: { location: path === "/x" ? "/y" : `${toCdn}/signed?key=secret` },
  }));
  using dir = new TempDir();
  deepEqual(await downloadTo(dir, `${hub.url}/x`), {
    files: {},
    failure: `${hub.host} redirects to ${toCdn}, which models.redirect_hosts does not name. ` +
      "The redirect was not followed",
  });
  deepEqual(await downloadTo(dir, `${hub.url}/x`, { redirects: ["localhost"] }), WHOLE);
});

Deno.test("download() gives up a source that redirects in a circle", async () => {
  using dir = new TempDir();
  await using server = serverOf(() => ({ status: 302, headers: { location: "/x" } }));
  const { failure } = await downloadTo(dir, `${server.url}/x`);
  equal(failure, `${server.host} redirects to no address, or too often`);
  equal(server.requests.length, 6);
});
