/** The program's launcher. After the worker has finished, it prints the permissions that the launcher still has. */
import { run, runInWorker, systemFacts, systemIo } from "#program/mod.ts";
import { RIGHTS } from "#foundation/runtime.ts";

const { args } = Deno;
await run(args, systemIo(systemFacts()), "0.0.0", runInWorker);
const granted: string[] = [];
for (const name of RIGHTS) {
  const right = { name } as Deno.PermissionDescriptor;
  if ((await Deno.permissions.query(right)).state === "granted") granted.push(name);
  if ((await Deno.permissions.request(right)).state === "granted") granted.push(`${name}, when asked for`);
}
const reading = await Deno.readTextFile(import.meta.filename!).then(() => "done", (error) => error.name);
const rights = { granted, reading };
await Deno.stdout.write(new TextEncoder().encode(`rights: ${JSON.stringify(rights)}`));
// The worker waits for this message.
Deno.exit(0);
