/**
 * Which folders may be indexed, which are sensitive (systems, keys, whole homes),
 * and which may hold the logs.
 */
import { join } from "node:path";
import { reasonOf, UserError } from "#foundation/errors.ts";
import { OS } from "#foundation/runtime.ts";
import {
  comparable,
  expandHome,
  HOST_STYLE,
  isDenied,
  isFullPath,
  isHostilePath,
  isInside,
  isMissing,
  isSystemError,
  pathModule,
  type PathStyle,
} from "./paths.ts";

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
  // In `--dir "C:\Docs\"`, Windows takes `\"` for a quotation mark, which no name there can have.
  const path = HOST_STYLE === "windows" ? dir.replace(/"$/, "") : dir;
  return pathModule(HOST_STYLE).resolve(cwd, expandHome(path, home));
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
    const denied = isDenied(error);
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

/** Whether the user allows a sensitive folder. A listed folder must lie inside the rule's place: `~` does not allow `~/.ssh`. */
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

/** The reason why a folder is sensitive. */
export interface SensitiveReason {
  /** Full path of the rule that applies. */
  readonly place: string;
  /** `below`: the place and everything in it. `exact`: only this folder, because it contains too much. */
  readonly scope: "below" | "exact";
}

/** Facts about the machine for {@linkcode sensitiveReason}. */
export interface SensitiveOptions {
  /** The user's home folder, if known. */
  readonly home?: string | undefined;
  /** Default: that of the running system. */
  readonly style?: PathStyle;
  /** Whether the rules of macOS apply, which also ignore case. Default: true when running there. */
  readonly darwin?: boolean;
  /** The real path of a rule's place. Default: asks the running system; the place itself for another system. */
  readonly realOf?: (place: string) => string;
}

/** A rule, with the places inside it that stay allowed. */
interface Rule extends SensitiveReason {
  readonly except?: readonly string[];
}

const POSIX_BELOW = [
  "/etc /root /proc /sys /dev /boot /bin /sbin /lib /lib32 /lib64 /libx32 /lost+found",
  "/usr/bin /usr/sbin /usr/lib /usr/lib32 /usr/lib64 /usr/libx32 /usr/libexec /usr/local/bin /usr/local/sbin /usr/local/etc",
  "/var/lib /var/log /var/run /var/lock /var/spool /var/cache /var/backups /var/mail /var/db",
].flatMap((line) => line.split(" "));

// Removable drives of a desktop session are mounted here.
const RUN_EXCEPT = ["/run/media"];

const POSIX_EXACT = "/ /home /usr /var /opt /run/media".split(" ");

// `/private/var/folders` is left out on purpose: every user's temporary folder is there.
const DARWIN_BELOW = [
  "/System /Library /private/etc /private/var/db /private/var/root /private/var/log /private/var/run /private/var/spool",
  "/private/var/protected /private/var/vm /cores",
].flatMap((line) => line.split(" "));

const DARWIN_EXACT = "/Users /Volumes /Applications /private /private/var".split(" ");

const WINDOWS_BELOW = [
  "Windows",
  "Program Files",
  "Program Files (x86)",
  "Program Files (Arm)",
  "ProgramData",
  "Recovery",
  "System Volume Information",
  "$Recycle.Bin",
];

const WINDOWS_EXACT = ["", "Users", "Documents and Settings"];

/** Keys, tokens, passwords, mail and browser profiles, below a home folder, on every system. */
const HOME_BELOW = [
  ".ssh .gnupg .aws .azure .kube .docker .config .local .cache .password-store .pki .oci .terraform.d .vault-token",
  ".mozilla .thunderbird .gem .cargo .npm .m2 .gradle .putty .step .minikube .Trash",
].flatMap((line) => line.split(" "));

const HOME_BELOW_DARWIN = [
  "Library/Keychains",
  "Library/Application Support",
  "Library/Containers",
  "Library/Group Containers",
  "Library/Cookies",
  "Library/Mail",
  "Library/Messages",
  "Library/Safari",
  "Library/Accounts",
  "Library/Preferences",
];

/**
 * Why the folder at `realPath` (a real path, without links) must not be indexed or served unless the user allows it; null if
 * it may be. System folders and the places of keys in every home folder are refused with everything below them. A whole
 * drive, a whole home folder and the parent folder of all homes are refused only as a whole.
 *
 * A rule applies to its place as written and with links resolved, because the path of a home folder may contain a link, and
 * `.ssh` may be one.
 */
export function sensitiveReason(realPath: string, options: SensitiveOptions = {}): SensitiveReason | null {
  for (const reason of sensitiveReasons(realPath, options)) return reason;
  return null;
}

/** All reasons of {@linkcode sensitiveReason}. */
export function* sensitiveReasons(
  realPath: string,
  options: SensitiveOptions = {},
): Generator<SensitiveReason, void, void> {
  const style = options.style ?? HOST_STYLE;
  const darwin = options.darwin ?? (style === HOST_STYLE && OS === "darwin");
  // Disks that ignore case, Unicode's form and invisible characters are found on Linux, too. The capital of `ſ` is `S`.
  const fold = (path: string) =>
    comparable(path, style).replace(/\p{Default_Ignorable_Code_Point}/gu, "").normalize("NFC").toUpperCase()
      .toLowerCase();
  const path = fold(darwin ? withoutDataVolume(realPath) : realPath);

  const realOf = options.realOf ?? (style === HOST_STYLE ? realOrSame : (place: string) => place);
  const both = (place: string) => new Set([place, realOf(place)]);

  const rules = style === "windows" ? windowsRules(realPath) : posixRules(darwin);
  for (const home of homes(realPath, options.home, style, darwin, both)) {
    rules.push(...homeRules(home, style, darwin));
  }

  // An exception allows the places below it, not the place itself.
  const open = rules.flatMap(({ except = [] }) => except).flatMap((each) => [...both(each)])
    .filter((each) => isInside(path, fold(each), style) && path !== fold(each));
  for (const { place: named, scope } of rules) {
    for (const place of both(named)) {
      const folded = fold(place);
      const isOpen = open.some((each) => isInside(fold(each), folded, style));
      const holds = path === folded || scope === "below" && isInside(path, folded, style) && !isOpen;
      if (holds) yield { place, scope };
    }
  }
}

function realOrSame(place: string): string {
  try {
    return Deno.realPathSync(place);
  } catch {
    // Nothing exists there, or access is refused.
    return place;
  }
}

function posixRules(darwin: boolean): Rule[] {
  const below = darwin ? [...POSIX_BELOW, ...DARWIN_BELOW] : POSIX_BELOW;
  const exact = darwin ? [...POSIX_EXACT, ...DARWIN_EXACT] : [...POSIX_EXACT, "/Users"];
  return [
    ...exact.map((place): Rule => ({ place, scope: "exact" })),
    ...below.map((place): Rule => ({ place, scope: "below" })),
    { place: "/run", scope: "below", except: RUN_EXCEPT },
  ];
}

function windowsRules(path: string): Rule[] {
  const drive = driveOf(path);
  if (drive === null) return [];
  return [
    ...WINDOWS_EXACT.map((name): Rule => ({ place: drive + name, scope: "exact" })),
    ...WINDOWS_BELOW.map((name): Rule => ({ place: drive + name, scope: "below" })),
  ];
}

/** `C:\`, or `\\server\C$\` for a shared drive; null for any other share. */
function driveOf(path: string): string | null {
  const normal = pathModule("windows").normalize(path);
  return /^[a-z]:\\/i.exec(normal)?.[0] ??
    /^\\\\[^\\]+\\[a-z]\$(?:\\|$)/i.exec(normal)?.[0].replace(/\\?$/, "\\") ??
    null;
}

function homeRules(home: string, style: PathStyle, darwin: boolean): Rule[] {
  const { dirname, join } = pathModule(style);
  const below = darwin ? [...HOME_BELOW, ...HOME_BELOW_DARWIN] : HOME_BELOW;
  const rules = [
    { place: home, scope: "exact" } as Rule,
    // Homes may lie elsewhere than in the usual place, such as `/data/homes`.
    { place: dirname(home), scope: "exact" } as Rule,
    ...below.map((name): Rule => ({ place: join(home, name), scope: "below" })),
  ];
  if (darwin) rules.push({ place: join(home, "Library"), scope: "exact" });
  if (style === "windows") {
    const temp = join(home, "AppData", "Local", "Temp");
    rules.push({ place: join(home, "AppData"), scope: "below", except: [temp] });
  }
  return rules;
}

/** The user's home folder, and any other user's home folder that contains `path`. */
function homes(
  path: string,
  own: string | undefined,
  style: PathStyle,
  darwin: boolean,
  both: (place: string) => Iterable<string>,
): string[] {
  const found = own !== undefined && isFullPath(own, style) ? [...both(own)] : [];
  const other = style === "windows"
    ? /^[a-z]:\\(?:users|documents and settings)\\[^\\]+/i.exec(pathModule(style).normalize(path))
    : (darwin ? /^\/(?:users|home)\/[^/]+/i : /^\/(?:Users|home)\/[^/]+/).exec(
      pathModule(style).normalize(path),
    );
  // The folder that all users share is not a home folder.
  if (other && !/^(?:public|shared)$/i.test(pathModule(style).basename(other[0]))) found.push(other[0]);
  return found;
}

/** macOS has two paths for its writable volume: `/System/Volumes/Data/Users/me` is `/Users/me`. */
function withoutDataVolume(path: string): string {
  return /^\/System\/Volumes\/Data(\/.*)$/i.exec(path)?.[1] ?? path;
}

/**
 * Returns whether a folder is too large for write permission: a drive, a home folder, a whole system or key folder, or a
 * folder that contains or is one of `others`. All paths are real paths.
 */
export function holdsTooMuch(
  folder: string,
  others: readonly string[],
  home: string | undefined,
): boolean {
  const reason = sensitiveReason(folder, { home });
  if (reason !== null && (reason.scope === "exact" || comparable(reason.place) === comparable(folder))) {
    return true;
  }
  return [...others, ...(home === undefined ? [] : [home])].some((other) => isInside(other, folder));
}

/** Input of {@linkcode whyNoLogs}. All paths are real paths. */
export interface LogPlaceOptions {
  /** The user's home folder, if known. */
  readonly home: string | undefined;
  /** The program's state folder, which is always allowed. */
  readonly stateDir: string;
}

/** Places of the system and of a home folder where programs usually keep logs. */
const OF_THE_SYSTEM = ["/var/log", "/var/lib", "/var/cache", "/private/var/log"];
const OF_A_HOME = [".local", ".cache", "Library/Application Support", "AppData/Local"];

/**
 * The system folder or place of keys that contains the log folder `dir` (a real path) and makes it unsuitable; null if it is
 * suitable. Another program could read a log file in such a place as its settings. A home folder, also that of root, is not
 * such a place itself.
 */
export function whyNoLogs(dir: string, { home, stateDir }: LogPlaceOptions): string | null {
  if (isInside(dir, stateDir)) return null;
  const open = [...OF_THE_SYSTEM, ...(home === undefined ? [] : OF_A_HOME.map((name) => join(home, name)))];
  for (const { place } of sensitiveReasons(dir, { home })) {
    const isHome = home !== undefined && comparable(place) === comparable(home);
    const isOpen = open.some((each) =>
      isInside(each, place) && isInside(dir, each) && comparable(dir) !== comparable(each)
    );
    if (!isHome && !isOpen) return place;
  }
  return null;
}
