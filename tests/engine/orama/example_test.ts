import { equal } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { indexKeyIn } from "#foundation/configuration/mod.ts";
import { ingest } from "#library/ingest/mod.ts";
import { config, Place } from "../../library/ingest/_place.ts";

Deno.test("examples/orama.ts searches the index of a folder with Orama", async () => {
  using place = new Place();
  place.write({
    "coffee.md": "# Coffee machine\n\nDescale it with citric acid every three months.\n",
    "keys.txt": "Rotate the signing keys every ninety days.\n",
  });
  const { stateDir } = place.context;
  const indexKey = await indexKeyIn(stateDir, { create: true });
  await ingest(place.root, await config(), { ...place.context, indexKey });
  const file = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", "--no-check", "--config", file("deno.json"), "--allow-all"]
      .concat(file("examples/orama.ts"), place.root, "signing keys"),
    env: { "MUXUE_RAG_STATE_DIR": stateDir },
  }).output();
  equal(code, 0, new TextDecoder().decode(stderr));
  equal(
    new TextDecoder().decode(stdout).replaceAll(/\d\.\d\d/g, "N"),
    `2 documents
by words:
  N keys.txt:1
by meaning:
  N keys.txt:1
  N coffee.md:1
both:
  N keys.txt:1
  N coffee.md:1
Markdown only:
one hit a file:
  N keys.txt:1
Rotate the signing keys every ninety days. …
`,
  );
});
