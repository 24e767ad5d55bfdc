import { type Attempt, type Evidence, isUnknown, type Operation, Verdict } from './operations.ts';

/** Only errors that name a reason of the moment are possible. */
export function judgeResponses({ operations }: Evidence): Verdict {
  const verdict = new Verdict('requests', 'requests without a response', 'requests with 5xx');
  for (const operation of operations) {
    for (const attempt of operation.attempts) {
      const { status, code, request } = attempt;
      verdict.count('requests');
      if (status === null) verdict.count('requests without a response');
      else if (status >= 500) verdict.count('requests with 5xx');
      if (status === null || status < 400 || isPossible(operation, attempt)) continue;
      const retry = status === 503 || status === 429 ? ' without Retry-After' : '';
      verdict.violations.push(`request ${request} (${operation.action.kind}) got ${status} ${code ?? ''}${retry}`);
    }
  }
  return verdict;
}

function isPossible({ action, isKeyed, attempts }: Operation, attempt: Attempt): boolean {
  const { status, code, hasRetryAfter } = attempt;
  // An earlier attempt can have been carried out, or still be.
  const isRepeat = attempts.some((other) => other.sentAt < attempt.sentAt && isUnknown(other));
  if (status === 502) return true;
  if (status === 503 || status === 429) return hasRetryAfter;
  // A response of OpenTelemetry has no code.
  if (status === 409 && isKeyed && hasRetryAfter && action.kind !== 'entries') return true;
  if (status === 409) return code === 'CONFLICT' && (isRepeat || action.kind === 'create');
  return status === 404 && action.kind === 'delete' && isRepeat;
}
