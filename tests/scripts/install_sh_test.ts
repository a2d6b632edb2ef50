import { deepEqual, equal, match } from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { tarGz } from "../../scripts/bundle/tar.ts";
import { targetOf } from "../../scripts/compile/targets.ts";
import { TempDir } from "../foundation/boundary/helpers.ts";
import { posixTest } from "../_posix.ts";
import { type Ended, run } from "./_run.ts";

const SCRIPT = fileURLToPath(new URL("../../scripts/install.sh", import.meta.url));
const { os, arch } = targetOf();
const ARCHIVE = `muxue_rag-1.2.3-${os}-${arch}.tar.gz`;

/** A local server with a release, and a folder to install into. */
interface Setting extends AsyncDisposable {
  readonly address: string;
  readonly folder: string;
  run(...args: string[]): Promise<Ended>;
  /** Puts a shell script in front of the system's program of that name. */
  tool(name: string, text: string): Promise<void>;
}

/** `program` is the text of the executable. `sums` is the text of SHA256SUMS; by default it has the right checksum. */
async function setUp(program = "#!/bin/sh\necho muxue_rag 1.2.3\n", sums?: string): Promise<Setting> {
  const content = new TextEncoder().encode(program);
  const archive = tarGz([{ path: "muxue_rag", content, executable: true }], new Date(0));
  const sum = createHash("sha256").update(archive).digest("hex");
  const list = sums ?? `${"0".repeat(64)}  install.sh\n${sum}  ${ARCHIVE}\n`;
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, ({ url }) => {
    const { pathname } = new URL(url);
    if (pathname === "/SHA256SUMS") return new Response(list);
    if (pathname === `/${ARCHIVE}`) return new Response(archive as Uint8Array<ArrayBuffer>);
    return new Response("not found", { status: 404 });
  });
  const top = await Deno.makeTempDir({ prefix: "muxue_rag_install_" });
  const folder = join(top, "程序 bin");
  const address = `http://127.0.0.1:${server.addr.port}`;
  return {
    address,
    folder,
    run: (...args) =>
      run("sh", [SCRIPT, "--from", address, "--to", folder, ...args], {
        env: { HOME: top, no_proxy: "127.0.0.1", PATH: `${top}/tools:${Deno.env.get("PATH")}` },
      }),
    async tool(name, text) {
      await Deno.mkdir(join(top, "tools"), { recursive: true });
      await Deno.writeTextFile(join(top, "tools", name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    },
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      await Deno.remove(top, { recursive: true });
    },
  };
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

posixTest("install.sh installs the program for this system, and replaces an older one", async () => {
  await using setting = await setUp();
  for (let i = 0; i < 2; i++) {
    deepEqual(await setting.run(), {
      code: 0,
      stdout: `Downloading muxue_rag 1.2.3 for ${os} ${arch}\nInstalled ${setting.folder}/muxue_rag\n` +
        `${setting.folder} is not in PATH. For this terminal:\n` +
        `    export PATH="${setting.folder}:$PATH"\n` +
        "Add that line to your shell's profile, or give your MCP client the full path\n" +
        "Next: muxue_rag setup --dir FOLDER, which connects your AI assistants to a folder\n",
      stderr: "",
    });
  }
  deepEqual([...Deno.readDirSync(setting.folder)].map(({ name }) => name), ["muxue_rag"]);
  equal((await Deno.stat(join(setting.folder, "muxue_rag"))).mode! & 0o777, 0o755);
});

posixTest("install.sh does not put the program into a folder that has its name", async () => {
  await using setting = await setUp();
  await Deno.mkdir(join(setting.folder, "muxue_rag"), { recursive: true });
  const { code, stderr } = await setting.run();
  equal(code, 1);
  equal(stderr, `install.sh: ${setting.folder}/muxue_rag is a folder; name another folder with --to\n`);
  deepEqual([...Deno.readDirSync(setting.folder)].map(({ name }) => name), ["muxue_rag"]);
  deepEqual([...Deno.readDirSync(join(setting.folder, "muxue_rag"))], []);
});

posixTest("install.sh can take the files of a release from a folder", async () => {
  await using setting = await setUp();
  const release = join(setting.folder, "../release files");
  await Deno.mkdir(release);
  for (const name of ["SHA256SUMS", ARCHIVE]) {
    const { body } = await fetch(`${setting.address}/${name}`);
    await Deno.writeFile(join(release, name), body!);
  }
  equal((await setting.run("--from", release)).stderr, "");
  equal(await exists(join(setting.folder, "muxue_rag")), true);
});

posixTest("install.sh --dry-run only prints what it would do", async () => {
  await using setting = await setUp();
  const { code, stdout } = await setting.run("--dry-run", "--version", "v1.2.3");
  equal(code, 0);
  const lines = stdout.split("\n");
  equal(lines[0], `would download ${setting.address}/${ARCHIVE}`);
  match(lines[1]!, /^would verify {3}sha256 [0-9a-f]{64}$/);
  equal(lines[2], `would install  ${setting.folder}/muxue_rag (1.2.3)`);
  equal(await exists(setting.folder), false);
  const relative = await setting.run("--to", "-bin", "--dry-run");
  equal(relative.stdout.split("\n")[2], `would install  ${Deno.cwd()}/-bin/muxue_rag (1.2.3)`);
});

posixTest("install.sh installs nothing if the checksum is wrong", async () => {
  await using setting = await setUp(undefined, `${"0".repeat(64)}  ${ARCHIVE}\n`);
  const { code, stderr } = await setting.run();
  equal(code, 1);
  match(
    stderr,
    /^install\.sh: muxue_rag-1\.2\.3-\S+ has the wrong checksum, so nothing was installed\n {2}expected 0{64}\n {2}found {4}[0-9a-f]{64}\n$/,
  );
  equal(await exists(setting.folder), false);
});

posixTest("install.sh installs nothing if the program does not start", async () => {
  await using setting = await setUp("#!/bin/sh\nexit 1\n");
  const { code, stderr } = await setting.run();
  equal(code, 1);
  equal(stderr, "install.sh: the program does not start on this system, so nothing was installed\n");
  equal(await exists(setting.folder), false);
});

const NEEDS = "install.sh: muxue_rag and its npm packages need glibc 2.27 or newer, and this system has ";
const DOCKER = "; run it in Docker, for which the release has a Dockerfile\n";

for (
  const [system, getconf, ldd, has] of [
    ["glibc 2.27", "echo glibc 2.27", "exit 1", ""],
    ["glibc 3.1", "echo glibc 3.1", "exit 1", ""],
    ["glibc 2.26", "echo glibc 2.26", "exit 1", "glibc 2.26"],
    ["Ubuntu 16.04", "exit 1", "echo 'ldd (Ubuntu GLIBC 2.23-0ubuntu11.3) 2.23'", "glibc 2.23"],
    ["CentOS 7", "exit 127", "echo 'ldd (GNU libc) 2.17'", "glibc 2.17"],
    ["CentOS 8", "exit 127", "echo 'ldd (GNU libc) 2.28'", ""],
    ["Debian 12", "exit 127", "echo 'ldd (Debian GLIBC 2.36-9+deb12u10) 2.36'; echo Copyright", ""],
    ["Alpine", "exit 1", "echo 'musl libc (x86_64)' >&2; echo 'Version 1.2.3' >&2; exit 1", "musl"],
    ["a system with the loader of glibc and no tool that says so", "exit 127", "exit 127", ""],
  ] as const
) {
  const name = `install.sh on ${system} ${has === "" ? "installs the program" : "says which glibc it needs"}`;
  const fn = async () => {
    await using setting = await setUp();
    await setting.tool("getconf", getconf);
    await setting.tool("ldd", ldd);
    const { code, stderr } = await setting.run();
    deepEqual([code, stderr], has === "" ? [0, ""] : [1, `${NEEDS}${has}${DOCKER}`]);
    equal(await exists(setting.folder), has === "");
  };
  Deno.test({ name, ignore: os !== "linux", fn });
}

posixTest("install.sh reports problems of the release and of the command line", async () => {
  await using setting = await setUp(undefined, `${"0".repeat(64)}  muxue_rag-1.2.3-plan9-x64.tar.gz\n`);
  equal((await setting.run()).stderr, `install.sh: the release has nothing for ${os} ${arch}\n`);
  match((await setting.run("--frob")).stderr, /install\.sh: unknown option: --frob\n$/);
  equal((await setting.run("--to")).stderr, "install.sh: --to needs a value\n");
  equal(
    (await setting.run("--launcher")).stderr,
    "install.sh: --launcher is for the script of a clone, without --from and --version\n",
  );
  equal(
    (await setting.run("--from", "dist/relaese")).stderr,
    "install.sh: --from dist/relaese is neither a folder nor an address such as http://127.0.0.1:8000\n",
  );
  equal((await setting.run("--from", "/no folder")).stderr, "install.sh: there is no folder /no folder\n");

  await using other = await setUp();
  equal(
    (await other.run("--version", "9.9.9")).stderr,
    "install.sh: asked for version 9.9.9, found 1.2.3\n",
  );
  match(
    (await other.run("--from", `${other.address}/nowhere`)).stderr,
    /install\.sh: cannot download http:\S+\/nowhere\/SHA256SUMS\n$/,
  );
});

posixTest("install.sh tells a page from the list of a release", async () => {
  await using setting = await setUp(undefined, "<!doctype html>\n<title>Sign in</title>\n");
  const { code, stderr } = await setting.run();
  equal(code, 1);
  equal(
    stderr,
    `install.sh: ${setting.address}/SHA256SUMS is no list of checksums; is that the address of a release?\n`,
  );
});

posixTest("install.sh outside of a release and a clone names no repository", async () => {
  using temp = new TempDir();
  const script = temp.write("scripts/install.sh", await Deno.readTextFile(SCRIPT));
  const { code, stderr } = await run("sh", [script]);
  equal(code, 1);
  match(stderr, /^install\.sh: this script names no repository/);
});
