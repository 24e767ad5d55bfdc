/** Names that a sender makes up can be as long as the body. */
const maxNameLength = 128;

/**
 * `['assumptions', 'function', 'memory_mb']` becomes `assumptions.function.memory_mb`,
 * `[3, 'message']` `[3].message`. Long names are cut.
 */
export function fieldPath(path: readonly (string | number)[], whole = 'body'): string {
  if (path.length === 0) return whole;
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${shortened(part)}`))
    .join('');
}

const shortened = (name: string) => (name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name);
