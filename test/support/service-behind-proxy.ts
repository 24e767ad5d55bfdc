import { type MongoCommandProxy, startMongoCommandProxy } from './mongo-command-proxy.ts';
import { createTestEnvironment, startTestService, type TestService } from './test-service.ts';

interface ServiceBehindProxy {
  service: TestService;
  /** `intercept` forwards every command again after each test. */
  proxy: Pick<MongoCommandProxy, 'commands' | 'intercept'>;
}

/** Starts a service without workers whose commands to MongoDB a test can intercept. */
export function startServiceBehindProxy(): ServiceBehindProxy {
  let running: MongoCommandProxy | undefined;
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
    workers: false,
    environment: async () => {
      const { MONGODB_URL = '' } = createTestEnvironment();
      running = await startMongoCommandProxy(MONGODB_URL);
      return { MONGODB_URL: running.url };
    },
  });
  afterEach(() => {
    proxy.intercept = () => undefined;
  });
  after(() => running?.stop());
  return { service, proxy };
}
