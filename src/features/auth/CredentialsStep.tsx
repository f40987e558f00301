import { useRef, useState, type FormEvent, type ReactNode } from "react";
import { messageFor } from "#shared/errors";
import { INSTITUTION } from "#shared/institution";
import { Button } from "../../components/ui/Button";
import { ConnectionNote } from "../../components/ui/ConnectionNote";
import { FormAlert } from "../../components/ui/FormAlert";
import { PageHeading } from "../../components/ui/PageHeading";
import { PasswordInput } from "../../components/ui/PasswordInput";
import { TextInput } from "../../components/ui/TextInput";
import { MailLink, TextLink } from "../../components/ui/TextLink";
import { PATHS } from "../../lib/paths";

interface CredentialsStepProps {
  email: string;
  onEmailChange: (email: string) => void;
  onSubmit: (password: string) => void;
  isBusy: boolean;
  /** The sentence of the last failure. */
  problem: string | null;
  /** The connection failed: what was typed may be right. */
  isUnjudged?: boolean;
  /** Why the person is here, such as an ended session. */
  notice?: ReactNode;
}

const ALERT_ID = "sign-in-problem";
const NOTICE_ID = "sign-in-notice";

/** Step 1 of sign-in. The e-mail is kept by the parent, so that Back returns to it. */
export function CredentialsStep({
  email,
  onEmailChange,
  onSubmit,
  isBusy,
  problem,
  isUnjudged = false,
  notice,
}: CredentialsStepProps) {
  const [password, setPassword] = useState("");
  const [isIncomplete, setIsIncomplete] = useState(false);
  const emailField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);

  const onFormSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const missing = email.trim() === "" ? emailField : password === "" ? passwordField : null;
    setIsIncomplete(missing !== null);
    if (missing) missing.current?.focus();
    else onSubmit(password);
  };
  // Spec section 8: one sentence for every failure, so that nothing reveals who has an account.
  const shown = isIncomplete ? messageFor("INVALID_CREDENTIALS") : problem;
  const isWrong = isIncomplete || !isUnjudged;
  const failed = shown === null || !isWrong ? {} : { isInvalid: true, describedBy: ALERT_ID };
  return (
    <>
      <PageHeading title="Welcome Back" describedBy={notice ? NOTICE_ID : undefined} />
      <p className="mt-2 text-muted">Sign in to your {INSTITUTION.fullName} accounts.</p>
      {Boolean(notice) && <div id={NOTICE_ID}>{notice}</div>}
      {/* Never a GET: if a browser sends it without the application, no password ends up in an address. */}
      <form method="post" noValidate onSubmit={onFormSubmit} className="mt-7 grid gap-5">
        <FormAlert id={ALERT_ID}>{isBusy ? null : shown}</FormAlert>
        <TextInput
          ref={emailField}
          label="Email"
          type="email"
          name="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          value={email}
          onChange={(event) => onEmailChange(event.target.value)}
          {...failed}
        />
        <PasswordInput
          ref={passwordField}
          label="Password"
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          {...failed}
        />
        <Button type="submit" size="lg" isFullWidth isBusy={isBusy} busyLabel="Signing in...">
          Sign In
        </Button>
        <ConnectionNote />
      </form>
      <p className="mt-7 text-muted">
        Not a member yet? <TextLink to={PATHS.signup}>Open an account</TextLink>
      </p>
      <p className="mt-2 text-muted">
        Forgot your password? Contact <MailLink address={INSTITUTION.supportEmail} />
      </p>
    </>
  );
}
