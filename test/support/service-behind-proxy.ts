import { type Interceptor, type RunningProxy, startMongoProxy } from './proxy.ts';
import { createTestEnvironment, startTestService, type TestService } from './test-service.ts';

interface ServiceBehindProxy {
  service: TestService;
  /** `intercept` forwards every command again after each test. */
  proxy: Interceptor;
}

/**
 * Starts a service whose commands to MongoDB a test can intercept.
 * @param options.workers whether its workers are started too
 * @param options.connection further options of its connection string
 */
export function startServiceBehindProxy(
  settings: Record<string, string> = {},
  { workers = false, connection = '' } = {},
): ServiceBehindProxy {
  const proxy: Interceptor = { commands: [], intercept: () => undefined };
  let running: RunningProxy | undefined;
  const service = startTestService({
    workers,
    environment: async () => {
      running = await startMongoProxy(createTestEnvironment()['MONGODB_URL'] ?? '', proxy);
      return { ...settings, MONGODB_URL: `${running.url}${connection && `&${connection}`}` };
    },
  });
  afterEach(() => {
    proxy.intercept = () => undefined;
  });
  after(() => running?.stop());
  return { service, proxy };
}
