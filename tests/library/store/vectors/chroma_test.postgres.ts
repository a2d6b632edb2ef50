import { equal } from "node:assert/strict";
import { join } from "node:path";
import { ChromaVectors } from "#library/store/vectors/chroma.ts";
import { done } from "../../../../scripts/chroot.ts";
import { freePort } from "../../../../scripts/postgres/server.ts";
import { postgresServer } from "../../../_postgres.ts";
import { checkProposer } from "./_proposer_contract.ts";

/** The npm package that has the server. */
const CHROMA = "chromadb@3.5.0";

/**
 * Does something with a real Chroma server. Its code needs a newer C library than some machines have, so it runs with that of the chroot
 * of the database. npm brings the server once.
 */
async function usingChroma(work: (url: string) => Promise<void>): Promise<void> {
  const { root } = postgresServer();
  const packages = join(root, "srv", "chroma");
  const script = join(packages, "node_modules/chromadb/dist/cli.mjs");
  if (!await Deno.stat(script).then(() => true, () => false)) {
    await Deno.mkdir(packages, { recursive: true });
    await done("npm", ["install", "--no-audit", "--no-fund", "--prefix", packages, CHROMA]);
  }
  const { stdout } = await new Deno.Command("node", { args: ["-p", "process.execPath"] }).output();
  const node = new TextDecoder().decode(stdout).trim();
  const data = await Deno.makeTempDir();
  const port = freePort();
  const process = new Deno.Command(join(root, "lib64/ld-linux-x86-64.so.2"), {
    args: [
      ...["--library-path", join(root, "usr/lib/x86_64-linux-gnu"), node, script],
      ...["run", "--path", data, "--host", "127.0.0.1", "--port", String(port)],
    ],
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  const url = `http://127.0.0.1:${port}`;
  try {
    for (let tries = 0; tries < 200; tries++) {
      const isReady = await fetch(`${url}/api/v2/heartbeat`).then(
        (response) => response.text(),
        () => undefined,
      );
      if (isReady !== undefined) break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await work(url);
  } finally {
    process.kill("SIGKILL");
    await process.status;
    await Deno.remove(data, { recursive: true });
  }
}

Deno.test("a real Chroma server proposes vectors as every place does", async () => {
  await usingChroma(async (url) => {
    const model = { id: "test", dimensions: 24 };
    await checkProposer(new ChromaVectors({ url, apiKey: null }, "muxue_rag-notes-0a1b2c3d", model));
    // The address may name a database of the server.
    const named = { url: `${url}/api/v2/tenants/default_tenant/databases/default_database`, apiKey: null };
    const again = new ChromaVectors(named, "muxue_rag-notes-0a1b2c3d", model);
    equal((await again.nearest(new Float32Array(24).fill(0.2), { limit: 7 })).hashes.length, 7);
  });
});
