import clsx from "clsx";
import { Contours } from "../ui/Contours";

const VIEWS = {
  middle: undefined,
  turned: "rotate-180",
  /** Lines that cross small text at the right almost vertically, so that they do not strike it through. */
  steep: "-scale-x-100 [mask-position:top]",
};

/** The contour lines of a band: faint under the text at the left, full towards the right. */
export function BandContours({ view = "middle" }: { readonly view?: keyof typeof VIEWS }) {
  return (
    <div
      aria-hidden="true"
      className="absolute inset-0 -z-10 [mask-image:linear-gradient(100deg,rgb(0_0_0/0.3)_20%,black_75%)]"
    >
      <Contours className={clsx("z-auto", VIEWS[view])} />
    </div>
  );
}
