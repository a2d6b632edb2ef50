/** A table with a caption. Its columns are a list, so that a column is added in one place. */
import type { ComponentChildren } from "preact";

export interface Column<Row> {
  /** Its name in the address and in the code. */
  readonly key: string;
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Numbers stand on the right. */
  readonly isNumber?: boolean;
}

export function Table<Row>({ caption, columns, rows, keyOf, sort, onSort }: {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  /** Key of the column that the rows are sorted by, with `-` in front of it for the largest first. */
  readonly sort?: string;
  /** Called with the wanted `sort`. Without it, the rows stay in their order. */
  readonly onSort?: (sort: string) => void;
}) {
  return (
    <div class="table" role="region" aria-label={caption} tabIndex={0}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ key, title, isNumber }) => (
              <th
                key={key}
                scope="col"
                class={isNumber ? "number" : ""}
                aria-sort={sort === key ? "ascending" : sort === `-${key}` ? "descending" : undefined}
              >
                {onSort === undefined ? title : (
                  <button
                    type="button"
                    class="link"
                    onClick={() => onSort(sort === key ? `-${key}` : key)}
                  >
                    {title}
                  </button>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ key, cell, isNumber }) => (
                <td key={key} class={isNumber ? "number" : ""}>{cell(row)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
