/** What cards are called, in the portal, in the back office and in messages. */

type Kind = "debit" | "credit";

/** "Debit card". */
export const cardKindName = (kind: Kind): string =>
  kind === "debit" ? "Debit card" : "Credit card";

/** "Debit card ending 4411". */
export const cardName = ({
  kind,
  lastFour,
}: {
  readonly kind: Kind;
  readonly lastFour: string;
}): string => `${cardKindName(kind)} ending ${lastFour}`;
