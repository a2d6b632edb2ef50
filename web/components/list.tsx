/** A long list of which only the visible items are in the page. */
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualizerOptions,
} from "@tanstack/virtual-core";
import type { ComponentChildren } from "preact";
import { useEffect, useReducer, useRef } from "preact/hooks";

export function VirtualList<Item>({ label, items, keyOf, height, at, children }: {
  readonly label: string;
  readonly items: readonly Item[];
  readonly keyOf: (item: Item, at: number) => string | number;
  /** Height of an item in pixels, before it is measured. */
  readonly height: number;
  /** The item that is in the middle when it changes. Default: the list begins with the first. */
  readonly at?: number;
  readonly children: (item: Item, at: number) => ComponentChildren;
}) {
  const place = useRef<HTMLDivElement>(null);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const options: VirtualizerOptions<HTMLDivElement, HTMLElement> = {
    count: items.length,
    getScrollElement: () => place.current,
    estimateSize: () => height,
    getItemKey: (at) => keyOf(items[at]!, at),
    overscan: 8,
    observeElementOffset,
    observeElementRect,
    scrollToFn: elementScroll,
    onChange: () => redraw(undefined as never),
  };
  const made = useRef<Virtualizer<HTMLDivElement, HTMLElement>>(
    undefined as never,
  );
  made.current ??= new Virtualizer(options);
  made.current.setOptions(options);
  useEffect(() => made.current._didMount(), []);
  useEffect(() => made.current._willUpdate());
  useEffect(() => {
    if (at !== undefined && at >= 0) made.current.scrollToIndex(at, { align: "center" });
  }, [items, at]);
  return (
    <div
      class="virtual"
      ref={place}
      role="list"
      aria-label={label}
      tabIndex={0}
    >
      <div style={{ height: `${made.current.getTotalSize()}px` }}>
        {made.current.getVirtualItems().map(({ index, key, start }) => (
          <div
            key={key as string}
            role="listitem"
            aria-setsize={items.length}
            aria-posinset={index + 1}
            data-index={index}
            ref={(element) => made.current.measureElement(element)}
            style={{ transform: `translateY(${start}px)` }}
          >
            {children(items[index]!, index)}
          </div>
        ))}
      </div>
    </div>
  );
}
