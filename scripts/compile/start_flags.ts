import project from "../../deno.json" with { type: "json" };

/**
 * Returns the flags of `deno run` in the task `start`, permissions included, for `deno compile`. The executable thus has
 * the same permissions as the sources. Throws if the task does not have the expected form.
 */
export function startFlags(): string[] {
  const { command } = project.tasks.start;
  const [, flags] = /\bdeno run (--\S+(?: --\S+)*) "\$ROOT\/main\.ts"$/.exec(command) ?? [];
  if (flags === undefined) throw new Error(`No flags found in the task "start": ${command}`);
  return flags.split(" ");
}
