/** The original of a hit, whose code is loaded with the first. */
import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { WireHit } from "#wire/search.ts";
import { Failure } from "#web/components/notice.tsx";

interface Shown {
  readonly hit: WireHit;
  readonly onClose: () => void;
}

export function LateOriginal(shown: Shown) {
  const [state, setState] = useState<
    { readonly Original?: FunctionComponent<Shown>; readonly error?: unknown }
  >({});
  const { chunkId } = shown.hit;
  useEffect(() => void performance.mark("original-opened", { detail: chunkId }), [chunkId]);
  useEffect(() => {
    import("#web/original/original.tsx").then(
      (module) => setState({ Original: module.default }),
      (error) => setState({ error }),
    );
  }, []);
  const { Original, error } = state;
  if (error !== undefined) return <Failure error={error} />;
  // Nothing of one document is shown beside a hit in another.
  return Original === undefined ? null : <Original key={shown.hit.path} {...shown} />;
}
