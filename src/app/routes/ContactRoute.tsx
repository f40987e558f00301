import { PageMeta } from "../../features/marketing/PageMeta";
import { ContactPage } from "../../features/marketing/contact/ContactPage";
import { PUBLIC_PAGES } from "../../features/marketing/pages";

export function ContactRoute() {
  return (
    <>
      <PageMeta page={PUBLIC_PAGES.contact} />
      <ContactPage />
    </>
  );
}
