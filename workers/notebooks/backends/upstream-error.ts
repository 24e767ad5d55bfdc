import { parseJson } from '../../../shared/json/parse-json.ts';

/** A failure of the backend. `notebook-calls.processor.ts` decides by it whether to retry. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  /** True if another attempt can succeed. */
  readonly retryable: boolean = false;
  /** Minimum time before another attempt, if the backend sent one. */
  readonly retryAfterMs: number = 0;
  /** True if the backend does not work. The circuit breaker counts such errors. */
  readonly outage: boolean = false;
  /** True if the backend rejected the request, so that the request had no effect. */
  readonly refused: boolean = false;
  /** True if the backend rejected the configured token. */
  readonly unauthorized: boolean = false;

  /** @param reason a sentence for callers: sanitized, on one line, of limited length. */
  constructor(reason: string, { cause, ...failure }: Partial<Omit<UpstreamError, keyof Error>> & ErrorOptions = {}) {
    super(reason, cause === undefined ? undefined : { cause });
    Object.assign(this, failure);
  }
}

/** The backend works, and the notebook does not exist. */
export class NotebookAbsent extends Error {
  override readonly name = 'NotebookAbsent';
}

/** @returns what the request returns; undefined if the notebook or the folder does not exist. */
export async function ignoreAbsent<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof NotebookAbsent) return undefined;
    throw error;
  }
}

// Error messages of backends, for callers of the service.

const maxReasonLength = 300;
/** Bounds the work on a long response. The text after this length does not fit into the reason. */
const maxInputLength = 5_000;

const secretPatterns: readonly [RegExp, string][] = [
  [/(\/\/)[^\s/@]{1,200}@/g, '$1'],
  [/\b(bearer|basic|token)\s+[\w.~+/=-]{6,}/gi, '$1 [secret]'],
  [
    /\b((?:access_|api[_-]?)?(?:token|key)|password|passwd|secret|authorization)(["']?\s*[=:]\s*)["']?[^\s"',;&}]+/gi,
    '$1$2[secret]',
  ],
];

/** Absolute paths of the server. A quoted path can contain blanks. URLs are kept. */
const pathPatterns: readonly [RegExp, string][] = [
  [/(["'`])(?:file:\/\/|[a-z]:[\\/]|\/|~\/)[^"'`]*\1/gi, '[path]'],
  [/\bfile:\/\/\S+/gi, '[path]'],
  [/\b[a-z]:\\[^\s"'`,;)]+/gi, '[path]'],
  [/(?<![\w/:.~-])~?(?:\/[\w.@+%~-]+)+\/?/g, '[path]'],
];

/**
 * Converts the text to one line of at most 300 characters, without secrets and paths of the server.
 * @param secrets known secrets to remove, such as the token of the request.
 */
export function sanitizeReason(text: string, secrets: readonly string[] = []): string {
  let reason = text.slice(0, maxInputLength);
  for (const secret of secrets) if (secret !== '') reason = reason.replaceAll(secret, '[secret]');
  for (const [pattern, replacement] of [...secretPatterns, ...pathPatterns])
    reason = reason.replaceAll(pattern, replacement);
  const line = reason.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  const characters = Array.from(line);
  return characters.length <= maxReasonLength ? line : `${characters.slice(0, maxReasonLength - 1).join('')}…`;
}

/**
 * Finds the message in the body of an error response: `message`, `detail` (a string or a list of
 * field errors), `reason`, or plain text.
 */
export function extractErrorMessage(body: string): string {
  const parsed = parseJson(body);
  if (parsed === undefined) return /^\s*</.test(body) ? '' : body;
  if (typeof parsed !== 'object' || parsed === null) return typeof parsed === 'string' ? parsed : '';
  const { message, detail, reason } = parsed as Record<string, unknown>;
  if (Array.isArray(detail)) return detail.map(formatFieldError).join('; ');
  return [message, detail, reason].find((text): text is string => typeof text === 'string' && text !== '') ?? '';
}

function formatFieldError(error: unknown): string {
  const { loc, msg } = (error ?? {}) as { loc?: unknown; msg?: unknown };
  return `${Array.isArray(loc) ? `${loc.join('.')}: ` : ''}${String(msg)}`;
}
