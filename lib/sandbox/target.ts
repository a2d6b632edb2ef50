import { reasonOf, UserError } from "../errors.ts";
import { isMissing, isSystemError } from "./system_error.ts";
import { isHostilePath } from "./hostile.ts";
import { comparable, expandHome, HOST_STYLE, isInside, pathModule } from "./paths.ts";
import { sensitiveReason } from "./sensitive.ts";

/** Input of {@linkcode resolveTarget}. */
export interface TargetOptions {
  /** The working folder, as a full path. */
  readonly cwd: string;
  /** True allows every sensitive folder. A list allows these folders and everything below them. */
  readonly allowSensitive: boolean | readonly string[];
  /** The user's home folder, if known. It replaces a leading `~`. */
  readonly home?: string | undefined;
}

/**
 * The real path of a folder the user named. Throws `UserError` `directory_not_found`, `directory_unreadable`,
 * `not_a_directory`, `no_permission` (each with `path`), `sensitive_directory` (`path`, `place`).
 */
export async function resolveTarget(dir: string, options: TargetOptions): Promise<string> {
  // An empty name is more likely an unset shell variable than the working folder.
  if (dir.trim() === "") throw new UserError("directory_not_found", { path: dir });
  const real = await realDirectory(fullPath(dir, options), dir);
  const reason = sensitiveReason(real, { home: options.home });
  if (reason !== null && !await isAllowed(real, reason.place, reason.scope, options)) {
    throw new UserError("sensitive_directory", { path: real, place: reason.place });
  }
  return real;
}

function fullPath(dir: string, { cwd, home }: TargetOptions): string {
  return pathModule(HOST_STYLE).resolve(cwd, expandHome(dir, home));
}

async function realDirectory(path: string, asGiven: string): Promise<string> {
  try {
    const real = await Deno.realPath(path);
    const info = await Deno.stat(real);
    if (!info.isDirectory) throw new UserError("not_a_directory", { path: asGiven });
    // Only listing it shows whether that is allowed.
    for await (const _ of Deno.readDir(real)) break;
    return real;
  } catch (error) {
    if (error instanceof UserError) throw error;
    const denied = error instanceof Deno.errors.PermissionDenied || error instanceof Deno.errors.NotCapable;
    // Nothing can exist at an invalid name, whatever error the system gives.
    const isTold = denied || isMissing(error) || isHostilePath(path) || HOST_STYLE === "windows";
    if (!isTold && isSystemError(error)) {
      const params = { path: asGiven, error: reasonOf(error) };
      throw new UserError("directory_unreadable", params, { cause: error });
    }
    throw new UserError(denied ? "no_permission" : "directory_not_found", { path: asGiven }, {
      cause: error,
    });
  }
}

/**
 * Whether the user allows a sensitive folder. A listed folder must lie inside the rule's place: `~` does not allow `~/.ssh`.
 */
async function isAllowed(
  real: string,
  place: string,
  scope: "below" | "exact",
  options: TargetOptions,
): Promise<boolean> {
  if (typeof options.allowSensitive === "boolean") return options.allowSensitive;
  for (const listed of options.allowSensitive) {
    const entry = fullPath(listed, options);
    const folder = await Deno.realPath(entry).catch(() => entry);
    if (
      scope === "exact"
        ? comparable(real) === comparable(folder)
        : isInside(real, folder) && isInside(folder, place)
    ) {
      return true;
    }
  }
  return false;
}
