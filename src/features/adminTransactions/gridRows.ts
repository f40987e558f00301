/** The rows of the "Add Transactions" grid as one reducer, and what a row becomes when it is added. */
import { plural } from "#shared/counts";
import { CSV_COLUMNS, type CsvColumn } from "#shared/csvCells";
import { cellProblemText, rowProblems, type CsvDefaults, type CsvRow } from "#shared/csv";
import { ROWS_PER_BATCH_MAX } from "#shared/limits";

export interface GridRow {
  /** Stays the same for the life of the row; its cells' ids are made from it. */
  readonly key: number;
  readonly row: CsvRow;
  /** Columns whose problems may be shown: left once something was typed into the row, or read from a file. */
  readonly touched: readonly CsvColumn[];
  /** It came from the file in the grid. */
  readonly isOfFile: boolean;
}

/** The one file whose rows are in the grid; it leaves with the last of them. */
export interface GridFile {
  readonly name: string;
  readonly rowCount: number;
  readonly fileHash?: string;
  readonly encodingNote?: string;
}

export interface GridState {
  readonly rows: readonly GridRow[];
  readonly nextKey: number;
  readonly file: GridFile | null;
}

export type GridAction =
  | { readonly kind: "addRow"; readonly defaults: CsvDefaults }
  | { readonly kind: "removeRow"; readonly key: number }
  | {
      readonly kind: "edit";
      readonly key: number;
      readonly column: CsvColumn;
      readonly text: string;
    }
  | { readonly kind: "leave"; readonly key: number; readonly column: CsvColumn }
  | { readonly kind: "revealAll" }
  | { readonly kind: "loadFile"; readonly file: GridFile; readonly rows: readonly CsvRow[] }
  | { readonly kind: "renew"; readonly before: CsvDefaults; readonly now: CsvDefaults }
  | { readonly kind: "reset"; readonly defaults: CsvDefaults };

/** A problem as the banner lists it: its sentence and the cell to go to. */
export interface GridProblem {
  readonly key: number;
  readonly column: CsvColumn;
  readonly text: string;
}

/** Spec section 5: missing values are debit, today, now, Completed. */
export function blankRow(defaults: CsvDefaults): CsvRow {
  return {
    texts: {
      account: "Checking",
      type: "debit",
      amount: "",
      description: "",
      category: "Other",
      date: defaults.date,
      time: defaults.time,
      status: "Completed",
    },
    unreadable: {},
  };
}

function blankGridRow(defaults: CsvDefaults): Omit<GridRow, "key"> {
  return { row: blankRow(defaults), touched: [], isOfFile: false };
}

/** One blank row, as after `reset`. */
export function initialGrid(defaults: CsvDefaults): GridState {
  return { rows: [{ key: 1, ...blankGridRow(defaults) }], nextKey: 2, file: null };
}

/**
 * Adding a row beyond ROWS_PER_BATCH_MAX or removing the last row changes nothing. `loadFile` does not check the limit:
 * ask {@link hasRoomFor} first.
 */
export function gridReducer(state: GridState, action: GridAction): GridState {
  switch (action.kind) {
    case "addRow":
      return state.rows.length >= ROWS_PER_BATCH_MAX
        ? state
        : append(state, [blankGridRow(action.defaults)]);
    case "removeRow": {
      // Spec section 5: at least one row must remain.
      if (state.rows.length === 1) return state;
      const rows = state.rows.filter(({ key }) => key !== action.key);
      return { ...state, rows, file: rows.some(({ isOfFile }) => isOfFile) ? state.file : null };
    }
    case "edit":
      return changeRow(state, action.key, ({ row, ...rest }) => {
        const { [action.column]: _gone, ...unreadable } = row.unreadable;
        return {
          ...rest,
          row: { texts: { ...row.texts, [action.column]: action.text }, unreadable },
        };
      });
    case "leave":
      return changeRow(state, action.key, (row) =>
        isBlank(row) || row.touched.includes(action.column)
          ? row
          : { ...row, touched: [...row.touched, action.column] },
      );
    case "revealAll":
      return { ...state, rows: state.rows.map((row) => ({ ...row, touched: CSV_COLUMNS })) };
    case "loadFile": {
      const added = action.rows.map((row) => ({ row, touched: CSV_COLUMNS, isOfFile: true }));
      return { ...append({ ...state, rows: rowsBeside(state) }, added), file: action.file };
    }
    case "renew":
      return renewRows(state, action);
    case "reset":
      return {
        rows: [{ key: state.nextKey, ...blankGridRow(action.defaults) }],
        nextKey: state.nextKey + 1,
        file: null,
      };
  }
}

/** Returns the same state if no row changes: this runs every minute, and a new state is stored and drawn. */
function renewRows(
  state: GridState,
  moments: { before: CsvDefaults; now: CsvDefaults },
): GridState {
  const rows = state.rows.map((row) => renewed(row, moments));
  return rows.some((row, at) => row !== state.rows[at]) ? { ...state, rows } : state;
}

/** A row that still has the date and time it was given gets the current ones, unless something was typed into it. */
function renewed(
  row: GridRow,
  { before, now }: { before: CsvDefaults; now: CsvDefaults },
): GridRow {
  const { texts } = row.row;
  const isAsGiven = texts.date === before.date && texts.time === before.time;
  if (row.isOfFile || !isAsGiven || !isBlank(row)) return row;
  return { ...row, row: { ...row.row, texts: { ...texts, date: now.date, time: now.time } } };
}

/** Id of a cell's control, for labels, links and focus. */
export function cellId(key: number, column: CsvColumn): string {
  return `grid-row-${key}-${column}`;
}

/** Whether a file's rows fit below those that stay. */
export function hasRoomFor(state: GridState, rowCount: number): boolean {
  return rowsBeside(state).length + rowCount <= ROWS_PER_BATCH_MAX;
}

/** Every problem of every row, in reading order; hidden ones too. */
export function allProblems(state: GridState): GridProblem[] {
  return state.rows.flatMap(({ key, row }, index) =>
    rowProblems(row).map((problem) => ({
      key,
      column: problem.column,
      text: cellProblemText(index + 1, problem),
    })),
  );
}

/** The problems that may be shown: those of cells that were left or came from a file. */
export function shownProblems(state: GridState): GridProblem[] {
  const touched = new Map(state.rows.map((row) => [row.key, row.touched]));
  return allProblems(state).filter(({ key, column }) => touched.get(key)?.includes(column));
}

/** "november.csv: 3 rows read, 1 needs a fix." */
export function fileSummary(file: GridFile, rowsToFix: number): string {
  const read = `${file.name}: ${plural(file.rowCount, "row")} read`;
  if (rowsToFix === 0) return `${read}.`;
  return `${read}, ${rowsToFix} ${rowsToFix === 1 ? "needs" : "need"} a fix.`;
}

/** A grid whose single row has nothing typed in it yet: a file replaces it. */
export function isUntouched(state: GridState): boolean {
  const [only, ...more] = state.rows;
  return only !== undefined && more.length === 0 && isBlank(only);
}

/** Nothing is typed into the row yet. */
function isBlank({ row: { texts } }: GridRow): boolean {
  return texts.amount === "" && texts.description === "";
}

/**
 * What stays when a file is loaded: typed rows. Those of the previous file go, so that each file is added by itself and
 * noticed if it comes twice.
 */
function rowsBeside(state: GridState): readonly GridRow[] {
  return isUntouched(state) ? [] : state.rows.filter(({ isOfFile }) => !isOfFile);
}

function append(state: GridState, rows: readonly Omit<GridRow, "key">[]): GridState {
  return {
    ...state,
    rows: [...state.rows, ...rows.map((row, index) => ({ ...row, key: state.nextKey + index }))],
    nextKey: state.nextKey + rows.length,
  };
}

function changeRow(state: GridState, key: number, change: (row: GridRow) => GridRow): GridState {
  return { ...state, rows: state.rows.map((row) => (row.key === key ? change(row) : row)) };
}
