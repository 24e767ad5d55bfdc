import { seededRandom } from '../../shared/seeded-random.ts';
import { breakRequest } from './break-request.ts';
import { addressOf, type FuzzRequest, generateRequest, type KnownIds } from './generate-request.ts';
import { chance } from './odd-values.ts';
import { type OpenApiDocument, type Operation, operationsOf } from './operations.ts';

interface FuzzResponse {
  status: number;
  text: string;
}

interface FuzzRun {
  document: OpenApiDocument;
  requests: number;
  seed: number;
  ids: KnownIds;
  /** Sends a request with credentials. @throws if the document does not declare the response. */
  send: (request: FuzzRequest, address: string, random: () => number) => Promise<FuzzResponse>;
}

interface FuzzReport {
  /** Each with the request that caused it. */
  findings: string[];
  /** Number of responses by status. */
  statuses: Record<string, number>;
  /** Operations that never responded with success. */
  neverAccepted: string[];
  operations: number;
}

/** Requests in flight, so that the wait for a worker is not idle time. */
const concurrency = 4;

/** Sends every operation equally often. About half of the requests are broken. */
export async function sendGeneratedRequests({ document, requests, seed, ids, send }: FuzzRun): Promise<FuzzReport> {
  const operations = operationsOf(document);
  const random = seededRandom(seed);
  const findings: string[] = [];
  const statuses: Record<string, number> = {};
  const accepted = new Set<string>();

  const sendOne = async (operation: Operation) => {
    const request = generateRequest(operation, { random, ids, components: document.components });
    if (chance(random, 0.6)) breakRequest(request, random);
    const address = addressOf(request);
    try {
      const { status, text } = await send(request, address, random);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status < 400) accepted.add(operation.operationId);
      if (status === 500) throw new Error(`The response is 500: ${text}`);
    } catch (error) {
      findings.push(`${(error as Error).message}\n${describeRequest(request, address)}`);
    }
  };
  for (let sent = 0; sent < requests; sent += concurrency) {
    const next = Array.from({ length: concurrency }, (_, index) => operations[(sent + index) % operations.length]);
    await Promise.all(next.map((operation) => sendOne(operation as Operation)));
  }
  const neverAccepted = operations.map(({ operationId }) => operationId).filter((id) => !accepted.has(id));
  return { findings, statuses, neverAccepted, operations: operations.length };
}

export function printReport(title: string, { statuses, neverAccepted }: FuzzReport): void {
  console.log(`${title}: responses by status ${JSON.stringify(statuses)}`);
  console.log(`Operations that never responded with success: ${neverAccepted.join(', ') || 'none'}`);
}

function describeRequest({ method, headers, body }: FuzzRequest, address: string): string {
  const text = body instanceof Uint8Array ? `bytes ${Buffer.from(body).toString('hex')}` : JSON.stringify(body);
  return [method, address, JSON.stringify(headers), text?.slice(0, 2_000)].join(' ');
}
