/**
 * Response headers that the service sends, with their JSON Schema and meaning. A route names the
 * headers of its own responses. The headers of limits, idempotency keys and errors are added.
 */
export const responseHeaders = {
  'Accept-Ranges': { schema: { type: 'string', enum: ['bytes'] }, description: 'Ranges can be requested.' },
  'Cache-Control': { schema: { type: 'string' }, description: 'Whether and how long caches can store the response.' },
  'Content-Disposition': { schema: { type: 'string' }, description: 'Name for storing the body as a file.' },
  'Content-Encoding': { schema: { type: 'string', enum: ['br', 'gzip'] }, description: 'How the body is compressed.' },
  'Content-Length': { schema: { type: 'integer', minimum: 0 }, description: 'Size of the body in bytes.' },
  'Content-Range': { schema: { type: 'string' }, description: 'Which bytes of how many the body has.' },
  'Content-Security-Policy': {
    schema: { type: 'string' },
    description: 'The sources that the page is allowed to load from.',
  },
  'Content-Type': { schema: { type: 'string' }, description: 'Media type of the body.' },
  ETag: { schema: { type: 'string' }, description: 'Version of the resource, for `If-None-Match` and `If-Match`.' },
  'Idempotent-Replayed': {
    schema: { type: 'string', enum: ['true'] },
    description: 'Sent with a response that repeats the first response to this `Idempotency-Key`.',
  },
  Location: { schema: { type: 'string' }, description: 'Address of the resource.' },
  'Preference-Applied': {
    schema: { type: 'string', enum: ['respond-async'] },
    description: 'The part of `Prefer` that was honoured.',
  },
  'Retry-After': { schema: { type: 'integer', minimum: 1 }, description: 'Seconds to wait before trying again.' },
  'Set-Cookie': { schema: { type: 'string' }, description: 'Stores or removes the cookie of a browser session.' },
  Vary: { schema: { type: 'string' }, description: 'Headers of the request that the response depends on.' },
  'WWW-Authenticate': { schema: { type: 'string' }, description: 'How to send credentials.' },
  'X-Cache': {
    schema: { type: 'string', enum: ['hit', 'miss'] },
    description: 'Whether the response came from the cache (`hit`) or from the database.',
  },
  'X-RateLimit-Limit': { schema: { type: 'integer', minimum: 1 }, description: 'Requests allowed in the window.' },
  'X-RateLimit-Remaining': { schema: { type: 'integer', minimum: 0 }, description: 'Requests left in the window.' },
  'X-RateLimit-Reset': {
    schema: { type: 'integer', minimum: 0 },
    description: 'End of the window, in seconds since the epoch.',
  },
  'X-Request-ID': {
    schema: { type: 'string', format: 'uuid' },
    description: 'Id of the request: the one sent in `X-Request-ID` if that is a UUID, otherwise a new one.',
  },
} as const satisfies Record<string, { schema: object; description: string }>;

export type ResponseHeader = keyof typeof responseHeaders;

export const rateLimitHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;
