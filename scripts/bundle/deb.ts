import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { ArchiveFile } from "./archive_file.ts";
import { fill } from "./fill.ts";
import { tarGz } from "./tar.ts";
import type { Executable, Made, Release } from "./types.ts";

/** Debian's names of the processors. */
const ARCHITECTURES = { x64: "amd64", arm64: "arm64" } as const;

/** The templates of the files in a package, by their paths there. `NAME` stands for the name of the package. */
const FILES: Readonly<Record<string, string>> = {
  "usr/share/doc/NAME/changelog.gz": "packaging/debian/changelog",
  "usr/share/doc/NAME/copyright": "packaging/debian/copyright",
  "usr/share/lintian/overrides/NAME": "packaging/debian/lintian-overrides",
  "usr/share/man/man1/muxue_rag.1.gz": "packaging/debian/muxue_rag.1",
};

/**
 * Makes a Debian package of each executable for Linux, without the tools of Debian: an `ar` archive of two compressed tar
 * archives. It runs no script at installation. Format: deb(5).
 */
export function* debianPackages(release: Release): Generator<Made & { readonly executable: Executable }> {
  for (const executable of release.executables) {
    if (executable.os !== "linux") continue;
    const name = release.values["debian_package"]!, version = release.values["version"]!;
    const architecture = ARCHITECTURES[executable.arch];
    const files = filesOf(release, executable, name);
    const kib = files.reduce((sum, { content }) => sum + Math.ceil(content.length / 1024), 0);
    const control = fill(release.templates["packaging/debian/control"]!, {
      ...release.values,
      architecture,
      installed_kib: String(kib),
    });
    const sums = files.map(({ path, content }) =>
      `${createHash("md5").update(content).digest("hex")}  ${path}\n`
    );
    const about = [textFile("control", control), textFile("md5sums", sums.join(""))];
    const content = ar([
      ["debian-binary", Buffer.from("2.0\n")],
      ["control.tar.gz", tarGz(withFolders(about), release.time)],
      ["data.tar.gz", tarGz(withFolders(files), release.time)],
    ], release.time);
    yield { executable, path: `${name}_${version}_${architecture}.deb`, content };
  }
}

function filesOf(
  { values, templates, licenses, time }: Release,
  { content }: Executable,
  name: string,
): ArchiveFile[] {
  const date = time.toUTCString().replace("GMT", "+0000");
  const texts = Object.entries(FILES).map(([path, template]) =>
    packedIf(textFile(path.replace("NAME", name), fill(templates[template]!, { ...values, date })))
  );
  // The licence of the program is in the file `copyright`.
  const others = licenses.filter(({ path }) => path !== "LICENSE")
    .map((file) => packedIf({ ...file, path: `usr/share/doc/${name}/${file.path}.gz` }));
  const program = { path: "usr/bin/muxue_rag", content, executable: true };
  return [program, ...texts, ...others].sort((a, b) => a.path < b.path ? -1 : 1);
}

function textFile(path: string, text: string): ArchiveFile {
  return { path, content: new TextEncoder().encode(text) };
}

/** Packs the content of a file whose name says that it is packed. */
function packedIf(file: ArchiveFile): ArchiveFile {
  return file.path.endsWith(".gz") ? { ...file, content: gzipSync(file.content, { level: 9 }) } : file;
}

/** The files with paths as dpkg writes them, each after its folders. */
function withFolders(files: readonly ArchiveFile[]): ArchiveFile[] {
  const all = new Map<string, ArchiveFile>();
  for (const file of files) {
    const parts = `./${file.path}`.split("/");
    for (let count = 1; count < parts.length; count++) {
      const path = `${parts.slice(0, count).join("/")}/`;
      if (!all.has(path)) all.set(path, { path, content: new Uint8Array() });
    }
    all.set(file.path, { ...file, path: `./${file.path}` });
  }
  return [...all.values()];
}

function ar(members: readonly (readonly [name: string, content: Uint8Array])[], time: Date): Uint8Array {
  const seconds = String(Math.floor(time.getTime() / 1000));
  const parts: Uint8Array[] = [Buffer.from("!<arch>\n")];
  for (const [name, content] of members) {
    const fields = [[name, 16], [seconds, 12], ["0", 6], ["0", 6], ["100644", 8], [
      String(content.length),
      10,
    ]] as const;
    parts.push(Buffer.from(`${fields.map(([text, width]) => text.padEnd(width)).join("")}\`\n`), content);
    // Each member begins at an even place.
    if (content.length % 2 === 1) parts.push(Buffer.from("\n"));
  }
  return Buffer.concat(parts);
}
