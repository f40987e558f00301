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
  /** The same row as a list item, where there is no room for columns. */
  renderNarrow: (row: Row) => ReactNode;
  /** The width the columns need. */
  width?: keyof typeof WIDTHS;
}

/** Width is measured in the table's own container, not the window: something may be beside it. */
const WIDTHS = {
  normal: { list: "@min-[40rem]:hidden", table: "@max-[40rem]:hidden" },
  wide: {
    list: "@min-[53rem]:hidden",
    table: "@max-[53rem]:hidden print:text-[0.8125rem] print:[&_:is(td,th)]:px-1.5",
  },
} as const;

/** A semantic table where it fits, a two-line list elsewhere. */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  rowKey,
  renderNarrow,
  width = "normal",
}: DataTableProps<Row>) {
  return (
    <div className="@container">
      <ul
        aria-label={caption}
        className={clsx(
          "divide-y divide-line border-t border-line print:hidden",
          WIDTHS[width].list,
        )}
      >
        {rows.map((row) => (
          <li key={rowKey(row)} className="px-5 py-3 md:px-6">
            {renderNarrow(row)}
          </li>
        ))}
      </ul>
      <div
        className={clsx(
          "relative overflow-x-auto text-[0.9375rem] print:block",
          WIDTHS[width].table,
        )}
      >
        <table className="w-full text-left">
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr className="border-y border-line bg-sunken text-[0.8125rem] text-muted">
              {columns.map((column) => (
                <th
                  key={column.key}
                  scope="col"
                  className={clsx(
                    "px-3 py-2 font-semibold whitespace-nowrap first:pl-5 last:pr-5 md:first:pl-6 md:last:pr-6 print:in-data-printable:first:pl-0 print:in-data-printable:last:pr-0",
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
                      "px-3 py-2.5 first:pl-5 last:pr-5 md:first:pl-6 md:last:pr-6 print:in-data-printable:first:pl-0 print:in-data-printable:last:pr-0",
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
    </div>
  );
}
