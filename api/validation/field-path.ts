/** `['assumptions', 'function', 'memory_mb']` becomes `assumptions.function.memory_mb`, `[3, 'message']` `[3].message`. */
export function fieldPath(path: readonly (string | number)[], whole = 'body'): string {
  if (path.length === 0) return whole;
  return path.map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`)).join('');
}
