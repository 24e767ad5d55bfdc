/** Creates and starts a scenario. @returns its id. */
export async function startScenario(url: string, name = 'bench'): Promise<string> {
  const post = async (path: string, body?: object) => {
    const response = await fetch(url + path, {
      method: 'POST',
      ...(body ? { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${await response.text()}`);
    return (await response.json()) as { id: string };
  };
  const { id } = await post('/api/v1/scenarios', { name, region: 'us-east-1' });
  await post(`/api/v1/scenarios/${id}/start`);
  return id;
}
