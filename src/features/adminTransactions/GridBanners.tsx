import { Checkbox } from "../../components/ui/Checkbox";
import { StatusBanner } from "../../components/ui/StatusBanner";
import { formatDateTime, plural } from "../../lib/format";
import { GridProblemLinks } from "./GridProblemLinks";
import { fileSummary, type GridFile, type GridProblem } from "./gridRows";

/** What was read from the file and which cells need a fix. */
export function FileBanner({
  file,
  problems,
}: {
  file: GridFile | null;
  problems: readonly GridProblem[];
}) {
  return (
    <StatusBanner tone={problems.length > 0 ? "warning" : "info"}>
      {file !== null && (
        <>
          <p>
            {fileSummary(file, new Set(problems.map(({ key }) => key)).size)}{" "}
            <GridProblemLinks problems={problems} />
          </p>
          {file.encodingNote !== undefined && <p className="font-normal">{file.encodingNote}</p>}
        </>
      )}
    </StatusBanner>
  );
}

/** When and how much of the file in the grid was added before. */
export interface AddedBefore {
  readonly at: number;
  readonly count: number;
}

/** Notices that the very same file was added to this user before; asks to confirm. */
export function RepeatBanner({
  addedBefore,
  isAllowed,
  onAllowedChange,
}: {
  addedBefore: AddedBefore | null;
  isAllowed: boolean;
  onAllowedChange: (isAllowed: boolean) => void;
}) {
  return (
    <StatusBanner tone="warning">
      {addedBefore !== null && (
        <>
          <p>
            This file was already added on {formatDateTime(addedBefore.at)} (
            {plural(addedBefore.count, "row")}).
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
