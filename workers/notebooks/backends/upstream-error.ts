import { parseJson } from '../../../shared/json/parse-json.ts';

interface UpstreamFailure {
  /** A sentence for callers: sanitized, on one line, of limited length. */
  reason: string;
  /** True if another attempt can succeed. */
  retryable: boolean;
  /** Minimum time before another attempt, if the backend sent one. */
  retryAfterMs?: number;
  /** True if the backend does not work. The circuit breaker counts such errors. */
  outage?: boolean;
  /** True if the backend rejected the request, so that the request had no effect. */
  refused?: boolean;
  /** True if the backend rejected the configured token. */
  unauthorized?: boolean;
  cause?: unknown;
}

/** A failure of the backend. `notebook-calls.processor.ts` decides by it whether to retry. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly retryable: boolean;
  readonly retryAfterMs: number;
  readonly outage: boolean;
  readonly refused: boolean;
  readonly unauthorized: boolean;

  constructor({ reason, retryable, retryAfterMs, outage, refused, unauthorized, cause }: UpstreamFailure) {
    super(reason, cause === undefined ? undefined : { cause });
    this.retryable = retryable;
    this.retryAfterMs = retryAfterMs ?? 0;
    this.outage = outage ?? false;
    this.refused = refused ?? false;
    this.unauthorized = unauthorized ?? false;
  }
}

/** The backend works, and the notebook does not exist. */
export class NotebookAbsent extends Error {
  override readonly name = 'NotebookAbsent';
}

/** Waits for a removal. A notebook that does not exist counts as removed. */
export async function ignoreAbsent(removal: Promise<unknown>): Promise<void> {
  try {
    await removal;
  } catch (error) {
    if (!(error instanceof NotebookAbsent)) throw error;
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
