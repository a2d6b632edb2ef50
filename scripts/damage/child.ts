/**
 * The process in which the tries are done: it may hang, and is ended then. Orders come on stdin, a line of JSON each
 * (`[kind, seed, stage]`), and results go to stdout, a line each.
 */
import { TextLineStream } from "./lines.ts";
import { Tries } from "./tried.ts";

const write = (value: unknown) =>
  Deno.stdout.writeSync(new TextEncoder().encode(`${JSON.stringify(value)}\n`));
const tries = await Tries.start(Deno.args[0]!);
write("ready");
for await (
  const line of Deno.stdin.readable.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream())
) {
  const [kind, seed, stage] = JSON.parse(line);
  write(await tries.do(kind, seed, stage));
}
