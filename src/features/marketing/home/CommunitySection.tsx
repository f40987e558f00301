import { COMMUNITY_PROJECTS } from "../content/voices";
import { Section } from "../Section";

export function CommunitySection() {
  return (
    <div className="bg-sunken">
      <Section
        id="community"
        title="What we earn stays around here"
        lead="One percent of each year's surplus goes to projects that members propose and choose."
      >
        <ul className="grid gap-6 md:grid-cols-3 md:gap-10">
          {COMMUNITY_PROJECTS.map((project) => (
            <li key={project.title} className="border-t-2 border-brand pt-4">
              <h3 className="text-sub-title">{project.title}</h3>
              <p className="mt-1.5 text-muted">{project.text}</p>
            </li>
          ))}
        </ul>
      </Section>
    </div>
  );
}
