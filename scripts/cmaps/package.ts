import { createHash } from "node:crypto";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/** The package of the version of pdf.js that `unpdf` holds, pinned by the SHA-512 of its archive in base64. */
export const PDFJS = {
  spec: "pdfjs-dist@6.1.200",
  integrity: "o8MolyzirkkLrcdsae/HEOiIcXWI7DS5zGpvqW8xTC2YUsW30rltFw2bDGvw/fskUdEMrQm2br68jzDS5BH2vw==",
};

/** Fetches the archive by `npm pack` and gives its CMaps by name. Throws where it is not the archive wanted. */
export async function packageFiles({ spec, integrity }: typeof PDFJS): Promise<Map<string, Uint8Array>> {
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
    if (found !== integrity) throw new Error(`${spec} has SHA-512 ${found}, wanted ${integrity}`);
    return cmapsOf(gunzipSync(archive));
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

/** The files `cmaps/NAME.bcmap` of a tar archive (ustar), by NAME. */
function cmapsOf(tar: Uint8Array): Map<string, Uint8Array> {
  const text = (from: number, to: number) =>
    new TextDecoder().decode(tar.subarray(from, to)).replace(/\0.*$/s, "");
  const files = new Map<string, Uint8Array>();
  for (let at = 0; at + 512 <= tar.length;) {
    const size = parseInt(text(at + 124, at + 136), 8) || 0;
    const name = /^package\/cmaps\/(.+)\.bcmap$/.exec(text(at, at + 100))?.[1];
    if (name !== undefined) files.set(name, tar.subarray(at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}
