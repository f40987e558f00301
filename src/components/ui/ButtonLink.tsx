import { Link, type LinkProps } from "react-router-dom";
import clsx from "clsx";
import { buttonStyle, type ButtonSize, type ButtonVariant } from "./buttonStyle";

interface ButtonLinkProps extends LinkProps {
  variant?: ButtonVariant;
  size?: ButtonSize;
  isFullWidth?: boolean;
}

/** A link that looks like a button. */
export function ButtonLink({
  variant = "primary",
  size = "md",
  isFullWidth = false,
  className,
  ...rest
}: ButtonLinkProps) {
  return <Link className={clsx(buttonStyle(variant, size, isFullWidth), className)} {...rest} />;
}
