import { plural } from "#shared/counts";
import { Checkbox } from "../../components/ui/Checkbox";
import { StatusBanner } from "../../components/ui/StatusBanner";
import { formatDateTime, inOnePiece } from "../../lib/format";
import { GridProblemLinks } from "./GridProblemLinks";
import { fileSummary, type GridFile, type GridProblem } from "./gridRows";

/** What was read from the file and which cells need a fix. */
export function FileBanner({
  file,
  problems,
  isKept,
}: {
  file: GridFile | null;
  problems: readonly GridProblem[];
  /** Another file, meant to take its place, could not be read. */
  isKept: boolean;
}) {
  return (
    <StatusBanner tone={problems.length > 0 ? "warning" : "info"}>
      {file !== null && (
        <>
          <p>
            {fileSummary(file, new Set(problems.map(({ key }) => key)).size)}{" "}
            <GridProblemLinks problems={problems} />
          </p>
          {isKept && <p className="font-normal">Its rows are still in the list.</p>}
          {file.encodingNote !== undefined && <p className="font-normal">{file.encodingNote}</p>}
        </>
      )}
    </StatusBanner>
  );
}

/** When the file in the grid was added or submitted for approval before, and how many rows it had. */
export interface EarlierFile {
  /** It is waiting for a second administrator. */
  readonly isWaiting: boolean;
  readonly at: number;
  readonly count: number;
}

/** Warns that this exact file was added for this user before, or is waiting to be; asks for confirmation. */
export function RepeatBanner({
  earlierFile,
  isAllowed,
  onAllowedChange,
}: {
  earlierFile: EarlierFile | null;
  isAllowed: boolean;
  onAllowedChange: (isAllowed: boolean) => void;
}) {
  return (
    <StatusBanner tone="warning">
      {earlierFile !== null && (
        <>
          <p>
            {earlierFile.isWaiting
              ? "This file is already waiting for a second administrator, requested on "
              : "This file was already added on "}
            {inOnePiece(formatDateTime(earlierFile.at))} ({plural(earlierFile.count, "row")}).
          </p>
          <Checkbox
            label="Add these rows again"
            checked={isAllowed}
            onCheckedChange={onAllowedChange}
          />
        </>
      )}
    </StatusBanner>
  );
}
