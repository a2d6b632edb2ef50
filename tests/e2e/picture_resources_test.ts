import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { join } from "node:path";
import { makePng } from "../documents/pictures/make_png.ts";
import { startHttpProgram } from "./_http_program.ts";
import { formerClient, type OfficialClient } from "./_official_clients.ts";
import { type Files, fromSources, makeIndexed, type Sandbox, smokeTest, writeFiles } from "./_program.ts";

const SMALL = makePng(40, 30), LARGE = makePng(1500, 600);

function page(level: string, ...pictures: Uint8Array[]): string {
  const tags = pictures.map((png) =>
    `<figure><img src="data:image/png;base64,${png.toBase64()}"><figcaption>Figure: a pump</figcaption></figure>`
  );
  return `<!doctype html><meta name="access_level" content="${level}"><title>Pumps</title><h1>Pumps</h1>
<p>A pump moves water.</p>${tags.join("")}`;
}

const FILES: Files = {
  "pumps.html": page("public", SMALL, LARGE),
  "水泵.html": page("public", SMALL),
  "secret.html": page("secret", makePng(9, 9)),
};

const LIMITED = "language: en\nmcp: {tools: all, access: {levels: [public]}}\n";
const OPEN = "language: en\nmcp: {tools: all}\n";

/** Serves the files over stdio or HTTP, and calls the official client. */
async function served(
  sandbox: Sandbox,
  config: string,
  overHttp: boolean,
  use: (client: OfficialClient) => Promise<void>,
): Promise<void> {
  await writeFiles(sandbox.cwd, { "my.yaml": config });
  const more = ["--config", `${sandbox.cwd}/my.yaml`];
  const server = overHttp ? await startHttpProgram(sandbox, ...more) : undefined;
  const argv = ["--dir", sandbox.folder, ...more];
  await using client = await formerClient(sandbox, server === undefined ? { argv } : { server });
  await use(client);
}

const linksIn = (content: readonly { type: string; uri: string }[]) =>
  content.filter(({ type }) => type === "resource_link").map(({ uri }) => uri);

/** The error of a read, with the name of its document left out. */
async function refusal({ requests }: OfficialClient, uri: string): Promise<string> {
  try {
    const { contents } = await requests.readResource({ uri });
    return `${contents.length} contents`;
  } catch (error) {
    return String(error).replaceAll(/secret|gone/g, "X");
  }
}

for (const overHttp of [false, true]) {
  smokeTest(
    `a picture is a resource that answers link to, ${overHttp ? "over HTTP" : "on stdin and stdout"}`,
    async (start) => {
      if (overHttp && start !== fromSources) return;
      await using sandbox = await makeIndexed(FILES, { start });
      await served(sandbox, LIMITED, overHttp, async (client) => {
        const { requests } = client;
        const path = join(sandbox.folder, "pumps.html");
        const { resourceTemplates } = await requests.listResourceTemplates();
        const template = resourceTemplates[1].uriTemplate;
        match(template, /\{\?image\}/);

        const listed = await client.call("list_images", { file_path: path });
        const [small, large] = linksIn(listed.content);
        const read = async (uri: string) => (await requests.readResource({ uri })).contents;
        deepEqual(await read(small!), [{ uri: small, mimeType: "image/png", blob: SMALL.toBase64() }]);
        const scaled = Uint8Array.fromBase64((await read(large!))[0].blob);
        equal(new DataView(scaled.buffer).getUint32(16), 1000);

        const given = await client.call("get_image", { image_id: listed.data.images[0].image_id });
        deepEqual(linksIn(given.content), [small]);
        deepEqual(await client.call("get_image", { image_id: small }), given);
        const found = await client.call("search_rag", { keyword: "pump", include_images: true });
        deepEqual(
          found.content.filter(({ type }) => type === "image").map(({ data }) => data === SMALL.toBase64()),
          [true, false],
          "the same picture of two documents comes once",
        );
        deepEqual(found.data.images[0].image_id, found.data.match_content[0].image_refs[0]);

        const base = small!.replace(/\/pumps\.html.*/, "");
        deepEqual(await read(`${base}/${encodeURIComponent("水泵.html")}?image=1`), [
          {
            uri: `${base}/${encodeURIComponent("水泵.html")}?image=1`,
            mimeType: "image/png",
            blob: SMALL.toBase64(),
          },
        ]);
        const complete = async (name: string, value: string, context?: Record<string, string>) => {
          const argument = { name, value };
          const ref = { type: "ref/resource" as const, uri: template };
          const asked = context === undefined ? {} : { context: { arguments: context } };
          return (await requests.complete({ ref, argument, ...asked })).completion.values;
        };
        deepEqual(await complete("path", ""), ["pumps.html", "水泵.html"]);
        deepEqual(await complete("image", "", { path: "pumps.html" }), ["1", "2"]);
        deepEqual(await complete("image", "", { path: "secret.html" }), []);

        for (const query of ["image=1", "image=9", "image=1.00000000"]) {
          const [hidden, gone] = [`${base}/secret.html?${query}`, `${base}/gone.html?${query}`];
          equal(await refusal(client, hidden), await refusal(client, gone));
        }
        for (const name of ["secret", "gone"]) {
          const { message } = await client.call("get_image", {
            image_id: join(sandbox.folder, `${name}.html#image=1`),
          });
          equal(message, "The file does not exist: check the path");
        }
      });
    },
  );
}

smokeTest("hostile addresses and ids of pictures are refused with what to do", async (start) => {
  await using sandbox = await makeIndexed(FILES, { start });
  await writeFiles(sandbox.cwd, { "outside.html": page("public", SMALL) });
  await served(sandbox, OPEN, false, async (client) => {
    const path = join(sandbox.folder, "pumps.html");
    const listed = await client.call("list_images", { file_path: path });
    const [{ image_id: id }] = listed.data.images;
    const [uri] = linksIn(listed.content);
    const base = uri!.replace(/\/pumps\.html.*/, "");
    for (
      const [address, expected] of [
        [`${base}/../outside.html?image=1`, /outside of the served folders/],
        [`${base}/%2e%2e%2foutside.html?image=1`, /outside of the served folders/],
        [`${base}/pumps.html?image=0`, /no such resource/],
        [`${base}/pumps.html?image=1e3`, /no such resource/],
        [`${base}/pumps.html?image=${"9".repeat(400)}`, /no such resource/],
        [`${base}/pumps.html?image=1&lines=1-2`, /no such resource/],
        [`${base}/pumps.html?image=3`, /has no picture 3/],
        [`${base}/pumps.html?image=1.00000000`, /has changed.*List its pictures again/],
        [`muxue://other/pumps.html?image=1`, /no such resource/],
      ] as const
    ) await rejects(client.requests.readResource({ uri: address }), expected, address);
    for (
      const [wrong, expected] of [
        [`${sandbox.folder}/../outside.html#image=1`, /outside of the served folders/],
        [`${path}#image=0`, /Pass an image_id/],
        [`${path}#image=-1`, /Pass an image_id/],
        [`${path}#image=3`, /has no picture 3/],
        [id.replace("pumps.html", "secret.html"), /has changed/],
        ["", /image_id/],
        ["3", /Pass an image_id/],
      ] as const
    ) {
      const { code, message } = await client.call("get_image", { image_id: wrong });
      equal(code, 500);
      match(message, expected, wrong);
    }
    await writeFiles(sandbox.folder, { "pumps.html": page("public", LARGE) });
    match((await client.call("get_image", { image_id: id })).message, /has changed, and so may its pictures/);
    await rejects(client.requests.readResource({ uri: uri! }), /has changed/);
  });
});
