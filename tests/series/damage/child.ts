/**
 * The process that runs the tries; it is killed if it hangs. It reads one JSON line for each stage from stdin (`[kind,
 * seed, stage]`) and writes one line for each result to stdout.
 */
import process from "node:process";
import { createInterface } from "node:readline";
import { Tries } from "./tried.ts";

const write = (value: unknown) =>
  Deno.stdout.writeSync(new TextEncoder().encode(`${JSON.stringify(value)}\n`));
const tries = await Tries.start(Deno.args[0]!);
write("ready");
for await (const line of createInterface({ input: process.stdin })) {
  const [kind, seed, stage] = JSON.parse(line);
  write(await tries.do(kind, seed, stage));
}
