import { createElement, lazy, useState, type ComponentType } from "react";
import { allowReload, loadPage } from "./loadPart";

type Load<Name extends string, Props> = () => Promise<Record<Name, ComponentType<Props>>>;

/** A component that may be fetched before it is drawn, and is then drawn without its fallback showing first. */
type LazyPart<Props> = ComponentType<Props> & {
  /** Never rejects: if it did not arrive, drawing it requests it again. */
  preload: () => Promise<void>;
};

/** One function per part that failed to load: it makes a new lazy component. */
const failed = new Set<() => void>();

/** Makes the parts that failed to load be requested again when they are next drawn. */
export function retryParts(): void {
  for (const renew of failed) renew();
  failed.clear();
  allowReload();
}

/**
 * A component in its own chunk, by the name of its export: React's `lazy`, which remembers a failure for ever, plus
 * {@link retryParts}.
 */
export function lazyPart<Name extends string, Props extends object>(
  load: Load<Name, Props>,
  name: Name,
): LazyPart<Props> {
  let preloaded: ComponentType<Props> | undefined;
  const newPart = () =>
    lazy<ComponentType<Props>>(async () => {
      try {
        return { default: (await load())[name] };
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
      preloaded = (await load())[name];
    } catch {
      // Drawing it reports the failure.
    }
  };
  const draw = (props: Props) => {
    // Fixed while mounted: another component type would start with fresh state.
    // eslint-disable-next-line react-hooks/rules-of-hooks -- a component, made once for each part
    const [Shown] = useState(() => preloaded ?? (Part as ComponentType<Props>));
    return createElement(Shown, props);
  };
  return Object.assign(draw, { preload });
}

/** {@link lazyPart} for what makes up the first view of a page: frame, route, what it always draws. */
export function lazyPage<Name extends string, Props extends object>(
  load: Load<Name, Props>,
  name: Name,
): LazyPart<Props> {
  return lazyPart(() => loadPage(load), name);
}
