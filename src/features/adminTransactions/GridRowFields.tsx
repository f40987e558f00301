import { memo, type Dispatch, type ReactNode } from "react";
import { X } from "lucide-react";
import clsx from "clsx";
import { CSV_COLUMN_LABELS, cellProblemText, rowProblems } from "#shared/csv";
import { CSV_COLUMNS, type CsvColumn } from "#shared/csvCells";
import {
  ACCOUNT_TYPES,
  CATEGORIES,
  TRANSACTION_STATUSES,
  TRANSACTION_TYPES,
} from "#shared/validators";
import { Button } from "../../components/ui/Button";
import { FieldError } from "../../components/ui/Field";
import { Select } from "../../components/ui/Select";
import { TextInput } from "../../components/ui/TextInput";
import { afterPress } from "../../lib/afterPress";
import { cellId, type GridAction, type GridRow } from "./gridRows";

const OPTIONS: Partial<Record<CsvColumn, readonly string[]>> = {
  account: ACCOUNT_TYPES,
  type: TRANSACTION_TYPES,
  category: CATEGORIES,
  status: TRANSACTION_STATUSES,
};

/**
 * Columns of the wide grid. The grid follows the width of its card (`@container`): one line per row
 * when there is room, then two lines of four cells, then a card of pairs.
 */
export const GRID_COLUMNS =
  "@grid-row:grid-cols-[6.5rem_5.25rem_6.25rem_minmax(6.5rem,1fr)_8.5rem_7.75rem_7.25rem_7rem_2rem]";

interface GridRowFieldsProps {
  row: GridRow;
  /** Counts from 1: "Row 1 Account". */
  rowNumber: number;
  isOnly: boolean;
  isDisabled: boolean;
  dispatch: Dispatch<GridAction>;
}

/** One row of the grid, with the problems of its cells below it. */
export const GridRowFields = memo(function GridRowFields({
  row,
  rowNumber,
  isOnly,
  isDisabled,
  dispatch,
}: GridRowFieldsProps) {
  const problems = rowProblems(row.row).filter(({ column }) => row.touched.includes(column));
  return (
    <li className="-m-1 grid gap-2 p-1 [contain-intrinsic-size:auto_3.5rem] [content-visibility:auto] @max-grid-row:m-0 @max-grid-row:rounded-tile @max-grid-row:border @max-grid-row:border-line @max-grid-row:p-3">
      <div
        className={`grid items-start gap-2 @min-[18rem]:grid-cols-2 @min-[36rem]:grid-cols-4 @grid-row:gap-1.5 ${GRID_COLUMNS}`}
      >
        {CSV_COLUMNS.map((column) => (
          <Cell key={column} column={column}>
            <CellControl
              column={column}
              id={cellId(row.key, column)}
              label={`Row ${rowNumber} ${CSV_COLUMN_LABELS[column]}`}
              value={row.row.texts[column]}
              isInvalid={problems.some((problem) => problem.column === column)}
              isDisabled={isDisabled}
              onEdit={(text) => dispatch({ kind: "edit", key: row.key, column, text })}
              onLeave={() => afterPress(() => dispatch({ kind: "leave", key: row.key, column }))}
            />
          </Cell>
        ))}
        <Button
          variant="ghost"
          size="sm"
          className="order-last col-span-full min-h-10 @grid-row:col-span-1 @grid-row:px-0! @max-grid-row:border @max-grid-row:border-control"
          aria-label={`Remove row ${rowNumber}`}
          disabled={isOnly || isDisabled}
          isPressedOnce
          onClick={(event) => {
            focusNeighbour(event.currentTarget);
            dispatch({ kind: "removeRow", key: row.key });
          }}
        >
          <X aria-hidden className="size-4" />
          <span className="@grid-row:sr-only">Remove row</span>
        </Button>
      </div>
      {problems.map((problem) => (
        <FieldError key={problem.column} id={`${cellId(row.key, problem.column)}-problem`}>
          {cellProblemText(rowNumber, problem)}
        </FieldError>
      ))}
    </li>
  );
});

/** Moves focus from a row being removed to one that stays. */
function focusNeighbour(button: HTMLElement): void {
  const item = button.closest("li");
  const neighbour = item?.nextElementSibling ?? item?.previousElementSibling;
  neighbour?.querySelector<HTMLElement>("input, select")?.focus();
}

/** On narrow screens the column name is above the control, and the description comes first. */
function Cell({ column, children }: { column: CsvColumn; children: ReactNode }) {
  const isWide = column === "description" || column === "status";
  return (
    <div
      className={clsx(
        "grid min-w-0 gap-1",
        isWide && "col-span-full @min-[36rem]:col-span-1",
        column === "description" && "order-first @min-[36rem]:order-none",
      )}
    >
      <span aria-hidden className="text-[0.8125rem] font-semibold @grid-row:hidden">
        {CSV_COLUMN_LABELS[column]}
      </span>
      {children}
    </div>
  );
}

interface CellControlProps {
  column: CsvColumn;
  id: string;
  label: string;
  value: string;
  isInvalid: boolean;
  isDisabled: boolean;
  onEdit: (text: string) => void;
  onLeave: () => void;
}

function CellControl(props: CellControlProps) {
  const { column, id, label, value, isInvalid, isDisabled, onEdit, onLeave } = props;
  const common = {
    id,
    label,
    isLabelHidden: true,
    fieldClassName: "grid-cols-1",
    isDense: true,
    isInvalid,
    describedBy: isInvalid ? `${id}-problem` : undefined,
    value,
    disabled: isDisabled,
    onBlur: onLeave,
  };
  const options = OPTIONS[column];
  if (options !== undefined) {
    return (
      <Select
        {...common}
        className="pl-2!"
        {...(value === "" ? { placeholder: "Choose" } : {})}
        options={options.map((option) => ({ value: option, label: option }))}
        onChange={(event) => onEdit(event.target.value)}
      />
    );
  }
  const isAmount = column === "amount";
  const isClock = column === "date" || column === "time";
  return (
    <TextInput
      {...common}
      type={isClock ? column : "text"}
      {...(isAmount ? { inputMode: "decimal" } : {})}
      className={clsx(isAmount && "num text-right", isClock && "pr-1! pl-2!")}
      autoComplete="off"
      required
      onChange={(event) => onEdit(event.target.value)}
    />
  );
}
