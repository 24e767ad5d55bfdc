import type { ComponentChildren } from 'preact';
import { ApiError, UnreachableError } from '../client/api-error.ts';
import { faultSentence, fieldLabel, inPageWords } from '../format/page-words.ts';

/** The looks of a part that is loading, empty or failed. */

export function Loading({ what }: { readonly what: string }) {
  return (
    <p class="loading" role="status">
      Loading {what}…
    </p>
  );
}

export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

interface MarkOldProps {
  readonly isOld: boolean;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** Marks figures with “Updating…” while newer ones are read. */
export function MarkOld({ isOld, children, ...props }: MarkOldProps) {
  return (
    <div aria-busy={isOld} class={`${props.class ?? ''} ${isOld ? 'old' : ''}`}>
      {children}
    </div>
  );
}

interface ErrorNoteProps {
  readonly error: unknown;
  /** Fields that show their errors themselves. */
  readonly ownFields?: readonly string[];
  readonly retry?: () => void;
}

/** Shows an error of the API in the words of the page. */
export function ErrorNote({ error, ownFields = [], retry }: ErrorNoteProps) {
  const fields = error instanceof ApiError ? error.fields : [];
  const others = fields.filter(({ field }) => !ownFields.includes(field));
  // The form focuses the first of its fields with an error.
  if (fields.length > 0 && others.length === 0) return null;
  return (
    <div class="error-note" role="alert">
      <p>{headOf(error, others.length)}</p>
      {others.length > 0 && (
        <ul>
          {others.map(({ field, error: fault }) => (
            <li key={field}>{faultSentence(fieldLabel(field), fault)}</li>
          ))}
        </ul>
      )}
      {error instanceof ApiError && error.status >= 500 && error.requestId && (
        <p class="hint">
          Request <code>{error.requestId}</code>
        </p>
      )}
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** The sentence of an invalid request repeats its only field. */
const headOf = (error: unknown, listed: number) =>
  error instanceof ApiError && error.code === 'VALIDATION_ERROR' && listed > 0
    ? 'This is not possible:'
    : sentenceOf(error);

export function sentenceOf(error: unknown): string {
  if (error instanceof UnreachableError) return 'Meterbook is unreachable. Nothing was changed; try again.';
  return error instanceof Error ? inPageWords(error.message) : String(error);
}

export interface Query<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
  /** The error of an attempt that is repeated. */
  readonly failureReason: unknown;
  readonly refetch: () => unknown;
}

/**
 * Shows what a query has read, and that it could not be read again; before that, that it is loading
 * or has failed.
 */
export function Loaded<Data>({
  query,
  what,
  children,
}: {
  readonly query: Query<Data>;
  readonly what: string;
  readonly children: (data: Data) => ComponentChildren;
}) {
  const { data, error, failureReason } = query;
  const note = error ? <ErrorNote error={error} retry={() => void query.refetch()} /> : null;
  if (data !== undefined) {
    return (
      <>
        {note}
        {children(data)}
      </>
    );
  }
  if (note) return note;
  return (
    <>
      <Loading what={what} />
      {failureReason instanceof ApiError && (
        <p class="hint">{sentenceOf(failureReason)} The page tries again by itself.</p>
      )}
    </>
  );
}
