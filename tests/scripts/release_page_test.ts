import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import project from "../../deno.json" with { type: "json" };
import { executableName, targetOf } from "../../scripts/compile/targets.ts";
import { TempDir } from "../foundation/boundary/helpers.ts";
import { posixTest } from "../_posix.ts";
import { run } from "./_run.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PAGE = "/someone/muxue_rag/releases/latest/download";

/** Serves the files of a folder as the downloads of a release page. `damaged`: name of a file that arrives damaged. */
function servePage(folder: string, damaged?: string) {
  return Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async ({ url }) => {
    const name = new URL(url).pathname.slice(PAGE.length + 1);
    const bytes = await Deno.readFile(join(folder, name)).catch(() => undefined);
    if (!url.includes(`${PAGE}/`) || bytes === undefined) return new Response("not found", { status: 404 });
    if (name === damaged) bytes[bytes.length >> 1]! ^= 1;
    return new Response(bytes);
  });
}

posixTest(
  "the files that the task release makes are installed from a page that serves them, and not if one is damaged",
  async () => {
    using temp = new TempDir();
    const { version } = project;
    const program = temp.write(
      `bin/${executableName(version, targetOf())}`,
      `#!/bin/sh\necho muxue_rag ${version}\n`,
    );
    Deno.chmodSync(program, 0o755);
    const out = temp.at("release");
    const args = ["--from", temp.at("bin"), "--out", out, "--repository", "someone/muxue_rag"];
    const bundled = await run(Deno.execPath(), [
      "run",
      "--quiet",
      "--allow-all",
      "scripts/bundle.ts",
      ...args,
    ], {
      cwd: ROOT,
      env: { SOURCE_DATE_EPOCH: "1769860800" },
    });
    equal(bundled.code, 0, bundled.stderr);

    const { os, arch } = targetOf();
    const archive = `muxue_rag-${version}-${os}-${arch}.tar.gz`;
    const folder = temp.at("installed");
    const install = async (damaged?: string) => {
      const server = servePage(out, damaged);
      try {
        const page = `http://127.0.0.1:${server.addr.port}${PAGE}`;
        const { code, stderr } = await run("sh", [join(out, "install.sh"), "--to", folder, "--from", page], {
          env: { HOME: temp.path, no_proxy: "127.0.0.1" },
        });
        return { code, stderr };
      } finally {
        await server.shutdown();
      }
    };
    const refused = await install(archive);
    equal(refused.code, 1);
    match(refused.stderr, /has the wrong checksum, so nothing was installed/);
    equal(await Deno.stat(folder).then(() => true, () => false), false);

    deepEqual(await install(), { code: 0, stderr: "" });
    const { stdout } = await run(join(folder, "muxue_rag"), ["--version"]);
    equal(stdout, `muxue_rag ${version}\n`);
  },
);
