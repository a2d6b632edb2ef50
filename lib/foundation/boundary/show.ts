/**
 * Showing something to the user outside of the terminal: an address of this program in the browser, a file in the file manager. The
 * system's own programs do it, started without a shell. A file is never opened: its folder is, with the file selected.
 */
import { fileURLToPath, pathToFileURL } from "node:url";
import { IS_EXECUTABLE, OS, PAGES_FOLDER, PROGRAM_ROOT } from "#foundation/runtime.ts";

/** The target to show: an address of the pages, or the full path of a file. */
export type Shown = { readonly address: string } | { readonly file: string };

/** Addresses that may be opened: those of the pages on this machine, with their code. */
const ADDRESS = /^http:\/\/(?:127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?\/(?:ingestion)?#code=[\w-]+$/;

/** Whether this machine has a place to show something: on Linux not without a desktop. */
export function canShow(env: Readonly<Record<string, string | undefined>>, os = OS): boolean {
  return os !== "linux" ||
    (env["DISPLAY"] ?? env["WAYLAND_DISPLAY"] ?? "") !== "";
}

/** The program and its arguments that show something; `undefined` for what must not be shown. */
export function showCommand(shown: Shown, os: typeof OS = OS): readonly string[] | undefined {
  if ("address" in shown) {
    const { address } = shown;
    if (!ADDRESS.test(address)) return undefined;
    if (os === "windows") {
      return ["rundll32.exe", "url.dll,FileProtocolHandler", address];
    }
    return [os === "darwin" ? "open" : "xdg-open", address];
  }
  const { file } = shown;
  if (os === "windows") {
    // Without quotes a comma or a space in a name would end the path, and Explorer opens what it is given alone.
    return /^(?:[a-z]:|\\)\\[^"]+$/i.test(file) ? ["explorer.exe", `/select,"${file}"`] : undefined;
  }
  if (!file.startsWith("/")) return undefined;
  if (os === "darwin") return ["open", "-R", file];
  // A comma would end the item of the list.
  const uri = pathToFileURL(file).href.replaceAll(",", "%2C");
  return [...["dbus-send", "--session", "--type=method_call", "--dest=org.freedesktop.FileManager1"], ...[
    "/org/freedesktop/FileManager1",
    "org.freedesktop.FileManager1.ShowItems",
  ], ...[`array:string:${uri}`, "string:"]];
}

/** Shows something, as far as the system can. It needs the permission `run` and no other. */
export function show(shown: Shown): void {
  const [program, ...args] = showCommand(shown) ?? [];
  if (program === undefined) return;
  try {
    // On Windows a program parses its own arguments, which stand here as it wants them.
    const raw = { args, windowsRawArguments: true };
    const options = { ...raw, stdin: "null", stdout: "null", stderr: "null" } as const;
    const child = new Deno.Command(program, options).spawn();
    // The browser may stay open longer than this program.
    child.unref();
    child.status.catch(() => {});
  } catch {
    // There is no such program. The address stands in the terminal.
  }
}

/**
 * Builds the web pages where the program runs from source and has none yet. Returns the words of a failure. It needs the permissions of the
 * launcher.
 */
export async function buildPages(): Promise<string | undefined> {
  if (IS_EXECUTABLE) return undefined;
  const root = fileURLToPath(PROGRAM_ROOT);
  try {
    await Deno.stat(new URL(`${PAGES_FOLDER}/files.json`, PROGRAM_ROOT));
    return undefined;
  } catch {
    // They are not built.
  }
  const args = ["run", "--quiet", "--no-prompt", "--allow-all", `--config=${root}deno.json`];
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args, `${root}scripts/pages/build.ts`],
    env: { DENO_NO_UPDATE_CHECK: "1" },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).output();
  return success ? undefined : new TextDecoder().decode(stderr).trim();
}
