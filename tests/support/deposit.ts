/** A deposit that waits for its review, as administrators see it. */
export const depositOf = (name: string) => ({
  _id: name,
  name,
  email: `${name}@demo.example`,
  toAccount: "Checking",
  amountCents: 12_500n,
  status: "Pending Review",
  createdAt: 0,
  frontImageId: "front",
  backImageId: "back",
  isOnePicture: false,
});
