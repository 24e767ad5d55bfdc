import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { findFreePort } from '../../scripts/local-stack/free-port.ts';
import { variableNames } from '../../shared/config/config-schema.ts';
import { openMongo } from '../../shared/connections/mongo.ts';
import { createModels } from '../../shared/models/index.ts';
import { register } from '../support/accounts.ts';
import { createProgramStarter } from '../support/program-starter.ts';
import { deleteKeys } from '../support/redis-keys.ts';
import { createRunningScenario, expectError, ingest } from '../support/requests.ts';
import { builtProgram } from '../support/test-build.ts';
import { dropDatabase } from '../support/test-database.ts';
import { createTestEnvironment, type RequestOptions, sendRequest } from '../support/test-service.ts';
import { waitUntilReady } from '../support/wait-until-ready.ts';

const project = fileURLToPath(new URL('../../', import.meta.url));
const procfile = [...readFileSync(join(project, 'Procfile'), 'utf8').matchAll(/^(\w+): exec (.+)$/gm)].map(
  ([, name = '', command = '']) => ({ name, command }),
);

describe('in production', () => {
  const startProgram = createProgramStarter();
  let environment: Record<string, string> = {};
  const url = () => `http://127.0.0.1:${environment['PORT']}`;

  before(async () => {
    environment = {
      ...createTestEnvironment(),
      // Without NODE_ENV, a compiled program runs in production.
      NODE_ENV: '',
      HOST: '127.0.0.1',
      PORT: String(await findFreePort()),
    };
  });
  after(async () => {
    await dropDatabase(environment['MONGODB_URL'] ?? '');
    await deleteKeys(environment['REDIS_URL'] ?? '', `${environment['REDIS_PREFIX']}:`);
  });

  it('the processes of the Procfile serve requests, and end with exit code 0 at SIGTERM', async function () {
    this.timeout(120_000);
    expect(procfile.map(({ name }) => name)).to.deep.equal(['web', 'worker']);
    const running = procfile.map(({ command }) => {
      const [program, file] = command.split(' ');
      expect(program).to.equal('node');
      return startProgram(builtProgram(file as Parameters<typeof builtProgram>[0], environment));
    });
    const request = (method: string, path: string, options?: RequestOptions) =>
      sendRequest(url(), method, path, options);
    await waitUntilReady(url());

    expectError(await request('GET', '/api/v1/scenarios'), 401, 'AUTH_ERROR');
    const { headers, user } = await register({ request });
    const mongo = await openMongo(environment['MONGODB_URL'] ?? '', { timeoutMs: 20_000, role: 'request' });
    const stored = await createModels(mongo).user.findById(user.id).lean();
    await mongo.close();
    expect(stored?.passwordHash).to.match(/^\$2b\$12\$/);
    const asUser = {
      request: (method: string, path: string, options: RequestOptions = {}) =>
        request(method, path, { ...options, headers: { ...headers, ...options.headers } }),
    };
    const { id } = await createRunningScenario(asUser);
    const answer = await ingest(asUser, id, { message: 'hello joe@example.com' });
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.body.message_preview).to.equal('hello [EMAIL]');

    const health = startProgram(builtProgram('dist/workers/check-health.js', environment));
    expect(await health.ended, 'the health check of the worker').to.deep.equal({ code: 0, stderr: '' });
    for (const { child, ended } of running) {
      child.kill('SIGTERM');
      expect(await ended).to.deep.equal({ code: 0, stderr: '' });
    }
  });

  it('docker-compose.yml runs the same commands, and sets existing variables only', () => {
    const compose = readFileSync(join(project, 'docker-compose.yml'), 'utf8');
    const commands = [...compose.matchAll(/^ {4}command: \[(node, .+)\]$/gm)].map(([, list]) => list);
    expect(commands).to.deep.equal(procfile.map(({ command }) => command.split(' ').join(', ')));
    const [, variables = ''] = /^ {2}environment:\n((?: {4}.+\n)+)/m.exec(compose) ?? [];
    const names = [...variables.matchAll(/^ {4}(\w+):/gm)].map(([, name]) => name);
    expect(names).to.include.members(['MONGODB_URL', 'REDIS_URL']);
    expect(variableNames).to.include.members(names);
  });

  it('docker-compose.yml pins its images, and checks and limits every service', () => {
    const compose = readFileSync(join(project, 'docker-compose.yml'), 'utf8');
    const dockerfile = readFileSync(join(project, 'Dockerfile'), 'utf8');
    const images = [...`${compose}${dockerfile}`.matchAll(/(?:image: |FROM )(\S+:\S+)/g)].map(([, image]) => image);
    expect(images).to.have.length(4);
    for (const image of images) expect(image).to.match(/:\d+\.\d+\.\d+(-slim)?$/);
    const [, list = ''] = /\nservices:\n([^]+?)\nvolumes:/.exec(compose) ?? [];
    const services = list.split(/^ {2}(?=\w+:$)/m).filter((service) => service !== '');
    expect(services).to.have.length(4);
    for (const service of services)
      expect(service)
        .to.match(/ mem_limit: /)
        .and.match(/ healthcheck:\n/);
  });
});
