/**
 * Starts the probe worker with the permissions and places of its argument, as JSON, and prints the result of each attempt. It
 * can be compiled, because the runtime of executables differs.
 */
import { attemptsWith, type Probe } from "./_probe.ts";

const { permissions, places }: Probe = JSON.parse(Deno.args[0]!);
const attempts = await attemptsWith(permissions, places);
await Deno.stdout.write(new TextEncoder().encode(JSON.stringify(attempts)));
Deno.exit(0);
