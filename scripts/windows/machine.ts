/** Running programs in a fresh Windows (Wine): whatever they write on its drive is gone when they end. */
import { fileURLToPath } from "node:url";
import { ENTER, PREFIX, type WindowsRoot, WINE } from "./root.ts";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));

/** The repository, as programs there see it. */
export const REPOSITORY_THERE = "C:\\muxue_rag";

export interface RunOptions {
  /** Arguments of `deno.exe`, which starts in {@linkcode REPOSITORY_THERE}. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Paths of folders here by their names on drive C:; what is written there stays. */
  readonly folders?: Readonly<Record<string, string>>;
  /** Default: those of this process. */
  readonly stdio?: Pick<Deno.CommandOptions, "stdin" | "stdout" | "stderr">;
}

const INHERITED = { stdin: "inherit", stdout: "inherit", stderr: "inherit" } as const;

/**
 * Mounts a layer in memory over drive C: and the repository. Only the cache of compiled modules is kept, which saves a minute. Wine takes a
 * package's mark "warned already" from the module cache, so that has a layer too.
 */
const MOUNT = `
set -e
root=$1 repository=$2 packages=$3 deno=$4 folders=$5
shift 5
layer() { # LOWER AT NAME
  mkdir -p "$root/srv/run/$3/upper" "$root/srv/run/$3/work" "$2"
  mount -t overlay none -o "lowerdir=$1,upperdir=$root/srv/run/$3/upper,workdir=$root/srv/run/$3/work" "$2"
}
drive="$root/${PREFIX}/drive_c"
mkdir -p "$root/srv/run" "$root/srv/modules"
echo 127.0.0.1 localhost > "$root/etc/hosts"
mount -t proc proc "$root/proc"
mount -t tmpfs none "$root/tmp"
mount -t tmpfs none "$root/srv/run"
layer "$root/${PREFIX}" "$root/${PREFIX}" windows
layer "$repository" "$drive/muxue_rag" repository
mkdir -p "$drive/deno/modules"
mount --bind "$root/srv/modules" "$drive/deno/modules"
layer "$packages" "$drive/deno/modules/npm" packages
touch "$drive/deno/deno.exe"
mount --bind "$deno" "$drive/deno/deno.exe"
while [ "$folders" -gt 0 ]; do
  mkdir -p "$drive/$1"
  mount --bind "$2" "$drive/$1"
  shift 2
  folders=$((folders - 1))
done
exec chroot "$root" /usr/bin/env -i "$@"
`;

/** Starts `deno.exe`. The process ends with all processes that it started. */
export function inWindows(there: WindowsRoot, options: RunOptions): Deno.Command {
  const { args, env = {}, folders = {}, stdio = INHERITED } = options;
  const variables = {
    ...WINE,
    DENO_DIR: "C:\\deno\\modules",
    DENO_NO_UPDATE_CHECK: "1",
    NO_COLOR: "1",
    ...env,
  };
  const start = `cd /${PREFIX}/drive_c/muxue_rag && exec wine C:/deno/deno.exe "$@"`;
  const mounts = Object.entries(folders).flat();
  return new Deno.Command(ENTER[0]!, {
    args: [
      ...[...ENTER.slice(1), "sh", "-c", MOUNT, "sh", there.root, REPOSITORY, there.packages, there.deno],
      ...[`${mounts.length / 2}`, ...mounts],
      ...Object.entries(variables).map(([name, value]) => `${name}=${value}`),
      ...["sh", "-c", start, "sh", ...args],
    ],
    ...stdio,
  });
}
