import { useRef, useState, type FormEvent } from "react";
import { Download } from "lucide-react";
import { Button } from "../../components/ui/Button";
import { FormAlert } from "../../components/ui/FormAlert";
import { Select } from "../../components/ui/Select";
import { StatusBanner } from "../../components/ui/StatusBanner";
import { TextInput } from "../../components/ui/TextInput";
import { actionText } from "./auditActions";

export interface AuditFiltersProps {
  /** Action names that occur, for the select. */
  actions: readonly string[];
  action: string;
  onActionChange: (action: string) => void;
  /** Accounts of the person the log is about; empty if there is no such person. */
  accounts: readonly { readonly _id: string; readonly type: string }[];
  /** The account the log is narrowed to, or "". */
  account: string;
  onAccountChange: (accountId: string) => void;
  /** What narrows the log to a person or an account, in words; null when nothing does. */
  narrowedTo: string | null;
  /** Narrows to entries about a person, or to what a person did. */
  onFindPerson: (email: string, role: "person" | "actor") => void;
  onClear: () => void;
  onExport: () => void;
  isFinding: boolean;
  /** False until it is known whom the address names: the file would hold everybody's entries. */
  canExport: boolean;
  isExporting: boolean;
  /** What the export has done; null before one. */
  done: string | null;
  failure: string | null;
}

/** Filters for person, author and action; they are kept in the address. */
export function AuditFilters(props: AuditFiltersProps) {
  const { actions, action, onActionChange, narrowedTo, onFindPerson, onClear, failure } = props;
  const bar = useRef<HTMLDivElement>(null);
  const clear = () => {
    onClear();
    // The button goes with the filters.
    bar.current?.focus();
  };
  return (
    <div ref={bar} role="search" aria-label="Audit log" tabIndex={-1} className="grid gap-3">
      <div className="flex flex-wrap items-end gap-3">
        <PersonForm isFinding={props.isFinding} onFindPerson={onFindPerson} />
        <Select
          label="Action"
          fieldClassName="w-60 max-sm:w-full"
          value={action}
          placeholder="All actions"
          options={actions.map((name) => ({ value: name, label: actionText(name) }))}
          onChange={(event) => onActionChange(event.target.value)}
        />
        {props.accounts.length > 0 && (
          <Select
            label="Account"
            fieldClassName="w-44 max-sm:w-full"
            value={props.account}
            placeholder="All accounts"
            options={props.accounts.map(({ _id, type }) => ({ value: _id, label: type }))}
            onChange={(event) => props.onAccountChange(event.target.value)}
          />
        )}
        <Button
          variant="secondary"
          className="ml-auto max-sm:w-full"
          isBusy={props.isExporting}
          disabled={!props.canExport}
          busyLabel="Preparing..."
          onClick={props.onExport}
        >
          <Download aria-hidden className="size-4" />
          Export CSV
        </Button>
      </div>
      <FormAlert>{failure}</FormAlert>
      <StatusBanner>{props.done}</StatusBanner>
      {narrowedTo !== null && (
        <p className="flex flex-wrap items-center gap-2 text-sm">
          <span>Showing entries {narrowedTo}</span>
          <Button variant="ghost" size="sm" onClick={clear}>
            Clear filters
          </Button>
        </p>
      )}
    </div>
  );
}

/** Whose entries: those about a person, or those a person wrote. */
function PersonForm({
  isFinding,
  onFindPerson,
}: Pick<AuditFiltersProps, "isFinding" | "onFindPerson">) {
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<"person" | "actor">("person");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (email.trim() !== "") onFindPerson(email.trim(), role);
  };
  return (
    <form noValidate className="flex flex-wrap items-end gap-3 max-sm:w-full" onSubmit={submit}>
      <TextInput
        label="Person's email"
        type="email"
        autoComplete="off"
        spellCheck={false}
        fieldClassName="w-64 max-sm:w-full"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <Select
        label="Entries"
        fieldClassName="w-52 max-sm:w-full"
        value={role}
        options={[
          { value: "person", label: "About this person" },
          { value: "actor", label: "By this person" },
        ]}
        onChange={(event) => setRole(event.target.value === "actor" ? "actor" : "person")}
      />
      <Button type="submit" variant="secondary" className="max-sm:w-full" isBusy={isFinding}>
        Show
      </Button>
    </form>
  );
}
