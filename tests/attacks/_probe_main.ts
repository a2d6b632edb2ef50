/**
 * Starts the probe worker with the permissions, and has it try at the places, that its argument gives as JSON; prints how
 * each attempt ended. It can be compiled: the runtime of executables is another.
 */
import { attemptsWith, type Probe } from "./_probe.ts";

const { permissions, places }: Probe = JSON.parse(Deno.args[0]!);
const attempts = await attemptsWith(permissions, places);
await Deno.stdout.write(new TextEncoder().encode(JSON.stringify(attempts)));
Deno.exit(0);
