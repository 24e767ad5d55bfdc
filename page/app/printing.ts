/**
 * Marks the document while it is printed, which is in light colours. Colours that a canvas is drawn
 * with are read before the styles for print apply.
 */
export function followPrinting(): void {
  const mark = (isPrinting: boolean) => document.documentElement.classList.toggle('printing', isPrinting);
  addEventListener('beforeprint', () => mark(true));
  addEventListener('afterprint', () => mark(false));
}
