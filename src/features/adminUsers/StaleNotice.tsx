import { MESSAGES } from "#shared/errors";
import { Button } from "../../components/ui/Button";
import { Notice } from "../../components/ui/StatusBanner";
import {
  ACCOUNT_FIELD_LABELS,
  keepMyValues,
  takeNewValues,
  textOf,
  type AccountEdit,
  type AccountField,
  type AccountValues,
} from "./accountEdit";

/** Someone else changed the account: the admin chooses whose values to continue with. */
export function StaleNotice({
  stale,
  edit,
  current,
  onChoose,
}: {
  stale: readonly AccountField[];
  edit: AccountEdit;
  current: AccountValues;
  onChoose: (next: AccountEdit) => void;
}) {
  return (
    <div role="status">
      {stale.length > 0 && (
        <Notice tone="warning">
          <p>{MESSAGES.STALE_EDIT}.</p>
          <ul className="num font-normal">
            {stale.map((field) => (
              <li key={field}>
                {ACCOUNT_FIELD_LABELS[field]} is now {textOf(current, field)}
              </li>
            ))}
          </ul>
          <div className="mt-2 flex flex-wrap gap-2">
            <Button variant="secondary" size="sm" onClick={() => onChoose(takeNewValues(current))}>
              Use new values
            </Button>
            <Button variant="ghost" size="sm" onClick={() => onChoose(keepMyValues(edit, current))}>
              Keep my values
            </Button>
          </div>
        </Notice>
      )}
    </div>
  );
}
