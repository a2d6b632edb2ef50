import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { makeSandbox, NO_EXECUTABLE, type Start } from "../e2e/_program.ts";
import { breakProgram } from "./_broken_program.ts";

const KEY = "sk-very-secret-0123456789";

/** A `doctor` with a fault. The configuration names its kind as the model. */
const FAULTY = `
  import process from "node:process";
  import type { Session } from "../session.ts";

  export async function doctor({ config: { embedding: { model, api_key: key } } }: Session): Promise<number> {
    const error = () => new Error("\\u001b[31mno " + key + " here", { cause: key });
    const odd = { toString: () => { throw error(); } };
    const faults: Record<string, () => unknown> = {
      "rejection": () => Promise.reject(error()),
      "error": () => setTimeout(() => { throw error(); }),
      "several": () => { Promise.reject(error()); Promise.reject(error()); setTimeout(() => { throw error(); }); },
      "text": () => Promise.reject("\\u001b[31mno " + key + " here"),
      "odd": () => Promise.reject(odd),
      "process.exit": () => setTimeout(() => process.exit(7)),
      "Deno.exit": () => setTimeout(() => Deno.exit(7)),
      "process.exitCode": () => setTimeout(() => { process.exitCode = 7; process.exit(); }),
      "close": () => setTimeout(() => self.close()),
    };
    faults[model!]!();
    await new Promise((resolve) => setTimeout(resolve, 10_000));
    return 0;
  }
`;

/** Runs the faulty `doctor`. Returns its result and the log of the fault. */
async function run(start: Start, fault: string, ...args: string[]) {
  await using sandbox = await makeSandbox({}, start);
  const config =
    `language: en\nembedding:\n  provider: openai-compatible\n  base_url: http://127.0.0.1:9/v1\n  model: ${fault}\n` +
    `  api_key: ${KEY}\n`;
  await Deno.writeTextFile(join(sandbox.cwd, "config.yaml"), config);
  const { code, stdout, stderr } = await sandbox.run("doctor", "--quiet", ...args);
  const logs = join(sandbox.cwd, "state", "logs");
  const [file] = await Array.fromAsync(Deno.readDir(logs));
  const log = await Deno.readTextFile(join(logs, file!.name));
  equal([stdout, stderr, log].join().includes(KEY), false, "the secret is told");
  const told = log.split("\n").filter((line) => line.includes('"uncaught"'));
  return { code, stdout, stderr, log: told };
}

async function looksFine(start: Start): Promise<void> {
  const text = "no **** here. See the log for details";
  for (const fault of ["rejection", "error", "several", "text"]) {
    const { log, ...ended } = await run(start, fault);
    deepEqual(
      ended,
      { code: 1, stdout: "", stderr: `Error: Internal error: ␛[31m${text}\n` },
      fault,
    );
    equal(log.length, 1, fault);
    match(log[0]!, /"level":"ERROR","message":"uncaught".*"command":"doctor".*no \*\*\*\* here.*\\n {4}at /);
  }
  const odd = await run(start, "odd");
  deepEqual([odd.code, odd.stderr], [1, "Error: Internal error: ?. See the log for details\n"]);
  const { code, stdout } = await run(start, "rejection", "--json");
  deepEqual([code, JSON.parse(stdout)], [1, {
    code: 500,
    message: `Internal error: \u001b[31m${text}`,
    data: null,
  }]);
  for (
    const [fault, code] of [["process.exit", 7], ["Deno.exit", 7], ["process.exitCode", 7], [
      "close",
      1,
    ]] as const
  ) {
    deepEqual(await run(start, fault), { code, stdout: "", stderr: "", log: [] }, fault);
  }
}

Deno.test("an uncaught error is reported once, without secrets, and ends the program", async (t) => {
  await using program = await breakProgram({ "lib/program/commands/doctor.ts": FAULTY });
  await t.step("from source", () => looksFine(program.fromSources));
  const compiled = await program.compiled();
  await t.step({
    name: compiled === undefined ? NO_EXECUTABLE : "in an executable",
    ignore: compiled === undefined,
    fn: () => looksFine(compiled!),
  });
});
