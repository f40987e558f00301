import { lazy, type ComponentType, type LazyExoticComponent } from "react";

/** A route component in a chunk of its own, by the name of its export. */
export function lazyRoute<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): LazyExoticComponent<ComponentType> {
  return lazy(async () => ({ default: (await load())[name] }));
}
