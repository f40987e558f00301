/**
 * A link's specified words, followed in its text by what it leads to, for anything that reads the document. The
 * accessible name stays "Learn More"; give the link a description for assistive technology.
 */
export function LearnMore({ about }: { readonly about: string }) {
  return (
    <span>
      Learn More
      <span aria-hidden="true" className="sr-only">
        {" "}
        about {about}
      </span>
    </span>
  );
}
