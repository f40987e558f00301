import { Component, type ReactNode } from "react";
import { RotateCw } from "lucide-react";
import { INSTITUTION } from "#shared/institution";
import { Button } from "./Button";
import { MailLink } from "./TextLink";

interface ErrorBoundaryProps {
  /** What could not be shown: "Recent transactions". */
  name: string;
  /** Says it in the specification's words instead. */
  sentence?: string;
  /** What stands around the failure when the whole page is inside. */
  frame?: (failure: ReactNode) => ReactNode;
  children: ReactNode;
}

/** Contains a failure of one panel: says so and offers to try again; the rest of the page lives. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    const { children, frame, name, sentence } = this.props;
    if (!this.state.hasFailed) return children;
    const failure = (
      <div
        role="alert"
        className="grid justify-items-start gap-3 rounded-card border border-line bg-surface p-5 md:p-6"
      >
        <p className="font-semibold">{sentence ?? `${name} could not be shown.`}</p>
        <p className="text-muted">
          Nothing was changed. If it happens again, write to{" "}
          <MailLink address={INSTITUTION.supportEmail} />.
        </p>
        <Button variant="secondary" onClick={() => this.setState({ hasFailed: false })}>
          <RotateCw aria-hidden className="size-4" />
          Try again
        </Button>
      </div>
    );
    return frame === undefined ? failure : frame(failure);
  }
}
