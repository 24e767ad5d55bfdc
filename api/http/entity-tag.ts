import { sha256 } from '../../shared/crypto/sha256.ts';
import { AppError } from '../../shared/errors.ts';
import { Joi } from './input.ts';

/** The tag of a resource with a revision. */
export const entityTag = (revision: number) => `"${revision}"`;

/** The tag of a resource that can change without a new revision: a digest of what is sent. */
export function contentTag(content: object): string {
  return `"${sha256(JSON.stringify(content), 'base64url').slice(0, 22)}"`;
}

/** The tag of another representation of the same version, such as a compressed one. */
export const weakTag = (tag: string) => `W/${tag}`;

/**
 * Whether a header with a list of tags contains `tag`. A tag identifies a version of a resource, so
 * a weak one matches too, and one that Apache has marked as compressed (`"5-gzip"`).
 */
export function matchesTag(header: string, tag: string): boolean {
  return header.split(',').some((part) => {
    const sent = part.trim().replace(/^W\//, '');
    return sent === '*' || sent === tag || sent.replace(/-(?:gzip|br)"$/, '"') === tag;
  });
}

/** Request headers of a route with a conditional change. */
export interface ConditionalHeaders {
  'If-Match'?: string;
}

export const conditionalHeaders = Joi.object<ConditionalHeaders>({
  'If-Match': Joi.string().trim().description('The change is made only if the resource still has this `ETag`.'),
});

/**
 * Compares `If-Match`, if it was sent, with the tag of the resource.
 * @returns whether `If-Match` names a version. The write must then depend on the revision.
 * @throws AppError PRECONDITION_FAILED
 */
export function checkIfMatch({ 'If-Match': header }: ConditionalHeaders, tag: string): boolean {
  if (header === undefined) return false;
  if (matchesTag(header, tag)) return header !== '*';
  throw preconditionFailed();
}

export function preconditionFailed(): AppError {
  return new AppError('PRECONDITION_FAILED', 'The resource has changed since the version that If-Match names.');
}
