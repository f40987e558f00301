import { useRef, useState } from "react";
import { Badge } from "../../components/ui/Badge";
import { Button } from "../../components/ui/Button";
import { Card } from "../../components/ui/Card";
import { ConfirmDialog } from "../../components/ui/ConfirmDialog";
import { FormAlert } from "../../components/ui/FormAlert";
import { RadioCards } from "../../components/ui/RadioCards";
import { SkeletonRows } from "../../components/ui/Skeleton";
import { StatusBanner } from "../../components/ui/StatusBanner";
import { policyTitle, policyValueText } from "#shared/policyTexts";

export interface PolicyRow {
  readonly key: string;
  /** JSON texts. */
  readonly value: string;
  readonly asSpecified: string;
  readonly recommended: string;
  /** Section of the specification, or "". */
  readonly specSection: string;
  readonly text: string;
}

/** Stands for the key where all policies are switched at once. */
export const ALL_POLICIES = "";

export interface PolicyListProps {
  /** Undefined while they load. */
  policies: readonly PolicyRow[] | undefined;
  onSet: (key: string, value: string) => void;
  /** Resolves to true once all are switched. */
  onApplyRecommended: () => Promise<boolean>;
  isBusy: boolean;
  /** Why switches were refused, by the policy's key. */
  failures: Readonly<Record<string, string>>;
  /** What `done` is about. */
  switched: string;
  done: string | null;
}

/** Every policy with its two known values, and one action that switches all of them. */
export function PolicyList(props: PolicyListProps) {
  const { policies } = props;
  if (policies === undefined) return <SkeletonRows count={6} />;
  const canApply = policies.some(({ value, recommended }) => value !== recommended);
  return (
    <div className="grid grid-cols-1 gap-5">
      <ApplyRecommendedCard {...props} canApply={canApply} />
      <Outcome {...props} of={ALL_POLICIES} />
      <div className="grid grid-cols-1 gap-5 lg:grid-cols-2">
        {policies.map((policy) => (
          <PolicyCard key={policy.key} policy={policy} {...props} />
        ))}
      </div>
    </div>
  );
}

/** Stands where the switch was made: one screen may not hold all policies. */
function Outcome({ of: key, failures, switched, done }: PolicyListProps & { of: string }) {
  return (
    <>
      <FormAlert>{failures[key]}</FormAlert>
      <StatusBanner>{switched === key && done}</StatusBanner>
    </>
  );
}

function ApplyRecommendedCard({
  canApply,
  onApplyRecommended,
  isBusy,
}: PolicyListProps & { canApply: boolean }) {
  const [isAsking, setIsAsking] = useState(false);
  const card = useRef<HTMLElement>(null);
  const afterwards = useRef<HTMLElement>(null);
  const ask = () => {
    afterwards.current = null;
    setIsAsking(true);
  };
  return (
    <Card
      ref={card}
      title="Recommended policies"
      className="no-print"
      lead={
        canApply
          ? "Some policies are set as specified. One action switches all of them to what a sound institution would choose."
          : "Every policy is set as recommended."
      }
      actions={
        <Button disabled={!canApply} onClick={ask}>
          Apply recommended policies
        </Button>
      }
    >
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        onConfirm={async () => {
          // The button is then disabled: it cannot take the focus back.
          if (await onApplyRecommended())
            afterwards.current = card.current?.querySelector("h2") ?? null;
          return true;
        }}
        finalFocus={afterwards}
        title="Apply recommended policies?"
        description="All policies switch at once, for everyone. The change is written to the audit log. Each policy can be switched back, the second administrator only by two administrators."
        confirmLabel="Apply policies"
        busyLabel="Applying..."
        variant="primary"
        isBusy={isBusy}
      />
    </Card>
  );
}

function PolicyCard({ policy, ...props }: PolicyListProps & { policy: PolicyRow }) {
  const { key, value, asSpecified, recommended, specSection, text } = policy;
  const hasOneValue = asSpecified === recommended;
  return (
    <Card
      title={policyTitle(key)}
      actions={
        <Badge tone={value === recommended ? "pos" : "neutral"}>
          {value === recommended ? "as recommended" : "as specified"}
        </Badge>
      }
    >
      <p className="mb-4 text-sm text-muted">{text}</p>
      {hasOneValue ? (
        <p>
          {policyValueText(key, value)}{" "}
          <span className="text-muted">as specified and as recommended</span>
        </p>
      ) : (
        <div className="grid gap-3">
          <RadioCards
            legend={policyTitle(key)}
            isLegendHidden
            name={`policy-${key}`}
            columns={2}
            value={value}
            onValueChange={(next) => props.onSet(key, next)}
            options={[
              {
                value: asSpecified,
                label: "As specified",
                detail: valueDetail(policyValueText(key, asSpecified), specSection),
              },
              {
                value: recommended,
                label: "Recommended",
                detail: policyValueText(key, recommended),
              },
            ]}
          />
          <Outcome {...props} of={key} />
        </div>
      )}
    </Card>
  );
}

function valueDetail(valueText: string, specSection: string): string {
  return specSection === "" ? valueText : `${valueText} (specification, section ${specSection})`;
}
