/** Runs the program like main.ts, then prints the exit code and the permissions that are left on stderr. */
import { run, runInWorker, systemFacts, systemIo } from "#program/mod.ts";
import { RIGHTS } from "#foundation/runtime.ts";

const code = await run(Deno.args, systemIo(systemFacts()), "0.0.0", runInWorker);
const left = RIGHTS.filter((name) =>
  Deno.permissions.requestSync({ name } as Deno.PermissionDescriptor).state === "granted"
);
await Deno.stderr.write(new TextEncoder().encode(`\nleft: ${JSON.stringify({ code, left })}`));
Deno.exit(code);
