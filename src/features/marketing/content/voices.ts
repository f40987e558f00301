interface Voice {
  readonly quote: string;
  readonly name: string;
  readonly since: string;
}

/** What members of a fictional institution might say; marked as illustrative where shown. */
export const VOICES: readonly Voice[] = [
  {
    quote:
      "I called about a loan on a Tuesday morning and talked to the person who would decide it. By noon I had an answer, and I understood it.",
    name: "Ines, bakery owner",
    since: "Member since 2011",
  },
  {
    quote:
      "My rent, my savings and what I send my sister are on one screen. I stopped keeping a spreadsheet.",
    name: "Theo, night nurse",
    since: "Member since 2019",
  },
];

interface CommunityProject {
  readonly title: string;
  readonly text: string;
}

export const COMMUNITY_PROJECTS: readonly CommunityProject[] = [
  {
    title: "Money lessons in schools",
    text: "Twelve lessons that our staff teach, from the first allowance to the first lease.",
  },
  {
    title: "The repair workshop",
    text: "Members lend tools and an evening; bicycles and toasters go home working.",
  },
  {
    title: "Small grants, chosen by vote",
    text: "Every member has one vote on where the community fund goes each spring.",
  },
];
