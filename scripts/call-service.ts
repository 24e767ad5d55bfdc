/** The headers, and a body that is sent as JSON. */
interface Sent {
  readonly headers?: Record<string, string> | undefined;
  readonly body?: object | undefined;
}

/**
 * Sends a request to a service. @returns the JSON of the response, or an empty object.
 * @throws Error for a response that is not 2xx.
 */
export async function callService<T>(url: string, method: string, path: string, sent: Sent = {}): Promise<T> {
  const { headers, body } = sent;
  const response = await fetch(url + path, {
    method,
    headers: { ...headers, ...(body ? { 'Content-Type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} responded with ${response.status}: ${text}`);
  return (text === '' ? {} : JSON.parse(text)) as T;
}

/** Registers an account. @returns its id, and the headers of its requests. */
export async function registerAccount(url: string, name: string) {
  const body = { email: `${name}@example.com`, password: `the password of ${name}` };
  const registered = await callService<{ access_token: string; user: { id: string } }>(
    url,
    'POST',
    '/api/v1/auth/register',
    { body },
  );
  return { id: registered.user.id, headers: { Authorization: `Bearer ${registered.access_token}` } };
}

/** Creates and starts a scenario. @returns its id. */
export async function startScenario(url: string, name = 'bench', headers?: Record<string, string>): Promise<string> {
  const body = { name, region: 'us-east-1' };
  const { id } = await callService<{ id: string }>(url, 'POST', '/api/v1/scenarios', { headers, body });
  await callService(url, 'POST', `/api/v1/scenarios/${id}/start`, { headers });
  return id;
}
