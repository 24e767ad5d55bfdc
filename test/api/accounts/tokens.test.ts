import { createHmac, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import jwt from 'jsonwebtoken';
import { createTokens } from '../../../api/accounts/tokens.ts';

const secret = 'the secret of these tests, which is long enough';
const claims = { userId: randomUUID(), sessionId: randomUUID() };

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

  it('a token contains the claims with which it was signed', () => {
    expect(tokens.read('access', tokens.sign('access', claims).token)).to.deep.equal(claims);
    expect(tokens.read('refresh', tokens.sign('refresh', claims).token)).to.deep.equal(claims);
    expect(tokens.read('access', signed(body()))).to.deep.equal(claims);
  });

  it('access tokens expire after 15 minutes, refresh tokens after 30 days', () => {
    expect(tokens.sign('access', claims).lifetime).to.equal(15 * 60);
    expect(tokens.sign('refresh', claims).lifetime).to.equal(30 * 24 * 3600);
    const { iat, exp } = body() as { iat: number; exp: number };
    expect(exp - iat).to.equal(900);
  });

  it('two tokens differ even if they are signed within one second', () => {
    expect(tokens.sign('refresh', claims).token).not.to.equal(tokens.sign('refresh', claims).token);
  });

  const refused: Record<string, () => string> = {
    'without a signature (alg none)': () => `${encode({ alg: 'none', typ: 'at+jwt' })}.${encode(body())}.`,
    'with a signature and alg none': () => signed(body(), { alg: 'none', typ: 'at+jwt' }),
    'with another algorithm': () =>
      jwt.sign(body(), secret, { algorithm: 'HS512', header: { alg: 'HS512', typ: 'at+jwt' } }),
    'with a signature of another key': () => signed(body(), header, 'some other secret, which is long enough'),
    'after their expiry': () => signed({ ...body(), iat: now() - 1000, exp: now() - 1 }),
    'with a time of issue in the future': () => signed({ ...body(), iat: now() + 3600, exp: now() + 7200 }),
    'before their nbf': () => signed({ ...body(), nbf: now() + 3600 }),
    'without an expiry': () => signed({ ...body(), exp: undefined }),
    'without a time of issue': () => signed({ ...body(), iat: undefined }),
    'with another typ': () => signed(body(), { alg: 'HS256', typ: 'JWT' }),
    'without typ': () => signed(body(), { alg: 'HS256' }),
    'if a refresh token is used as an access token': () => tokens.sign('refresh', claims).token,
    'with another issuer': () => signed({ ...body(), iss: 'elsewhere' }),
    'with an object as user id': () => signed({ ...body(), sub: { $ne: '' } }),
    'without a session id': () => signed({ ...body(), sid: undefined }),
    'with changed claims': () => {
      const [head, , signature] = tokens.sign('access', claims).token.split('.');
      return `${head}.${encode({ ...body(), sub: randomUUID() })}.${signature}`;
    },
    'in another format': () => 'a.b.c',
  };
  for (const [condition, make] of Object.entries(refused)) {
    it(`tokens are refused ${condition}`, () => {
      expect(tokens.read('access', make())).to.equal(null);
    });
  }

  it('an access token is refused as a refresh token', () => {
    expect(tokens.read('refresh', tokens.sign('access', claims).token)).to.equal(null);
  });
});
