import { sendRequest, startTestService, type TestService } from './test-service.ts';

export type WebProcess = Pick<TestService, 'request' | 'url'>;

/**
 * Starts a second `web` on the service's database and Redis. It runs in this process, with its own
 * connections, and no cache of a `web` outlives its objects. @returns both.
 */
export function startSecondWebProcess(service: TestService): readonly [WebProcess, WebProcess] {
  const second = startTestService({ workers: false, environment: async () => service.environment });
  return [
    service,
    {
      get url() {
        return second.url;
      },
      request: (method, path, requestOptions) => sendRequest(second.url, method, path, requestOptions),
    },
  ];
}
