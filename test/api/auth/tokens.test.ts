import { createHmac, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import jwt from 'jsonwebtoken';
import { createTokens } from '../../../api/auth/tokens.ts';

const secret = 'the secret of these tests, which is long enough';
const claims = { userId: randomUUID(), sessionId: randomUUID(), role: 'member' } as const;

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
const parts = (token: string) => token.split('.').map((part) => Buffer.from(part, 'base64url').toString());

describe('tokens', () => {
  const tokens = createTokens(secret);
  const now = () => Math.floor(Date.now() / 1000);
  const body = () => JSON.parse(parts(tokens.sign('access', claims).token)[1] ?? '') as Record<string, unknown>;
  const header = { alg: 'HS256', typ: 'at+jwt' };
  const signed = (payload: object, head: object = header, key = secret) => {
    const input = `${encode(head)}.${encode(payload)}`;
    return `${input}.${createHmac('sha256', key).update(input).digest('base64url')}`;
  };

  it('can be read as what they are', () => {
    expect(tokens.read('access', tokens.sign('access', claims).token)).to.deep.equal(claims);
    expect(tokens.read('refresh', tokens.sign('refresh', claims).token)).to.deep.equal(claims);
    expect(tokens.read('access', signed(body()))).to.deep.equal(claims);
  });

  it('live for a quarter of an hour and for thirty days', () => {
    expect(tokens.sign('access', claims).lifetime).to.equal(15 * 60);
    expect(tokens.sign('refresh', claims).lifetime).to.equal(30 * 24 * 3600);
    const { iat, exp } = body() as { iat: number; exp: number };
    expect(exp - iat).to.equal(900);
  });

  it('differ, also those of one second', () => {
    expect(tokens.sign('refresh', claims).token).not.to.equal(tokens.sign('refresh', claims).token);
  });

  const refused: Record<string, () => string> = {
    'without a signature (alg none)': () => `${encode({ alg: 'none', typ: 'at+jwt' })}.${encode(body())}.`,
    'that name no algorithm but are signed': () => signed(body(), { alg: 'none', typ: 'at+jwt' }),
    'of another algorithm': () =>
      jwt.sign(body(), secret, { algorithm: 'HS512', header: { alg: 'HS512', typ: 'at+jwt' } }),
    'of another key': () => signed(body(), header, 'some other secret, which is long enough'),
    'that have expired': () => signed({ ...body(), iat: now() - 1000, exp: now() - 1 }),
    'from the future': () => signed({ ...body(), iat: now() + 3600, exp: now() + 7200 }),
    'that begin later': () => signed({ ...body(), nbf: now() + 3600 }),
    'that never end': () => signed({ ...body(), exp: undefined }),
    'without a time of issue': () => signed({ ...body(), iat: undefined }),
    'of another typ': () => signed(body(), { alg: 'HS256', typ: 'JWT' }),
    'without typ': () => signed(body(), { alg: 'HS256' }),
    'of the other kind': () => tokens.sign('refresh', claims).token,
    'of another issuer': () => signed({ ...body(), iss: 'elsewhere' }),
    'of a role that there is not': () => signed({ ...body(), role: 'root' }),
    'of no user': () => signed({ ...body(), sub: { $ne: '' } }),
    'of no session': () => signed({ ...body(), sid: undefined }),
    'that were changed': () => {
      const [head, , signature] = tokens.sign('access', claims).token.split('.');
      return `${head}.${encode({ ...body(), role: 'admin' })}.${signature}`;
    },
    'that are none': () => 'a.b.c',
  };
  for (const [what, make] of Object.entries(refused)) {
    it(`refuses tokens ${what}`, () => {
      expect(tokens.read('access', make())).to.equal(null);
    });
  }

  it('refuses an access token as a refresh token', () => {
    expect(tokens.read('refresh', tokens.sign('access', claims).token)).to.equal(null);
  });
});
