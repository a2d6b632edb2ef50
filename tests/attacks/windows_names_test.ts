/**
 * Names with which Windows opens another path than they seem to name. The functions are pure, so that the tests run on
 * every system.
 */
import { equal } from "node:assert/strict";
import { isFullPath, isHostilePath, isInside, isNetworkPath } from "#foundation/boundary/mod.ts";

const ROOT = "C:\\docs";

/** The verdict on a path that a client sends for the folder `C:\docs`. */
function judged(path: string): "hostile" | "outside" | "network" | "inside" | "relative" {
  if (isHostilePath(path, "windows")) return "hostile";
  if (isNetworkPath(path, "windows")) return "network";
  if (!isFullPath(path, "windows")) return "relative";
  return isInside(path, ROOT, "windows") ? "inside" : "outside";
}

const ATTACKS: Record<string, readonly [verdict: ReturnType<typeof judged>, ...paths: string[]]> = {
  "prefixes that turn the rules of paths off": [
    "hostile",
    "\\\\?\\C:\\docs\\a.txt",
    "\\\\?\\C:\\docs\\..\\Windows\\win.ini",
    "\\\\?\\UNC\\server\\share\\a.txt",
    "\\\\?\\GLOBALROOT\\Device\\HarddiskVolume1\\a.txt",
    "\\\\?\\Volume{b75e2c83-0000-0000-0000-602f00000000}\\a.txt",
    "\\\\.\\C:\\docs\\a.txt",
    "\\\\.\\pipe\\docker_engine",
    "\\\\.\\PhysicalDrive0",
    "//?/C:/docs/a.txt",
    "//./C:/docs/a.txt",
    "\\/?\\C:\\docs\\a.txt",
    "/\\.\\C:\\docs\\a.txt",
    "\\??\\C:\\docs\\a.txt",
    "/??/C:/docs/a.txt",
    "\\\\?",
    "\\\\.",
  ],
  "devices, in any folder and with any extension": [
    "hostile",
    ..."CON PRN AUX NUL COM1 COM9 LPT1 LPT9 COM¹ COM² COM³ LPT¹ CONIN$ CONOUT$ CLOCK$".split(" ").flatMap((
      name,
    ) => [
      name,
      name.toLowerCase(),
      `C:\\docs\\${name}`,
      `C:\\docs\\${name}.txt`,
      `C:\\docs\\${name}.tar.gz`,
      `C:\\docs\\${name} .txt`,
      `C:\\docs\\${name}\\a.txt`,
      `C:/docs/sub/${name}`,
    ]),
  ],
  "other streams of a file": [
    "hostile",
    "C:\\docs\\file.txt::$DATA",
    "C:\\docs\\file.txt:secret",
    "C:\\docs\\file.txt:secret:$DATA",
    "C:\\docs::$INDEX_ALLOCATION\\file.txt",
    "C:\\docs:$I30:$INDEX_ALLOCATION\\file.txt",
    "file.txt:",
    ":file.txt",
  ],
  "ends that the system cuts off": [
    "hostile",
    "C:\\docs\\file.txt.",
    "C:\\docs\\file.txt...",
    "C:\\docs\\file.txt ",
    "C:\\docs\\file.txt. .",
    "C:\\docs.\\file.txt",
    "C:\\docs \\file.txt",
    "C:\\docs\\.. \\secret.txt",
    "C:\\docs\\.. .\\secret.txt",
    "C:\\docs\\...\\secret.txt",
    "C:\\docs\\....\\secret.txt",
    ".env.",
    ".env ",
  ],
  "paths that hang on the drive or its current folder": [
    "hostile",
    "C:secret.txt",
    "C:",
    "D:..\\secret.txt",
    "C:docs\\a.txt",
  ],
  "NUL bytes and other characters that no name holds": [
    "hostile",
    "C:\\docs\\a.txt\0.png",
    "C:\\docs\\a\u0001.txt",
    "C:\\docs\\a?.txt",
    "C:\\docs\\*.txt",
    "C:\\docs\\<.txt",
    'C:\\docs\\"..\\secret.txt"',
    "C:\\docs\\a|b",
    "C:\\docs\\a\n.txt",
  ],
  "other places": [
    "outside",
    "C:\\docs\\..\\Windows\\win.ini",
    "C:\\docs/../Windows/win.ini",
    "C:/docs\\sub/..\\../Windows",
    "C:\\docs-secret\\a.txt",
    "C:\\docs2",
    "C:\\",
    "D:\\docs\\a.txt",
    "C:\\DOCS~1\\a.txt",
    "c:\\Docs\\..\\..\\..\\docs2\\a.txt",
  ],
  "other machines, which would be told who asks": [
    "network",
    "\\\\server\\share\\a.txt",
    "//server/share/a.txt",
    "\\/server\\share",
    "\\\\127.0.0.1\\C$\\docs\\a.txt",
    "\\\\localhost\\C$\\docs\\a.txt",
    "\\\\server@SSL@443\\share\\a.txt",
  ],
  "paths that start at the root of a drive that is not named, which are taken as relative": [
    "relative",
    "\\Windows\\win.ini",
    "/Windows",
  ],
  "honest paths": [
    "inside",
    "C:\\docs",
    "c:\\DOCS\\a.txt",
    "C:/docs/sub/../a.txt",
    "C:\\docs\\100%.txt",
    "C:\\docs\\%2e%2e\\a.txt",
  ],
};

for (const [name, [verdict, ...paths]] of Object.entries(ATTACKS)) {
  Deno.test(`on Windows, ${name}: ${verdict}`, () => {
    for (const path of paths) equal(judged(path), verdict, JSON.stringify(path));
  });
}
