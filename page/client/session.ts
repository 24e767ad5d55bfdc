import { computed, signal } from '@preact/signals';
import { type ApiRequest, send } from './api-client.ts';
import { ApiError, isTemporary, SessionEndedError } from './api-error.ts';
import type { User } from './responses.ts';
import { settings } from './settings.ts';

/**
 * `opening`: an earlier session is being continued. `ended`: the service ended the session, and the
 * person has not signed in again.
 */
type Session =
  | { readonly state: 'opening' }
  | { readonly state: 'signedOut' }
  | { readonly state: 'signedIn'; readonly user: User }
  | { readonly state: 'ended'; readonly user: User };

interface BrowserSession {
  access_token: string;
  expires_in: number;
  user: User;
}

const path = '/api/v1/auth/browser-session';
/** Pages of other origins cannot send this header with cookies. */
const forgeryHeader = { 'X-Requested-With': 'meterbook' };
/** In ms: an access token is renewed so long before it expires. */
const renewBefore = 30_000;
/**
 * Remembers that there is a session, so that signed-out visitors cause no failing request. It is
 * not a secret. Its removal is a sign-out in all tabs, so it stays when a session ends: the other
 * tabs then ask to sign in, too.
 */
const hintName = 'meterbook.signed-in';
/** The key of a refresh without a response. */
const refreshKeyName = 'meterbook.refresh-key';

export const session = signal<Session>({ state: stored(hintName) === null ? 'signedOut' : 'opening' });

/** The id of the account whose resources are shown; empty without an account. */
export const accountId = computed(() => ('user' in session.value ? session.value.user.id : ''));

/**
 * The access token is in the memory of the page only; scripts cannot read the refresh token at all.
 */
let access: { token: string; expiresAt: number } | null = null;

/** Whether requests without credentials are accepted. */
export const isOpenToAll = settings.auth_mode === 'documented';

/** Whether to show what only administrators can use. The service decides about each request. */
export const isAdmin = (): boolean => 'user' in session.value && session.value.user.role === 'admin';

export const isSignedIn = (): boolean => session.value.state === 'signedIn';

/** Continues the session of an earlier visit. */
export async function continueSession(): Promise<void> {
  if (session.value.state !== 'opening') return;
  for (;;) {
    try {
      await renew();
      return;
    } catch (error) {
      if (isTemporary(error)) await pause(waitAfter(error));
      else {
        if (error instanceof ApiError && error.status === 401) forget({ state: 'signedOut' });
        // The session can be continued by a reload.
        else session.value = { state: 'signedOut' };
        return;
      }
    }
  }
}

export async function signIn(email: string, password: string): Promise<void> {
  const response = await send(path, { method: 'POST', body: { email, password }, headers: forgeryHeader });
  keep((await response.json()) as BrowserSession);
}

/** Creates an account and signs in. */
export async function register(email: string, password: string): Promise<void> {
  const response = await send('/api/v1/auth/register', { method: 'POST', body: { email, password } });
  await signInAfter(response, email, password);
}

/** Sets a new password, which ends all sessions, and signs in again. */
export async function changePassword(email: string, current: string, next: string): Promise<void> {
  const body = { current_password: current, new_password: next };
  const response = await authorized('/api/v1/auth/password', { method: 'POST', body });
  await signInAfter(response, email, next);
}

/** Sets the password with the token of a password link, and signs in. */
export async function resetPassword(token: string, password: string): Promise<void> {
  const response = await send('/api/v1/auth/password-reset', { method: 'POST', body: { token, password } });
  await signInAfter(response, null, password);
}

/**
 * Starts a session of this browser in place of the one in a response, whose refresh token scripts
 * can read.
 */
async function signInAfter(response: Response, email: string | null, password: string): Promise<void> {
  const { access_token: token, user } = (await response.json()) as BrowserSession;
  await signIn(email ?? user.email, password);
  await send('/api/v1/auth/logout', { method: 'POST', headers: { Authorization: `Bearer ${token}` } }).catch(() => {});
}

/** Goes on without the session that has ended. */
export function leave(): void {
  if (session.value.state === 'ended') forget({ state: 'signedOut' });
}

/** The sign-out that has no response yet. */
let leaving: Promise<void> | null = null;

/** Ends all sessions of the account, in all browsers. */
export async function signOut(): Promise<void> {
  leaving = endSessions();
  try {
    await leaving;
  } finally {
    leaving = null;
  }
}

async function endSessions(): Promise<void> {
  try {
    // After a refresh in progress, whose response would be a new session of this page.
    await inTurn(() => send(path, { method: 'DELETE', query: { everywhere: true }, headers: forgeryHeader }));
  } catch (error) {
    // The session had ended before.
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
  }
  forget({ state: 'signedOut' });
}

/**
 * Sends a request with the session's access token, if there is a session. Where the service refuses
 * the token, the session has ended: the page asks to sign in again.
 */
export async function authorized(requestPath: string, request: ApiRequest = {}): Promise<Response> {
  const token = await accessToken();
  try {
    return await send(requestPath, withToken(request, token));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401 || token === null) throw error;
    // The token that follows the one that was refused.
    if (access?.token === token) access = null;
    return send(requestPath, withToken(request, await accessToken()));
  }
}

function withToken(request: ApiRequest, token: string | null): ApiRequest {
  if (token === null) return request;
  return { ...request, headers: { ...request.headers, Authorization: `Bearer ${token}` } };
}

/**
 * A token that is valid for a while; null for a person who is signed out.
 * @throws SessionEndedError also if the person has signed in as somebody else in another tab: a
 * request of one account is never sent for another.
 */
export async function accessToken(): Promise<string | null> {
  // A request that is sent before its end could be refused.
  await leaving?.catch(() => {});
  const { state } = session.value;
  if (state === 'signedOut') return null;
  if (state === 'ended') throw new SessionEndedError();
  if (!access || access.expiresAt - renewBefore < Date.now()) {
    const account = accountId.value;
    try {
      await renew();
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) endSession();
      throw error;
    }
    if (account !== '' && accountId.value !== account) throw new SessionEndedError();
  }
  return access?.token ?? null;
}

let renewing: Promise<void> | null = null;

/** A refresh token is valid once, so the tabs of a browser take turns. */
function renew(): Promise<void> {
  renewing ??= inTurn(async () => {
    // The turn before was a sign-out.
    if (session.value.state === 'signedOut') throw new SessionEndedError();
    // With the same key, a repetition after a lost response, also by the page after a reload, is
    // the same use of the token.
    const key = stored(refreshKeyName) ?? crypto.randomUUID();
    store(refreshKeyName, key);
    try {
      keep(await refresh(key));
    } catch (error) {
      if (isTemporary(error)) throw error;
      store(refreshKeyName, null);
      throw error;
    }
    store(refreshKeyName, null);
  }).finally(() => {
    renewing = null;
  });
  return renewing;
}

async function refresh(key: string): Promise<BrowserSession> {
  const headers = { ...forgeryHeader, 'Idempotency-Key': key };
  for (;;) {
    try {
      const response = await send(`${path}/refresh`, { method: 'POST', headers });
      return (await response.json()) as BrowserSession;
    } catch (error) {
      // Another tab, or this page before a reload, is refreshing the session.
      if (!(error instanceof ApiError) || error.code !== 'CONFLICT') throw error;
      await pause(waitAfter(error));
    }
  }
}

/** `locks` exists in secure contexts only. */
const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> =>
  navigator.locks ? navigator.locks.request('meterbook-refresh', work) : work();

function keep({ access_token: token, expires_in: lifetime, user }: BrowserSession): void {
  access = { token, expiresAt: Date.now() + lifetime * 1_000 };
  store(hintName, '1');
  session.value = { state: 'signedIn', user };
}

function endSession(): void {
  const current = session.value;
  forget('user' in current ? { state: 'ended', user: current.user } : { state: 'signedOut' });
}

function forget(next: Session): void {
  access = null;
  if (next.state === 'signedOut') store(hintName, null);
  session.value = next;
}

/** In ms, before a refresh is sent again. */
const waitAfter = (error: unknown) => (error instanceof ApiError && error.retryAfter ? error.retryAfter : 2) * 1_000;
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

function stored(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function store(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // Storage is switched off: the session lasts until the page is closed.
  }
}

/** A sign-out in one tab is one in all tabs. */
export function followOtherTabs(): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key === hintName && newValue === null && isSignedIn()) forget({ state: 'signedOut' });
  });
}
