/**
 * The runtime and the system that the program runs on: where the program's own files lie, permissions of threads, and this process.
 * It needs no other file, so that processes and threads that compute load only this.
 */
import { fileURLToPath } from "node:url";

/** An operating system by its name in `Deno.build.os`. All except `windows` and `darwin` follow the XDG rules. */
export type OperatingSystem = typeof Deno.build.os;

/** The operating system that the program runs on. */
export const OS: OperatingSystem = Deno.build.os;

/** Whether this is an executable, not Deno running the sources. */
export const IS_EXECUTABLE: boolean = Deno.build.standalone;

/** The version of Deno that the program is written for. The workflows, installers, texts and tests name the same one. */
export const WRITTEN_FOR = "2.9.6";

/** Whether the runtime is older than Deno 2.8. */
export const IS_OLD_RUNTIME: boolean = isBefore28(Deno.version.deno);

/** Whether the runtime leaves out names that are not UTF-8 where it lists a folder, without an error. */
export const HIDES_NAMES: boolean = IS_OLD_RUNTIME && OS === "linux";

/** Whether a version of Deno is older than 2.8. */
export function isBefore28(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major < 2 || major === 2 && minor < 8;
}

/**
 * The folder of main.ts, as a URL that ends in a slash: what the program reads or starts at run time lies below it, in
 * an executable at the same paths as in the sources. There every module is bundled into that one folder
 * (scripts/compile.ts), so that a module's own `import.meta` tells nothing of where its source lay.
 */
export const PROGRAM_ROOT: URL = new URL(IS_EXECUTABLE ? "./" : "../../", import.meta.url);

/**
 * Whether the table of word vectors, WebAssembly and packed packages lie apart from the runtime's part of the executable. On Linux
 * runtimes before Deno 2.9 copy their part into memory at every start, and they are five sixths of it. The others map it.
 */
export const FILES_ARE_APART: boolean = IS_EXECUTABLE && OS === "linux";

/**
 * Path of what a worker reads of the program's own files at run time: a folder, which in an executable is nowhere on the
 * disk, or the executable itself.
 */
export const PROGRAM_FILES: string = FILES_ARE_APART
  ? Deno.execPath()
  : fileURLToPath(new URL(IS_EXECUTABLE ? "./" : "lib/", PROGRAM_ROOT));

/** Paths of the prompts for language models where {@linkcode PROGRAM_FILES} does not contain them. */
export const PROMPT_FILES: readonly string[] = FILES_ARE_APART
  ? [fileURLToPath(new URL("lib/models/language/prompts", PROGRAM_ROOT))]
  : [];

/** Path of the built web pages below {@linkcode PROGRAM_ROOT}, and the path that a worker needs to read them. */
export const PAGES_FOLDER = "dist/pages";
export const PAGE_FILES: string = fileURLToPath(new URL(PAGES_FOLDER, PROGRAM_ROOT));

/** Number of this process. */
export const PROCESS_ID: number = Deno.pid;

/** Whether the runtime refused a call because the thread lacks the permission for it. */
export function isNotPermitted(error: unknown): boolean {
  return error instanceof Deno.errors.NotCapable;
}

/** Lets the process end while the timer runs. */
export function unrefTimer(timer: ReturnType<typeof setTimeout>): void {
  Deno.unrefTimer(timer);
}

/** No permission of any kind. */
export const NO_PERMISSIONS = {
  read: false,
  write: false,
  net: false,
  env: false,
  run: false,
  ffi: false,
  sys: false,
  import: false,
} as const satisfies Deno.PermissionOptionsObject;

/** The permissions of a thread that may read these paths and do nothing else. */
export function mayRead(paths: readonly string[]): Deno.PermissionOptionsObject {
  return { ...NO_PERMISSIONS, read: [...paths] };
}

/**
 * The permissions of a thread that opens nothing. Modules are imported when they are needed: from source that means reading the
 * program's files, and in an executable they are built in. Where files are apart from them, the thread opens the executable and then
 * gives up this permission (`lib/foundation/boundary/held_files.ts`).
 */
export function mayLoadCode(): Deno.PermissionOptionsObject | "none" {
  return IS_EXECUTABLE && !FILES_ARE_APART ? "none" : mayRead([PROGRAM_FILES]);
}

/** A kind of permission. The runtime has `import`, but its types lack it. */
export type Right = Deno.PermissionName | "import";

/** Every kind of permission. */
export const RIGHTS = Object.keys(NO_PERMISSIONS) as readonly Right[];

/** Permanently gives up all permissions of this thread except these kinds. Threads that already run keep their permissions. */
export function revokeAllBut(kept: readonly Right[]): void {
  for (const name of RIGHTS) {
    if (!kept.includes(name)) Deno.permissions.revokeSync({ name } as Deno.PermissionDescriptor);
  }
}

/** The stream of bytes on stdin. */
export function standardInput(): ReadableStream<Uint8Array<ArrayBuffer>> {
  return Deno.stdin.readable;
}

/** Writes all of `bytes` to stdout. */
export async function writeToOutput(bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await Deno.stdout.write(bytes.subarray(at));
}

/** Bytes of memory that this process takes. */
export function memoryInUse(): number {
  return Deno.memoryUsage().rss;
}

/** The environment of this process. Reading and changing it needs a permission that workers lack. */
export const environment: Pick<Deno.Env, "get" | "set"> = Deno.env;

/** Variables that switch on the telemetry of the runtime: all of it, or a part, also with `OTEL_DENO=false`. */
const TELEMETRY = ["OTEL_DENO", "OTEL_DENO_TRACING", "OTEL_DENO_METRICS", "OTEL_DENO_CONSOLE"] as const;

/** The variable that tells the runtime to send what it observes to a server; `undefined` if there is none. */
export function telemetryVariable(): string | undefined {
  return TELEMETRY.find((name) => !/^(?:|0|false|ignore)$/i.test(Deno.env.get(name) ?? ""));
}

/**
 * Says that the program does not start with telemetry. From source the runtime would send the console's output, times and addresses
 * past the permissions. It is refused in an executable too, so that one rule holds for all runtimes.
 *
 * Both languages are printed from here: the runtime also reports each garbage collection, and to find out the language or to load
 * all messages takes enough memory for one.
 */
export function refuseTelemetry(name: string): void {
  const text =
    `Error: The environment variable ${name} is set, so the program did not start: the runtime would send \
its output and other facts elsewhere, past the permissions. Unset it, or set it to false
错误：设置了环境变量 ${name}：运行时会不受权限限制，把输出等内容发送到其他地方，因此程序没有启动。请取消设置，或设为 false
`;
  Deno.stderr.writeSync(new TextEncoder().encode(text));
}
