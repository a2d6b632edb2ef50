// deno-lint-ignore-file no-console -- a script prints to its terminal
/** Deno for ARM64 under qemu: a folder in the user's cache folder with the emulator, the C library and Deno. It is made once and used again. */
import { join } from "node:path";
import { CannotMake, done, installed, SUITE } from "../chroot.ts";

const DENO = "@deno/linux-arm64-glibc";
/** Debian's packages of the emulator and the libraries. Its qemu 10 needs less than half of the time that 7.2 of the release before needs. */
const PACKAGES = ["qemu-user", "libc6-arm64-cross", "libgcc-s1-arm64-cross"];
/** Where the emulator looks for the system that it imitates, without a variable: the program starts its processes with an empty environment. */
const LIBRARIES = "usr/gnemul/qemu-aarch64";

/** What files for ARM64 begin with, and which of these bits count, for the kernel's table of interpreters. */
const MAGIC = String.raw`\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00`;
const MASK = String.raw`\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff`;

/** Returns the path of a command that starts Deno for ARM64 with its arguments, and makes what it needs. Throws {@linkcode CannotMake}. */
export async function arm64Deno(): Promise<string> {
  const { os, arch } = Deno.build;
  if (os !== "linux" || arch !== "x86_64") {
    throw new CannotMake(`the emulator runs on Linux x64, not ${os} ${arch}`);
  }
  const cache = Deno.env.get("XDG_CACHE_HOME") ?? join(Deno.env.get("HOME") ?? "/root", ".cache");
  const root = join(cache, "muxue_rag-tests", `deno-arm64-${SUITE}-${Deno.version.deno}`);
  const start = join(root, "deno.sh");
  if (!isFile(start)) await make(root);
  await done(start, ["--version"]).catch((error) => {
    throw new CannotMake(
      `Deno for ARM64 does not start. It needs Linux 6.7 or newer, with binfmt_misc and user namespaces: ${error.message}`,
    );
  });
  return start;
}

async function make(root: string): Promise<void> {
  // A run that was killed leaves a part of it.
  const partial = `${root}.partial`;
  await Deno.remove(partial, { recursive: true }).catch(() => {});
  await Deno.mkdir(partial, { recursive: true });
  await installed("mmdebstrap");
  console.error(`Unpacking qemu and Deno for ARM64 into ${root} (once, about 130 MB) …`);
  const debian = join(partial, "debian");
  await done("mmdebstrap", [
    "--quiet",
    "--variant=extract",
    `--include=${PACKAGES.join(",")}`,
    SUITE,
    debian,
  ]);
  await Deno.rename(join(debian, "usr/bin/qemu-aarch64"), join(partial, "qemu"));
  await Deno.mkdir(join(partial, LIBRARIES, ".."), { recursive: true });
  await Deno.rename(join(debian, "usr/aarch64-linux-gnu"), join(partial, LIBRARIES));
  // Emulators of other processors, 440 MB.
  await Deno.remove(debian, { recursive: true });
  await unpackDeno(partial);
  // Deno's own cache of what it compiled is for one version and processor; its packages are shared.
  const { denoDir } = JSON.parse(await done(Deno.execPath(), ["info", "--json"]));
  await Deno.mkdir(join(partial, "cache"));
  await Deno.symlink(join(denoDir, "npm"), join(partial, "cache/npm"));
  await Deno.writeTextFile(join(partial, "deno.sh"), launcher(root), { mode: 0o755 });
  await Deno.remove(root, { recursive: true }).catch(() => {});
  await Deno.rename(partial, root);
}

/**
 * Programs that Deno starts, itself among them, have to find the emulator and the libraries too. So the kernel is told what runs files for ARM64, and
 * the libraries are laid over `/usr`: in a table and a view of files of the process's own (user namespace), so that nothing changes for the machine.
 */
function launcher(root: string): string {
  const entry = `:arm64:M::${MAGIC}:${MASK}:${join(root, "qemu")}:OCF`;
  return `#!/bin/sh
# Starts Deno for ARM64 under qemu. Written by scripts/arm64/machine.ts.
export DENO_DIR=${quoted(join(root, "cache"))} DENO_NO_UPDATE_CHECK=1
if [ "\${MUXUE_ARM64:-}" ]; then exec ${quoted(join(root, "deno"))} "$@"; fi
export MUXUE_ARM64=1
exec unshare --user --map-root-user --mount sh -c '
  mount -t overlay overlay -o "lowerdir=$1/usr:/usr" /usr &&
    mount -t binfmt_misc none /proc/sys/fs/binfmt_misc && printf %s "$2" > /proc/sys/fs/binfmt_misc/register || exit 1
  root=$1
  shift 2
  exec "$root/deno" "$@"' sh ${quoted(root)} ${quoted(entry)} "$@"
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Deno of this version for ARM64, or the newest that the registry has if it lacks this one. */
async function unpackDeno(folder: string): Promise<void> {
  const download = (version: string) =>
    done("npm", ["pack", "--silent", "--pack-destination", folder, `${DENO}@${version}`]);
  const name = await download(Deno.version.deno).catch(() => {
    console.error(`The registry has no ${DENO}@${Deno.version.deno}, so the newest one is taken.`);
    return download("latest");
  });
  const archive = join(folder, name.trim());
  await done("tar", ["-xzf", archive, "-C", folder, "--strip-components=1", "package/deno"]);
  await Deno.remove(archive);
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
