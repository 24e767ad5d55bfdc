import { createSecretKey, randomUUID } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { isUuid, sha256 } from '../../shared/crypto/sha256.ts';
import { day, minute, second } from '../../shared/durations.ts';

/**
 * The header of a token names the kind, so that a token of one kind is not accepted as a token of
 * the other kind.
 */
const kinds = {
  access: { typ: 'at+jwt', lifetime: 15 * minute },
  refresh: { typ: 'rt+jwt', lifetime: 30 * day },
} as const;

type TokenKind = keyof typeof kinds;

const kindNames = Object.keys(kinds) as TokenKind[];

interface TokenClaims {
  userId: string;
  sessionId: string;
}

export interface SignedToken {
  token: string;
  expiresAt: Date;
  /** In seconds. */
  lifetime: number;
}

export type Tokens = ReturnType<typeof createTokens>;

const algorithm = 'HS256';
const issuer = 'meterbook';
/** Tolerated difference between the clocks of two machines, in seconds. */
const clockSkew = 30;

export function createTokens(secret: string) {
  // jsonwebtoken tries to read a string as a public key first, for every token.
  const key = createSecretKey(Buffer.from(secret));
  return {
    sign: (kind: TokenKind, { userId, sessionId }: TokenClaims): SignedToken => {
      const lifetime = kinds[kind].lifetime / second;
      const issuedAt = Math.floor(Date.now() / second);
      const claims = {
        iss: issuer,
        sub: userId,
        sid: sessionId,
        iat: issuedAt,
        exp: issuedAt + lifetime,
        // Makes tokens different that are signed in the same second.
        jti: randomUUID(),
      };
      const header = { alg: algorithm, typ: kinds[kind].typ };
      const token = jwt.sign(claims, key, { algorithm, header });
      return { token, expiresAt: new Date((issuedAt + lifetime) * second), lifetime };
    },
    /** The claims of a valid token of this kind, or null for any other text. */
    read: (kind: TokenKind, token: string): TokenClaims | null => {
      const verified = orNull(() => jwt.verify(token, key, { algorithms: [algorithm], issuer, complete: true }));
      if (verified?.header.typ !== kinds[kind].typ || typeof verified.payload === 'string') return null;
      return claimsOf(verified.payload);
    },
    /**
     * The kind that a text says it is, valid or not; null if it is not a token. For errors only.
     */
    kindOf: (text: string): TokenKind | null => {
      const typ = orNull(() => jwt.decode(text, { complete: true })?.header.typ);
      return kindNames.find((kind) => kinds[kind].typ === typ) ?? null;
    },
  };
}

/** A text can be anything that a caller has sent. The reason of an error is not shown. */
function orNull<Result>(read: () => Result): Result | null {
  try {
    return read();
  } catch {
    return null;
  }
}

function claimsOf({ sub, iat, exp, sid }: jwt.JwtPayload): TokenClaims | null {
  if (typeof iat !== 'number' || typeof exp !== 'number' || iat > Date.now() / second + clockSkew) return null;
  if (typeof sub !== 'string' || !isUuid(sub) || typeof sid !== 'string' || !isUuid(sid)) return null;
  return { userId: sub, sessionId: sid };
}

/** The stored form of a refresh token. */
export const hashOfToken = (token: string): string => sha256(token, 'hex');
