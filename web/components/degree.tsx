/** How well a hit covers the question. */
import type { Degree as DegreeName } from "#wire/search.ts";
import { textsOf } from "#web/texts.ts";

const t = textsOf({
  high: ["相关度高", "high"],
  medium: ["相关度中", "medium"],
  low: ["相关度低", "low"],
});

export function Degree({ degree }: { readonly degree: DegreeName }) {
  return <span class={`degree ${degree}`}>{t(degree)}</span>;
}
