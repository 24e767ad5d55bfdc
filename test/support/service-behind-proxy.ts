import { type MongoProxy, startMongoProxy } from './proxy.ts';
import { createTestEnvironment, startTestService, type TestService } from './test-service.ts';

interface ServiceBehindProxy {
  service: TestService;
  /** `intercept` forwards every command again after each test. */
  proxy: Pick<MongoProxy, 'commands' | 'intercept'>;
}

/** Starts a service without workers whose commands to MongoDB a test can intercept. */
export function startServiceBehindProxy(settings: Record<string, string> = {}, workers = false): ServiceBehindProxy {
  let running: MongoProxy | undefined;
  const current = () => {
    if (!running) throw new Error('The proxy runs only during tests and hooks.');
    return running;
  };
  const proxy: ServiceBehindProxy['proxy'] = {
    get commands() {
      return current().commands;
    },
    get intercept() {
      return current().intercept;
    },
    set intercept(action) {
      current().intercept = action;
    },
  };
  const service = startTestService({
    workers,
    environment: async () => {
      const { MONGODB_URL = '' } = createTestEnvironment();
      running = await startMongoProxy(MONGODB_URL);
      return { ...settings, MONGODB_URL: running.url };
    },
  });
  afterEach(() => {
    proxy.intercept = () => undefined;
  });
  after(() => running?.stop());
  return { service, proxy };
}
