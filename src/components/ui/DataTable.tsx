import type { ReactNode } from "react";
import clsx from "clsx";

export interface DataColumn<Row> {
  key: string;
  header: string;
  cell: (row: Row) => ReactNode;
  isRight?: boolean;
  isHeaderHidden?: boolean;
  className?: string;
}

interface DataTableProps<Row> {
  /** Names the table. */
  caption: string;
  columns: readonly DataColumn<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** The same row as a list item on phones; without it the table scrolls sideways. */
  renderNarrow?: (row: Row) => ReactNode;
  isBusy?: boolean;
}

/** A semantic table from `md` up, a two-line list below. */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  rowKey,
  renderNarrow,
  isBusy = false,
}: DataTableProps<Row>) {
  const hasList = renderNarrow !== undefined;
  return (
    <>
      {hasList && (
        <ul
          aria-label={caption}
          aria-busy={isBusy || undefined}
          className="divide-y divide-line md:hidden print:hidden"
        >
          {rows.map((row) => (
            <li key={rowKey(row)} className="px-5 py-3">
              {renderNarrow(row)}
            </li>
          ))}
        </ul>
      )}
      <div
        className={clsx("overflow-x-auto", hasList && "max-md:hidden print:block")}
        tabIndex={hasList ? undefined : 0}
        role={hasList ? undefined : "group"}
        aria-label={hasList ? undefined : caption}
      >
        <table aria-busy={isBusy || undefined} className="w-full text-left text-[0.9375rem]">
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr className="border-y border-line bg-sunken text-[0.8125rem] text-muted">
              {columns.map((column) => (
                <th
                  key={column.key}
                  scope="col"
                  className={clsx(
                    "px-3 py-2 font-semibold whitespace-nowrap first:pl-5 last:pr-5 md:first:pl-6 md:last:pr-6",
                    column.isRight && "text-right",
                  )}
                >
                  {column.isHeaderHidden ? (
                    <span className="sr-only">{column.header}</span>
                  ) : (
                    column.header
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {rows.map((row) => (
              <tr key={rowKey(row)}>
                {columns.map((column) => (
                  <td
                    key={column.key}
                    className={clsx(
                      "px-3 py-2.5 first:pl-5 last:pr-5 md:first:pl-6 md:last:pr-6",
                      column.isRight && "num text-right whitespace-nowrap",
                      column.className,
                    )}
                  >
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
