/**
 * Lines of a log, all different. They have what is lost or doubled when a tool escapes text badly.
 */
export function generateLine(number: number): string {
  const status = number % 97 === 0 ? 503 : 200;
  const agent = number % 5 === 0 ? String.raw`"Mozilla/5.0 \"é\" C:\temp\new"` : '"curl/8"';
  return `${String(number).padStart(6, '0')} GET /orders/${number * 7}?q=caf%C3%A9 ${status} ${number % 211} ms ${agent}`;
}

/** The numbers of the lines that a text contains, escaped or not. */
export function* numbersOfLines(text: string): Iterable<number> {
  for (const [, number] of text.matchAll(/\b(\d{6}) GET /g)) yield Number(number);
}
