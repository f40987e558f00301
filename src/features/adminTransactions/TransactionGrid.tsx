import { useState, type Dispatch } from "react";
import { FileUp, Plus } from "lucide-react";
import clsx from "clsx";
import { plural } from "#shared/counts";
import { CSV_COLUMN_LABELS, type CsvDefaults } from "#shared/csv";
import { ROWS_PER_BATCH_MAX } from "#shared/limits";
import { CSV_COLUMNS } from "#shared/csvCells";
import { messageFor } from "#shared/errors";
import { Button } from "../../components/ui/Button";
import { Card } from "../../components/ui/Card";
import { Checkbox } from "../../components/ui/Checkbox";
import { FilePickerButton } from "../../components/ui/FilePickerButton";
import { FormAlert } from "../../components/ui/FormAlert";
import { StatusBanner } from "../../components/ui/StatusBanner";
import { GRID_COLUMNS, GridRowFields } from "./GridRowFields";
import { FileBanner, RepeatBanner, type EarlierFile } from "./GridBanners";
import {
  allProblems,
  cellId,
  hasRoomFor,
  shownProblems,
  type GridAction,
  type GridState,
} from "./gridRows";
import type { CsvFileReading } from "./readCsvFile";
import { useKeptGrid } from "./useKeptGrid";

export interface TransactionGridProps {
  /** Where the rows are kept until they are added. */
  draftKey: string;
  /** Today and now in the credit union's time zone. */
  defaults: () => CsvDefaults;
  readFile: (file: File, defaults: CsvDefaults) => Promise<CsvFileReading>;
  /** Adds all rows or none; resolves to null, or to the reason in words. */
  onAdd: (state: GridState, isBalanceUpdated: boolean) => Promise<string | null>;
  /** Called with the hash of the file in the grid whenever it changes, so that `earlierFile` can be looked up. */
  onFileHash: (fileHash: string | null) => void;
  /** When this exact file was added before, and how many rows; undefined while that is looked up. */
  earlierFile: EarlierFile | null | undefined;
  isBusy: boolean;
  /** Outcome of adding the rows, shown for three seconds. */
  done: string | null;
  /** Why nothing can be added now, such as a lost connection. */
  disabledReason?: string | undefined;
}

/** "Add Transactions": rows typed or read from a file, added together or not at all. */
export function TransactionGrid(props: TransactionGridProps) {
  const { defaults, onAdd, earlierFile, isBusy, disabledReason } = props;
  const { state, dispatch, reset, isBalanceUpdated, setIsBalanceUpdated } = useKeptGrid(props);
  const [isRepeatAllowed, setIsRepeatAllowed] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const file = useFilePick(state, dispatch, props, setFailure);

  const problems = shownProblems(state);
  const isRepeatOpen = Boolean(earlierFile) && !isRepeatAllowed;
  const canAdd =
    problems.length === 0 && !file.isPending && !isRepeatOpen && disabledReason === undefined;

  const add = async () => {
    const [firstHidden] = allProblems(state);
    if (firstHidden !== undefined) {
      dispatch({ kind: "revealAll" });
      document.getElementById(cellId(firstHidden.key, firstHidden.column))?.focus();
      return;
    }
    setFailure(null);
    const cause = await onAdd(state, isBalanceUpdated);
    if (cause !== null) {
      setFailure(messageFor("ADD_TRANSACTIONS_FAILED", { cause }));
      return;
    }
    reset();
  };

  return (
    <Card
      title="Add Transactions"
      className="no-print"
      actions={
        <GridActions
          isReading={file.isReading}
          isDisabled={isBusy}
          isFull={state.rows.length >= ROWS_PER_BATCH_MAX}
          onPick={(picked) => {
            setIsRepeatAllowed(false);
            void file.pick(picked);
          }}
          onAddRow={() => dispatch({ kind: "addRow", defaults: defaults() })}
        />
      }
    >
      <div className="@container grid grid-cols-1 gap-3">
        <FormAlert>{failure}</FormAlert>
        <FileBanner file={state.file} problems={problems} isKept={file.hasFailed} />
        <RepeatBanner
          earlierFile={earlierFile ?? null}
          isAllowed={isRepeatAllowed}
          onAllowedChange={setIsRepeatAllowed}
        />
        <GridHead />
        <GridRows rows={state.rows} isDisabled={isBusy} dispatch={dispatch} />
        <StatusBanner>{props.done}</StatusBanner>
        <GridFooter
          rowCount={state.rows.length}
          isBalanceUpdated={isBalanceUpdated}
          onBalanceUpdatedChange={setIsBalanceUpdated}
          canAdd={canAdd}
          isBusy={isBusy}
          hint={disabledReason ?? disabledText(problems.length > 0, isRepeatOpen)}
          onAdd={() => void add()}
        />
      </div>
    </Card>
  );
}

function GridRows({
  rows,
  isDisabled,
  dispatch,
}: {
  rows: GridState["rows"];
  isDisabled: boolean;
  dispatch: Dispatch<GridAction>;
}) {
  return (
    <ul className="grid grid-cols-1 gap-3 @grid-row:gap-2">
      {rows.map((row, index) => (
        <GridRowFields
          key={row.key}
          row={row}
          rowNumber={index + 1}
          isOnly={rows.length === 1}
          isDisabled={isDisabled}
          dispatch={dispatch}
        />
      ))}
    </ul>
  );
}

function GridActions({
  isReading,
  isDisabled,
  isFull,
  onPick,
  onAddRow,
}: {
  isReading: boolean;
  isDisabled: boolean;
  /** No more rows can be added. */
  isFull: boolean;
  onPick: (file: File) => void;
  onAddRow: () => void;
}) {
  return (
    <>
      <FilePickerButton
        accept=".csv,text/csv,text/plain"
        isBusy={isReading}
        isDisabled={isDisabled}
        onPick={onPick}
      >
        <FileUp aria-hidden className="size-4" />
        Upload CSV
      </FilePickerButton>
      <Button variant="secondary" size="sm" disabled={isDisabled || isFull} onClick={onAddRow}>
        <Plus aria-hidden className="size-4" />
        Add row
      </Button>
    </>
  );
}

function GridFooter({
  rowCount,
  isBalanceUpdated,
  onBalanceUpdatedChange,
  canAdd,
  isBusy,
  hint,
  onAdd,
}: {
  rowCount: number;
  isBalanceUpdated: boolean;
  onBalanceUpdatedChange: (isUpdated: boolean) => void;
  canAdd: boolean;
  isBusy: boolean;
  /** Why nothing can be added, or "". */
  hint: string;
  onAdd: () => void;
}) {
  return (
    <div className="mt-2 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
      <Checkbox
        label="Update account balance"
        checked={isBalanceUpdated}
        disabled={isBusy}
        onCheckedChange={onBalanceUpdatedChange}
      />
      <div className="grid justify-items-end gap-1 max-sm:w-full">
        <Button
          className="max-sm:w-full"
          disabled={!canAdd}
          isBusy={isBusy}
          busyLabel="Adding..."
          onClick={onAdd}
        >
          Add {plural(rowCount, "transaction")}
        </Button>
        {/* Cells are marked once they are left, when the focus is elsewhere. */}
        <p role="status" className="text-[0.8125rem] text-muted">
          {hint}
        </p>
      </div>
    </div>
  );
}

function disabledText(hasProblems: boolean, isRepeatOpen: boolean): string {
  if (hasProblems) return "Fix the marked fields first.";
  return isRepeatOpen ? "Confirm that you want to add the file again." : "";
}

/** Column names above the wide grid; narrow screens label each cell instead. */
function GridHead() {
  return (
    <div
      aria-hidden
      className={clsx(
        "hidden gap-1.5 text-[0.8125rem] font-semibold text-muted @grid-row:grid",
        GRID_COLUMNS,
      )}
    >
      {CSV_COLUMNS.map((column) => (
        <span key={column} className="pl-1">
          {CSV_COLUMN_LABELS[column]}
        </span>
      ))}
    </div>
  );
}

/** Reads a chosen file into the grid, or says in one sentence why not. */
function useFilePick(
  state: GridState,
  dispatch: Dispatch<GridAction>,
  { defaults, readFile, earlierFile }: TransactionGridProps,
  setFailure: (sentence: string | null) => void,
) {
  const [isReading, setIsReading] = useState(false);
  const [hasFailed, setHasFailed] = useState(false);
  const pick = async (file: File) => {
    setIsReading(true);
    setHasFailed(false);
    setFailure(null);
    const { parse, fileHash } = await readFile(file, defaults());
    setIsReading(false);
    const problem = !parse.isOk
      ? parse.problem
      : hasRoomFor(state, parse.rows.length)
        ? null
        : `at most ${ROWS_PER_BATCH_MAX} rows can be added at once`;
    if (!parse.isOk || problem !== null) {
      setHasFailed(true);
      setFailure(messageFor("CSV_FAILED", { cause: problem ?? "" }));
      return;
    }
    dispatch({
      kind: "loadFile",
      rows: parse.rows,
      file: {
        name: file.name,
        rowCount: parse.rows.length,
        ...(fileHash === undefined ? {} : { fileHash }),
        ...(parse.encodingNote === undefined ? {} : { encodingNote: parse.encodingNote }),
      },
    });
  };
  // Rows of a file still being read would go with those being added; one not yet looked up may be here twice.
  return { isReading, hasFailed, isPending: isReading || earlierFile === undefined, pick };
}
