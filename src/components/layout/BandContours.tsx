import clsx from "clsx";
import { Contours } from "../ui/Contours";

/** The contour lines of a band: faint under the text at the left, full towards the right. */
export function BandContours({ isFlipped = false }: { readonly isFlipped?: boolean }) {
  return (
    <div
      aria-hidden="true"
      className="absolute inset-0 -z-10 [mask-image:linear-gradient(100deg,rgb(0_0_0/0.3)_20%,black_75%)]"
    >
      <Contours className={clsx("z-auto", isFlipped && "rotate-180")} />
    </div>
  );
}
