import { useEffect, useId, useState } from "react";
import { useForm, type UseFormReturn } from "react-hook-form";
import type { CreateUserCommand } from "#shared/rules/createUser";
import { Button } from "../../components/ui/Button";
import { Dialog } from "../../components/ui/Dialog";
import { ErrorSummary } from "../../components/ui/ErrorSummary";
import { PasswordInput } from "../../components/ui/PasswordInput";
import { RefusalAlert } from "../../components/ui/RefusalAlert";
import { Select } from "../../components/ui/Select";
import { TextInput } from "../../components/ui/TextInput";
import {
  CREATE_USER_DEFAULTS,
  createUserFieldId,
  forgetNewUser,
  judgeCreateUser,
  keepNewUser,
  keptNewUser,
  type CreateUserField,
  type CreateUserTexts,
} from "./createUserForm";

type CreateUserForm = UseFormReturn<CreateUserTexts, unknown, CreateUserCommand>;

interface CreateUserModalProps {
  isOpen: boolean;
  onClose: () => void;
  /** Resolves to null once the user exists, otherwise to the failure in words. */
  onCreate: (command: CreateUserCommand) => Promise<string | null>;
  isBusy: boolean;
}

const BALANCES = [
  { legend: "Checking", available: "checkingAvailable", balance: "checkingBalance" },
  { legend: "Savings", available: "savingsAvailable", balance: "savingsBalance" },
] as const;

/**
 * "Create New User": a failure keeps the modal open, success and Cancel close and reset it. Closed by Escape it keeps
 * what was typed, which survives a time-out too, except for the password.
 */
export function CreateUserModal({ isOpen, onClose, onCreate, isBusy }: CreateUserModalProps) {
  const form = useNewUserForm();
  const { errors, submitCount } = form.formState;
  const [failure, setFailure] = useState<string | null>(null);
  const formId = useId();

  const hide = () => {
    form.clearErrors();
    setFailure(null);
    onClose();
  };
  const close = () => {
    form.reset(CREATE_USER_DEFAULTS);
    forgetNewUser();
    hide();
  };
  const create = async (command: CreateUserCommand) => {
    setFailure(null);
    const problem = await onCreate(command);
    if (problem === null) close();
    else setFailure(problem);
  };

  return (
    <Dialog
      isOpen={isOpen}
      onClose={hide}
      isBusy={isBusy}
      title="Create New User"
      size="lg"
      footer={
        <>
          <Button variant="secondary" disabled={isBusy} onClick={close}>
            Cancel
          </Button>
          <Button type="submit" form={formId} isBusy={isBusy} busyLabel="Creating...">
            Create User
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        className="grid grid-cols-1 gap-5 pt-1"
        onSubmit={(event) => void form.handleSubmit(create, () => setFailure(null))(event)}
      >
        <ErrorSummary
          problems={Object.entries(errors).map(([field, { message = "" }]) => ({
            fieldId: createUserFieldId(field as CreateUserField),
            message,
          }))}
          attempt={submitCount}
        />
        <RefusalAlert id={`${formId}-alert`} message={failure ?? undefined} />
        <CreateUserFields form={form} />
      </form>
    </Dialog>
  );
}

/** The form: it starts with what was kept and keeps what is typed. */
function useNewUserForm(): CreateUserForm {
  const [defaultValues] = useState(keptNewUser);
  const form: CreateUserForm = useForm({
    defaultValues,
    resolver: judgeCreateUser,
    // Problems are reported on submit, when the summary takes the focus.
    reValidateMode: "onSubmit",
    shouldFocusError: false,
  });
  const { subscribe } = form;
  useEffect(
    () => subscribe({ formState: { values: true }, callback: ({ values }) => keepNewUser(values) }),
    [subscribe],
  );
  return form;
}

function CreateUserFields({ form }: { form: CreateUserForm }) {
  const bind = (field: CreateUserField) => ({
    id: createUserFieldId(field),
    error: form.formState.errors[field]?.message,
    required: true,
    ...form.register(field),
  });
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextInput label="Full Name" autoComplete="off" {...bind("name")} />
        <TextInput label="Email" type="email" autoComplete="off" {...bind("email")} />
        <TextInput label="Phone Number" type="tel" autoComplete="off" {...bind("phone")} />
        <PasswordInput label="Password" autoComplete="new-password" {...bind("password")} />
        <Select
          label="Role"
          options={[
            { value: "user", label: "User" },
            { value: "admin", label: "Admin" },
          ]}
          {...bind("role")}
        />
        <TextInput label="Street Address" autoComplete="off" {...bind("street")} />
        <div className="col-span-full grid gap-4 sm:grid-cols-3">
          <TextInput label="City" autoComplete="off" {...bind("city")} />
          <TextInput label="State" autoComplete="off" {...bind("state")} />
          <TextInput label="ZIP Code" autoComplete="off" {...bind("zipCode")} />
        </div>
      </div>
      <fieldset className="grid gap-4">
        <legend className="text-sub-title mb-3">Initial Account Balances</legend>
        <div className="grid gap-5 sm:grid-cols-2">
          {BALANCES.map(({ legend, available, balance }) => (
            <fieldset key={legend} className="grid gap-3 rounded-tile border border-line p-4">
              <legend className="px-1 font-semibold">{legend}</legend>
              <TextInput
                label="Available Balance"
                type="number"
                inputMode="decimal"
                step="0.01"
                min="0"
                className="num"
                {...bind(available)}
              />
              <TextInput
                label="Current Balance"
                type="number"
                inputMode="decimal"
                step="0.01"
                min="0"
                className="num"
                {...bind(balance)}
              />
            </fieldset>
          ))}
        </div>
      </fieldset>
    </>
  );
}
