import { Component, type MouseEvent, type ReactNode } from "react";
import { RotateCw } from "lucide-react";
import { INSTITUTION } from "#shared/institution";
import { retryParts } from "../../lib/lazyPart";
import { PartUnavailableError, reloadNewRelease } from "../../lib/loadPart";
import { Button } from "./Button";
import { PageHeading } from "./PageHeading";
import { MailLink } from "./TextLink";

/** A panel that fails so soon after it was tried again has failed in the same way. */
const SAME_FAILURE_MS = 30_000;

interface ErrorBoundaryProps {
  /** What could not be shown: "Recent transactions". */
  name: string;
  /** Replaces the default sentence with the specification's words. */
  sentence?: string;
  /** What stands around the failure when the whole page is inside: its title and its heading are lost, too. */
  frame?: (failure: ReactNode) => ReactNode;
  children: ReactNode;
}

interface ErrorBoundaryState {
  hasFailed: boolean;
  /** It did not arrive, and none of it has run. */
  isUnavailable?: boolean;
  failedMs?: number;
}

/** Contains the failure of one panel: says so and offers to try again; the rest of the page lives on. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { hasFailed: false };

  static getDerivedStateFromError(error: unknown): ErrorBoundaryState {
    const isUnavailable = error instanceof PartUnavailableError;
    return { hasFailed: true, isUnavailable, failedMs: performance.now() };
  }

  private retriedMs = -Infinity;

  private readonly retry = ({ currentTarget }: MouseEvent<HTMLElement>): void => {
    // The button is about to go: focus moves to the heading above what will replace it.
    const heading = currentTarget.closest("section")?.querySelector<HTMLElement>("h2[tabindex]");
    (heading ?? currentTarget.closest<HTMLElement>("main"))?.focus();
    retryParts();
    const { isUnavailable, failedMs = 0 } = this.state;
    const isRepeated = failedMs - this.retriedMs < SAME_FAILURE_MS;
    // A new release may have no function of the name that this page calls.
    if (isRepeated && !isUnavailable) void reloadNewRelease();
    this.retriedMs = performance.now();
    this.setState({ hasFailed: false });
  };

  override render(): ReactNode {
    const { children, frame, name, sentence } = this.props;
    const { hasFailed, isUnavailable } = this.state;
    if (!hasFailed) return children;
    const words = sentence ?? `${name} could not be shown.`;
    const failure = (
      <div
        role="alert"
        className="grid justify-items-start gap-3 rounded-card border border-line bg-surface p-5 md:p-6"
      >
        {frame === undefined ? (
          <p className="font-semibold">{words}</p>
        ) : (
          <PageHeading title={words.replace(/\.$/, "")}>{words}</PageHeading>
        )}
        <p className="text-muted">
          {isUnavailable ? "The connection may have been interrupted." : "Nothing was changed."} If
          it happens again, write to <MailLink address={INSTITUTION.supportEmail} />.
        </p>
        <Button variant="secondary" onClick={this.retry}>
          <RotateCw aria-hidden className="size-4" />
          Try again
        </Button>
      </div>
    );
    return frame === undefined ? failure : frame(failure);
  }
}
