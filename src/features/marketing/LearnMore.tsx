/**
 * The specified words of a link, with what they lead to in its text for readers of the document.
 * The accessible name stays "Learn More"; give the link a description for assistive technology.
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
