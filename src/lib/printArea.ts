/**
 * Prints one element of the page (a receipt, a statement) and nothing else. The rules are in styles/print.css: what
 * neither contains the element nor is in it takes no room on paper.
 */
export function printArea(element: HTMLElement | null): void {
  if (element === null) return;
  const way: HTMLElement[] = [];
  for (let parent = element.parentElement; parent !== null; parent = parent.parentElement) {
    way.push(parent);
  }
  element.dataset.printable = "";
  for (const parent of way) parent.dataset.printWay = "";
  const restore = () => {
    delete element.dataset.printable;
    for (const parent of way) delete parent.dataset.printWay;
  };
  window.addEventListener("afterprint", restore, { once: true });
  window.print();
}
