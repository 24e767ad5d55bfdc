import type { Attack } from './attack.ts';
import { post } from './post.ts';

/** Bodies of ordinary routes: at most 100 KiB, but with as many errors as possible. */
export function jsonShapes(): Attack[] {
  const scenarios = '/api/v1/scenarios';
  return [
    shape('a scenario of 20,000 lists', scenarios, `{"name":[${'[],'.repeat(20_000)}[]]}`),
    shape('a scenario of 999 unknown fields', scenarios, `{${fields(999)}}`),
    shape('a scenario of 9,000 unknown fields', scenarios, `{${fields(9000)}}`),
    shape('a scenario nested as deeply as possible', scenarios, `{"assumptions":${'{"a":'.repeat(20_000)}`),
    shape('a name of 100 KB', scenarios, JSON.stringify({ name: '\u0301'.repeat(50_000), region: 'eu-west-1' })),
    shape('a field name of 100 KB', scenarios, JSON.stringify({ ['n'.repeat(100_000)]: 1 })),
    shape(
      'an address of 100 KB',
      '/api/v1/auth/register',
      JSON.stringify({ email: '\u1e9b\u0323'.repeat(20_000), password: 'a' }),
    ),
  ];
}

const fields = (count: number) => Array.from({ length: count }, (_, index) => `"f${index}":1`).join(',');

function shape(name: string, path: string, content: string): Attack {
  const body = Buffer.from(content);
  return {
    name,
    response: { status: 400, code: 'VALIDATION_ERROR' },
    send: ({ url }) => post(url + path, body, {}),
  };
}
