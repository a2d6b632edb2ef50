/** The program's launcher; in the end it tells on stderr how it ended and what rights it has left. */
import { surroundings } from "../../lib/cli/mod.ts";
import { launch } from "../../lib/launch/mod.ts";
import { RIGHTS } from "../../lib/launch/rights.ts";

const code = await launch(Deno.args, surroundings(), "0.0.0");
const left = RIGHTS.filter((name) =>
  Deno.permissions.requestSync({ name } as Deno.PermissionDescriptor).state === "granted"
);
await Deno.stderr.write(new TextEncoder().encode(`\nleft: ${JSON.stringify({ code, left })}`));
Deno.exit(code);
