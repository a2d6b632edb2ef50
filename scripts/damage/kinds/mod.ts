import { forgersOf } from "../layout.ts";
import type { Kind, Sound } from "../types.ts";
import { changedKinds } from "./changed.ts";
import { forgedKinds } from "./forged.ts";
import { shippedKinds } from "./shipped.ts";

/** Every kind of damage to an index, each once, those of a group in a row. */
export function kindsOf(sound: Sound): Kind[] {
  return [
    ...changedKinds(sound),
    ...forgersOf(sound).flatMap((forger) => forgedKinds(forger, sound)),
    ...shippedKinds(sound),
    // of the registry, not of an index
    { name: "registry: an entry of 3 GB", only: "registry", damage: ({ honest }) => ({ bytes: honest }) },
  ];
}

/** The group that a kind belongs to. */
export function groupOf({ name }: Pick<Kind, "name">): string {
  return name.slice(0, name.indexOf(":"));
}
