import { join } from "node:path";
import { TextLineStream } from "./lines.ts";
import type { Result } from "./tried.ts";
import type { Stage } from "./types.ts";

/** The process for the tries. It is restarted whenever a try hangs. */
export class TryProcess implements AsyncDisposable {
  #process: Deno.ChildProcess | undefined;
  #lines: ReadableStreamDefaultReader<string> | undefined;
  #writer: WritableStreamDefaultWriter<Uint8Array> | undefined;

  /** `limitMs`: time limit of one stage in milliseconds. */
  constructor(readonly arena: string, readonly limitMs: number) {}

  /**
   * Runs one stage of a try. Reports a stage over the time limit as a hang, and the end of the process as an internal
   * error.
   */
  async do(kind: string, seed: number, stage: Stage): Promise<Result> {
    if (this.#process === undefined) await this.#start();
    await this.#writer!.write(new TextEncoder().encode(`${JSON.stringify([kind, seed, stage])}\n`));
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<"late">((resolve) => {
      timer = setTimeout(() => resolve("late"), this.limitMs);
    });
    const line = await Promise.race([late, this.#lines!.read()]);
    clearTimeout(timer);
    if (line !== "late" && line.value !== undefined) return JSON.parse(line.value);
    await this.#end();
    return line === "late"
      ? { outcome: "hang", detail: `no end after ${this.limitMs / 1000} s` }
      : { outcome: "internal error", detail: "the process ended" };
  }

  async #start(): Promise<void> {
    this.#process = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--quiet",
        "--no-prompt",
        "--no-check",
        "--allow-all",
        join(import.meta.dirname!, "child.ts"),
        this.arena,
      ],
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    this.#writer = this.#process.stdin.getWriter();
    this.#lines = this.#process.stdout.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream())
      .getReader();
    const { value } = await this.#lines.read();
    if (value === undefined) throw new Error("the process for the tries did not start");
  }

  async #end(): Promise<void> {
    const process = this.#process;
    this.#process = undefined;
    if (process === undefined) return;
    this.#writer!.releaseLock();
    await process.stdin.abort().catch(() => {});
    try {
      process.kill("SIGKILL");
    } catch {
      // The process has already ended.
    }
    await this.#lines!.cancel().catch(() => {});
    await process.status;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end();
  }
}
