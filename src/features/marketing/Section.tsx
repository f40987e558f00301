import { useId, type ReactNode } from "react";

interface SectionProps {
  readonly title: string;
  readonly lead?: string;
  readonly id?: string;
  readonly children: ReactNode;
}

/** A titled part of a public page, named by its heading. */
export function Section({ title, lead, id, children }: SectionProps) {
  const headingId = useId();
  return (
    <section
      id={id}
      aria-labelledby={headingId}
      className="mx-auto max-w-public px-4 py-14 md:px-6 md:py-20"
    >
      <h2
        id={headingId}
        className="max-w-[24ch] font-display text-[1.625rem] leading-[1.15] font-semibold tracking-[-0.015em] md:text-[2.125rem]"
      >
        {title}
      </h2>
      {lead && <p className="mt-3 max-w-[58ch] text-base text-muted">{lead}</p>}
      <div className="mt-8">{children}</div>
    </section>
  );
}
