import assert from "node:assert/strict";
import { join } from "node:path";
import { OFFICIAL_CLIENTS } from "./_official_clients.ts";
import { makeSandbox } from "./_program.ts";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const FILES = {
  "notes.md": "# Kettle\n\nA kettle: ![blue](blue.png)\n",
  "page.html":
    "<html><body><h1>Teapot</h1><p>The teapot pours.</p><p>A picture: <img src='pot.png' alt='A brown teapot'></p></body></html>",
};

const images = (content: readonly { readonly type: string }[]) =>
  content.filter(({ type }) => type === "image");

for (const [name, , connect] of OFFICIAL_CLIENTS) {
  Deno.test(`${name} gets the images of passages when it asks for them`, async () => {
    await using sandbox = await makeSandbox(FILES);
    for (const image of ["blue.png", "pot.png"]) {
      await Deno.writeFile(join(sandbox.folder, image), Uint8Array.fromBase64(PNG));
    }
    const indexed = await sandbox.run("--dir", sandbox.folder);
    assert.equal(indexed.code, 0, indexed.stderr);
    const env = { ...sandbox.env, MUXUE_RAG_MCP_TOOLS: "all", MUXUE_RAG_LANGUAGE: "en" };
    await using client = await connect({ ...sandbox, env });
    for (const [query, image] of [["kettle", "blue.png"], ["brown teapot", "pot.png"]]) {
      const { data, content } = await client.call("query_knowledge_hub", {
        ...{ query, top_k: 1, include_images: true },
      });
      assert.deepEqual(
        data.images.map(({ citation, path }: { citation: number; path: string }) => [citation, path]),
        [[1, join(sandbox.folder, image!)]],
      );
      assert.deepEqual(images(content), [{ type: "image", data: PNG, mimeType: "image/png" }]);
      const without = await client.call("query_knowledge_hub", { query });
      assert.deepEqual(images(without.content), []);
    }
  });
}
