import type { PiiKind } from './pii-kind.ts';

export const EMAIL_KINDS = [
  {
    type: 'email',
    scheme: 'email',
    name: 'E-mail address',
    pattern:
      'local part of 1 to 64 letters, digits and . _ % + \' - (or a quoted string), "@", labels of letters, digits and "-", a top-level domain that exists',
    checksum: 'none; the top-level domain must be in the IANA root zone',
    context: 'not needed; user info of a URL, scp targets, package versions and message ids are not addresses',
    keywords: [],
    source: 'RFC 5321 section 4.1.2, RFC 6531, IANA root zone database',
  },
] as const satisfies readonly PiiKind[];
