/** A table of any number of rows, of which only the visible ones are in the page. */
import type { Column } from "#web/components/table.tsx";
import { VirtualList } from "#web/components/list.tsx";
import type { Windows } from "#web/windows.ts";

/** A column, the part of the width that it gets, as in `grid-template-columns`, and whether the rows cannot be sorted by it. */
export type LongColumn<Row, SortKey extends string = string> =
  & Column<Row>
  & { readonly width: string }
  & ({ readonly key: SortKey; readonly isFixed?: false } | { readonly isFixed: true });

export function LongTable<Row>({ label, columns, rows, keyOf, sort, onSort }: {
  readonly label: string;
  readonly columns: readonly LongColumn<Row>[];
  readonly rows: Windows<Row>;
  readonly keyOf: (row: Row) => string;
  /** As in a table. */
  readonly sort?: string;
  readonly onSort?: (sort: string) => void;
}) {
  const { total = 0, rowAt } = rows;
  const style = { gridTemplateColumns: columns.map(({ width }) => `minmax(0, ${width})`).join(" ") };
  return (
    <div class="long" style={{ "--columns": columns.length }}>
      <div class="row head" style={style}>
        {columns.map(({ key, title, isNumber, isFixed }) => (
          <span key={key} class={isNumber ? "number" : ""}>
            {onSort === undefined || isFixed ? title : (
              <button
                type="button"
                class="link"
                aria-pressed={sort === key || sort === `-${key}`}
                onClick={() => onSort(sort === key ? `-${key}` : key)}
              >
                {title}
                {sort === key ? " ↑" : sort === `-${key}` ? " ↓" : ""}
              </button>
            )}
          </span>
        ))}
      </div>
      <VirtualList
        label={label}
        items={Array.from({ length: total }, (_, at) => at)}
        keyOf={(at) => at}
        height={34}
      >
        {(at) => {
          const row = rowAt(at);
          return (
            <div class="row" style={style} data-key={row && keyOf(row)}>
              {columns.map(({ key, title, cell, isNumber }) => (
                <span key={key} class={isNumber ? "number" : ""} title={title}>
                  {row === undefined ? "…" : cell(row)}
                </span>
              ))}
            </div>
          );
        }}
      </VirtualList>
    </div>
  );
}
