import project from "../../deno.json" with { type: "json" };

/**
 * What the program may do and how it is run, as flags of `deno run` and `deno compile`: those of the task `start`, so
 * that the executable gets no more than the sources do. Throws when the task is written in another way.
 */
export function startFlags(): string[] {
  const { command } = project.tasks.start;
  const [, flags] = /\bdeno run (--\S+(?: --\S+)*) "\$ROOT\/main\.ts"$/.exec(command) ?? [];
  if (flags === undefined) throw new Error(`No flags found in the task "start": ${command}`);
  return flags.split(" ");
}
