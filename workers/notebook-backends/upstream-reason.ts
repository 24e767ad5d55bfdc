/** What a backend says about its failure, made fit for a caller's eyes. */

const longestReason = 300;
/** Bounds the work on a long answer; what stands behind it would be cut anyway. */
const readAtMost = 5_000;

const secretPatterns: readonly [RegExp, string][] = [
  [/(\/\/)[^\s/@]{1,200}@/g, '$1'],
  [/\b(bearer|basic|token)\s+[\w.~+/=-]{6,}/gi, '$1 [secret]'],
  [
    /\b((?:access_|api[_-]?)?(?:token|key)|password|passwd|secret|authorization)(["']?\s*[=:]\s*)["']?[^\s"',;&}]+/gi,
    '$1$2[secret]',
  ],
];

/** Absolute paths of the server, quoted (then blanks belong to them) or not; web addresses are left alone. */
const pathPatterns: readonly [RegExp, string][] = [
  [/(["'`])(?:file:\/\/|[a-z]:[\\/]|\/|~\/)[^"'`]*\1/gi, '[path]'],
  [/\bfile:\/\/\S+/gi, '[path]'],
  [/\b[a-z]:\\[^\s"'`,;)]+/gi, '[path]'],
  [/(?<![\w/:.~-])~?(?:\/[\w.@+%~-]+)+\/?/g, '[path]'],
];

/**
 * On one line, without secrets and without paths of the server, at most 300 characters.
 * @param secrets are removed wherever they stand, such as the token that we have sent.
 */
export function readableReason(text: string, secrets: readonly string[] = []): string {
  let reason = text.slice(0, readAtMost);
  for (const secret of secrets) if (secret !== '') reason = reason.replaceAll(secret, '[secret]');
  for (const [pattern, instead] of [...secretPatterns, ...pathPatterns]) reason = reason.replaceAll(pattern, instead);
  const line = reason.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  const characters = Array.from(line);
  return characters.length <= longestReason ? line : `${characters.slice(0, longestReason - 1).join('')}…`;
}

/** The sentence in the body of an error answer: `message`, `detail` (text or a list of faults), or the text itself. */
export function saidBy(body: string): string {
  const parsed = jsonOrUndefined(body);
  if (parsed === undefined) return /^\s*</.test(body) ? '' : body;
  if (typeof parsed !== 'object' || parsed === null) return typeof parsed === 'string' ? parsed : '';
  const { message, detail, reason } = parsed as Record<string, unknown>;
  if (Array.isArray(detail)) return detail.map(saidByFault).join('; ');
  return [message, detail, reason].find((said): said is string => typeof said === 'string' && said !== '') ?? '';
}

function saidByFault(fault: unknown): string {
  const { loc, msg } = (fault ?? {}) as { loc?: unknown; msg?: unknown };
  return `${Array.isArray(loc) ? `${loc.join('.')}: ` : ''}${String(msg)}`;
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
