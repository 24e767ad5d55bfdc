import { expect } from 'chai';
import { allRoutes } from '../../api/all-routes.ts';
import { openApiDocument } from '../../api/http/openapi-document.ts';
import {
  addressOf,
  breakRequest,
  type FuzzRequest,
  generateRequest,
  type KnownIds,
  type OpenApiDocument,
  type Operation,
  operationsOf,
} from '../../scripts/fuzz/generate-request.ts';
import { chance, pick } from '../../scripts/fuzz/odd-values.ts';
import { seededRandom } from '../../shared/seeded-random.ts';
import { createResources, createSenders, type Senders } from '../support/fuzz-senders.ts';
import { isLongForm } from '../support/long-form.ts';
import { type RunningBackend, startHttpBackend } from '../support/notebook-backends.ts';
import { startTestService, type TestResponse } from '../support/test-service.ts';

/** `npm run fuzz` sets these variables. */
const { FUZZ_REQUESTS, FUZZ_SEED = '1' } = process.env;
const isLong = isLongForm || FUZZ_REQUESTS !== undefined;

const documented = { AUTH_MODE: 'documented', NOTEBOOK_API_VARIANT: '0.1.0' };
const strict = { AUTH_MODE: 'strict', NOTEBOOK_API_VARIANT: '0.2.0' };
const environments = isLong ? [documented, strict] : [documented];
/** The short form sends each operation at least four times. */
const requests = Math.ceil(Number(FUZZ_REQUESTS ?? (isLongForm ? 10_000 : 400)) / environments.length);

/** Requests in flight, so that the wait for a worker is not idle time. */
const concurrency = 4;

for (const environment of environments) {
  const name = Object.values(environment).join(', ');

  describe(`requests generated from the OpenAPI document, ${name}`, () => {
    let backend: RunningBackend;
    const service = startTestService({
      environment: async () => {
        backend = await startHttpBackend();
        const { url, token } = backend;
        return {
          ...environment,
          NOTEBOOK_BACKEND: 'http',
          NOTEBOOK_BACKEND_URL: url,
          NOTEBOOK_BACKEND_TOKEN: token,
        };
      },
    });
    after(() => backend.close());
    const openSenders = createSenders(service);
    let senders: Senders;
    let ids: KnownIds;
    before(async () => {
      senders = await openSenders();
      ids = await createResources(service);
    });

    it('generated requests meet no 500 and no undeclared response', async () => {
      const document = JSON.parse(
        JSON.stringify(openApiDocument(allRoutes(service.app), service.config)),
      ) as OpenApiDocument;
      const operations = operationsOf(document);
      const random = seededRandom(Number(FUZZ_SEED));
      const findings: string[] = [];
      const accepted = new Set<string>();
      let sent = 0;
      const sendOne = async (operation: Operation) => {
        const request = generateRequest(operation, { random, ids, components: document.components });
        if (chance(random, 0.6)) breakRequest(request, random);
        Object.assign(request.headers, { ...pick(random, senders), ...request.headers });
        const address = addressOf(request);
        try {
          // The service checks every response against its document.
          const response = await service.request(request.method, address, request);
          if (response.status === 500) throw new Error(`The response is 500: ${response.text}`);
          if (response.status < 400) accepted.add(operation.operationId);
          keepId(request, response, ids);
          sent += 1;
          // Requests end sessions, and an access token is valid for some minutes.
          if (sent % 500 === 0 || (request.operationId === 'logOut' && response.status === 204)) {
            senders = await openSenders();
          }
        } catch (error) {
          findings.push(`${(error as Error).message}\n${address} ${JSON.stringify(request)}`.slice(0, 4_000));
        }
      };
      for (let next = 0; next < requests; next += concurrency) {
        const at = (index: number) => operations[(next + index) % operations.length] as Operation;
        await Promise.all(Array.from({ length: concurrency }, (_, index) => sendOne(at(index))));
      }
      expect(findings.slice(0, 20), `${findings.length} findings with the seed ${FUZZ_SEED}`).to.deep.equal([]);
      // A few requests per operation; logins and sessions of a browser need what no generator
      // knows.
      expect(accepted.size, [...accepted].join(', ')).to.be.greaterThan(operations.length * 0.4);
    }).timeout(requests * 1_000);
  });
}

/**
 * Later requests use the ids of what this request has created. A short list lets several requests
 * meet one resource.
 */
function keepId({ path }: FuzzRequest, { status, body }: TestResponse, ids: KnownIds): void {
  const known = ids[path.split('/').at(-1) ?? ''];
  const id: unknown = body?.data?.id ?? body?.id;
  if (status !== 201 || !known || typeof id !== 'string') return;
  known.push(id);
  if (known.length > 20) known.shift();
}
