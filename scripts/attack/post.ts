import type { AttackAnswer } from './attack.ts';

/** Sends a body, as JSON unless the headers name another type. */
export async function post(
  url: string,
  body: Buffer<ArrayBuffer>,
  headers: Record<string, string>,
): Promise<AttackAnswer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  });
  const answered = (await response.json()) as { error?: { code: string } };
  return { status: response.status, code: answered.error?.code, sentBytes: body.length };
}
