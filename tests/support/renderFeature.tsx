/** Renders a component as the product does: in StrictMode, inside a router, with a user who can type. */
import { StrictMode, type ReactNode } from "react";
import { render, type RenderResult } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import axe from "axe-core";
import { MemoryRouter } from "react-router-dom";
import { expect } from "vitest";

export interface RenderedFeature extends RenderResult {
  user: UserEvent;
}

const inApp = (content: ReactNode, path: string) => (
  <StrictMode>
    <MemoryRouter initialEntries={[path]}>{content}</MemoryRouter>
  </StrictMode>
);

/** `path` is the router's current address. */
export function renderFeature(content: ReactNode, path = "/"): RenderedFeature {
  const user = userEvent.setup();
  const result = render(inApp(content, path));
  return { user, ...result, rerender: (next) => result.rerender(inApp(next, path)) };
}

/** Fails on any WCAG 2.2 A or AA violation that axe can detect without layout. */
export async function expectNoAxeViolations(container: Element = document.body): Promise<void> {
  const { violations } = await axe.run(container, {
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    rules: {
      // Needs layout, which jsdom does not have; checked in the browser tests.
      "color-contrast": { enabled: false },
    },
  });
  expect(
    violations.map((violation) => `${violation.id}: ${violation.nodes[0]?.html ?? ""}`),
  ).toEqual([]);
}
