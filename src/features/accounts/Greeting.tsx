import { timeOf } from "#shared/dates";
import { firstName } from "#shared/names";
import { PageHeading } from "../../components/ui/PageHeading";
import { useNow } from "../../hooks/useNow";
import { formatFullDateTime } from "../../lib/format";

const NOON_HOUR = 12;
const EVENING_HOUR = 18;

/** "Good morning" until noon, "Good afternoon" until six, "Good evening" after. */
export function greetingOf(hour: number): string {
  if (hour < NOON_HOUR) return "Good morning";
  return hour < EVENING_HOUR ? "Good afternoon" : "Good evening";
}

/** Greeting with the first word of the name, and the current date and time (spec section 2). */
export function Greeting({ name }: { readonly name: string | undefined }) {
  const nowMs = useNow();
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
      <PageHeading title="Dashboard" className="wrap-anywhere">
        {greetingOf(Number(timeOf(nowMs).slice(0, 2)))}, {firstName(name)}
      </PageHeading>
      <p className="num text-sm text-on-band-muted md:text-[0.9375rem]">
        <time dateTime={new Date(nowMs).toISOString()}>{formatFullDateTime(nowMs)}</time>
      </p>
    </div>
  );
}
