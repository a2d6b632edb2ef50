import { equal } from "node:assert/strict";
import { reasonOf } from "#foundation/errors.ts";

Deno.test("reasonOf() returns the system's message, and for a missing permission the runtime's message without its advice", () => {
  const read = 'Requires read access to "/a, b"';
  equal(reasonOf(new Error("disk on fire, run again")), "disk on fire, run again");
  equal(reasonOf("text"), "text");
  for (
    const advice of [
      "run again with the --allow-read flag",
      "specify the required permissions during compilation using `deno compile --allow-read`",
    ]
  ) {
    equal(
      reasonOf(new Deno.errors.NotCapable(`${read}, ${advice}`)),
      'not among what this command may do: read access to "/a, b"',
    );
    equal(
      reasonOf(new Deno.errors.NotCapable(`Requires sys access, ${advice}`)),
      "not among what this command may do: sys access",
    );
  }
});
