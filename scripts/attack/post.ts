import type { AttackResponse } from './attack.ts';

/** Sends a body, as JSON unless the headers name another type. */
export async function post(
  url: string,
  body: Buffer<ArrayBuffer>,
  headers: Record<string, string>,
): Promise<AttackResponse> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  });
  const responded = (await response.json()) as { error?: { code: string } };
  return { status: response.status, code: responded.error?.code, sentBytes: body.length };
}
