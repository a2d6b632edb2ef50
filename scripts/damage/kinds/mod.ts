import { forgersOf } from "../layout.ts";
import type { Kind, Sound } from "../types.ts";
import { changedKinds } from "./changed.ts";
import { forgedKinds } from "./forged.ts";
import { shippedKinds } from "./shipped.ts";

/** Returns all kinds of damage to an index. The kinds of a group follow each other. */
export function kindsOf(sound: Sound): Kind[] {
  return [
    ...changedKinds(sound),
    ...forgersOf(sound).flatMap((forger) => forgedKinds(forger, sound)),
    ...shippedKinds(sound),
    // This kind damages the registry, not an index.
    { name: "registry: an entry of 3 GB", only: "registry", damage: ({ honest }) => ({ bytes: honest }) },
  ];
}

/** Returns the group of a kind. */
export function groupOf({ name }: Pick<Kind, "name">): string {
  return name.slice(0, name.indexOf(":"));
}
