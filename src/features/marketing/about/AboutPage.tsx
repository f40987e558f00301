import { INSTITUTION } from "#shared/institution";
import { CallToAction } from "../CallToAction";
import { PageHero } from "../PageHero";
import { Section } from "../Section";
import { Counters } from "./Counters";
import { Timeline } from "./Timeline";

const PRINCIPLES = [
  {
    title: "One member, one vote",
    text: "The size of a balance buys no influence. The board is elected by everyone who banks here.",
  },
  {
    title: "Plain terms",
    text: "If a rate or a rule needs a second reading, we rewrite it.",
  },
  {
    title: "Close by",
    text: "Applications are read and loans decided by people who live where you do.",
  },
] as const;

export function AboutPage() {
  return (
    <>
      <PageHero
        title="About"
        heading={`A bank without shareholders since ${INSTITUTION.foundedYear}`}
        lead={`${INSTITUTION.fullName} belongs to its members: the people who save here lend to the people who borrow here, and the difference stays with both.`}
      />
      <Counters />
      <Section title="What being owned by members means">
        <ul className="grid gap-6 md:grid-cols-3 md:gap-10">
          {PRINCIPLES.map((principle) => (
            <li key={principle.title} className="border-t-2 border-brand pt-4">
              <h3 className="text-sub-title">{principle.title}</h3>
              <p className="mt-1.5 text-muted">{principle.text}</p>
            </li>
          ))}
        </ul>
      </Section>
      <div className="border-t border-line" />
      <Timeline />
      <CallToAction />
    </>
  );
}
