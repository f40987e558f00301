import { createElement, lazy, useState, type ComponentType } from "react";
import { allowReload, loadPage } from "./loadPart";

type Load<Name extends string, Props> = () => Promise<Record<Name, ComponentType<Props>>>;

/** A component that may be fetched before it is drawn, and is then drawn without a moment of its fallback. */
type LazyPart<Props> = ComponentType<Props> & {
  /** Never rejects: what did not arrive is asked for again when it is drawn. */
  preload: () => Promise<void>;
};

/** Puts anew what failed to load. */
const failed = new Set<() => void>();

/** Has the parts that failed to load asked for again when they are drawn next. */
export function retryParts(): void {
  for (const renew of failed) renew();
  failed.clear();
  allowReload();
}

/**
 * A component in a chunk of its own, by the name of its export: React's `lazy`, which remembers a failure
 * for ever, with {@link retryParts}.
 */
export function lazyPart<Name extends string, Props extends object>(
  load: Load<Name, Props>,
  name: Name,
): LazyPart<Props> {
  let loaded: ComponentType<Props> | undefined;
  const newPart = () =>
    lazy<ComponentType<Props>>(async () => {
      try {
        loaded = (await load())[name];
        return { default: loaded };
      } catch (error) {
        failed.add(() => {
          Part = newPart();
        });
        throw error;
      }
    });
  let Part = newPart();
  const preload = async () => {
    try {
      loaded = (await load())[name];
    } catch {
      // Drawing it says so.
    }
  };
  const draw = (props: Props) => {
    // For as long as it stands: another type would begin with a state of its own.
    // eslint-disable-next-line react-hooks/rules-of-hooks -- a component, made once for each part
    const [Shown] = useState(() => loaded ?? (Part as ComponentType<Props>));
    return createElement(Shown, props);
  };
  return Object.assign(draw, { preload });
}

/** {@link lazyPart} for what the first view of a page is made of: frame, route, what it always draws. */
export function lazyPage<Name extends string, Props extends object>(
  load: Load<Name, Props>,
  name: Name,
): LazyPart<Props> {
  return lazyPart(() => loadPage(load), name);
}
