import type { Sandbox } from "./_program.ts";
import { spawnIn } from "./_spawn.ts";

/** The real program as a server over HTTP. */
export interface HttpProgram extends AsyncDisposable {
  /** Address of the endpoint. */
  readonly url: URL;
  readonly pid: number;
  /** What it has written on stderr so far. */
  stderr(): string;
  /** Asks it to end, as Ctrl-C does, and returns its exit code. */
  end(): Promise<number>;
}

/** Starts `serve --http --port 0` for the sandbox's folder, with further arguments. Its stdin ends at once. */
export async function startHttpProgram(
  sandbox: Pick<Sandbox, "env" | "cwd" | "folder" | "start">,
  ...more: string[]
): Promise<HttpProgram> {
  const child = spawnIn(
    sandbox,
    sandbox.start(["serve", "--http", "--port", "0", "--dir", sandbox.folder, ...more]),
  );
  await child.stdin.close();
  void child.stdout.cancel();
  let stderr = "";
  const { promise: listening, resolve, reject } = Promise.withResolvers<URL>();
  const reading = (async () => {
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
      stderr += text;
      const [address] = /https?:\/\/\S+?\/mcp/.exec(stderr) ?? [];
      if (address !== undefined && stderr.includes("\n")) resolve(new URL(address));
    }
    reject(new Error(`the server has ended: ${stderr}`));
  })();
  const end = async () => {
    try {
      child.kill("SIGTERM");
    } catch {
      // It has ended.
    }
    const { code } = await child.status;
    await reading;
    return code;
  };
  try {
    return {
      url: await listening,
      pid: child.pid,
      stderr: () => stderr,
      end,
      [Symbol.asyncDispose]: async () => void await end(),
    };
  } catch (error) {
    await end();
    throw error;
  }
}
