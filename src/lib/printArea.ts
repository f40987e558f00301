/**
 * Prints one element of the page (a receipt, a statement) and nothing else. The rules are in
 * styles/print.css under `data-printing`.
 */
export function printArea(element: HTMLElement | null): void {
  if (element === null) return;
  const root = document.documentElement;
  root.dataset.printing = "";
  element.dataset.printable = "";
  const restore = () => {
    delete root.dataset.printing;
    delete element.dataset.printable;
  };
  window.addEventListener("afterprint", restore, { once: true });
  window.print();
}
