/**
 * Sends a request to a service, with a body as JSON. @returns the JSON of the response, or an empty
 * object. @throws Error for a response that is not 2xx.
 */
export async function callService<T>(url: string, method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(url + path, {
    method,
    ...(body ? { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} responded with ${response.status}: ${text}`);
  return (text === '' ? {} : JSON.parse(text)) as T;
}

/** Creates and starts a scenario. @returns its id. */
export async function startScenario(url: string, name = 'bench'): Promise<string> {
  const body = { name, region: 'us-east-1' };
  const { id } = await callService<{ id: string }>(url, 'POST', '/api/v1/scenarios', body);
  await callService(url, 'POST', `/api/v1/scenarios/${id}/start`);
  return id;
}
