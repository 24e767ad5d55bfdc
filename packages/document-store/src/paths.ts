/** The top-level field of a dotted path. */
export function firstPart(path: string): string {
  const dot = path.indexOf('.');
  return dot < 0 ? path : path.slice(0, dot);
}
