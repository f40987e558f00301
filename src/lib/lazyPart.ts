import { createElement, lazy, type ComponentType } from "react";
import { allowReload, loadPage } from "./loadPart";

type Load<Name extends string, Props> = () => Promise<Record<Name, ComponentType<Props>>>;

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
): ComponentType<Props> {
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
  return function LazyPart(props: Props) {
    return createElement(Part as ComponentType<Props>, props);
  };
}

/** {@link lazyPart} for what the first view of a page is made of: frame, route, what it always draws. */
export function lazyPage<Name extends string, Props extends object>(
  load: Load<Name, Props>,
  name: Name,
): ComponentType<Props> {
  return lazyPart(() => loadPage(load), name);
}
