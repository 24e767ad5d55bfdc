import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { allQueues } from '../../shared/all-queues.ts';
import { variableNames } from '../../shared/config/config-schema.ts';
import { bearer, password } from '../support/accounts.ts';
import type { StartedProgram } from '../support/program-starter.ts';
import { readyReport } from '../support/reports.ts';
import { createRunningScenario, expectError, ingest } from '../support/requests.ts';
import { useServiceProcesses } from '../support/service-processes.ts';
import { builtProgram, createDeployment, deployedProgram } from '../support/test-build.ts';
import { waitUntil } from '../support/wait-until.ts';

const project = fileURLToPath(new URL('../../', import.meta.url));
const procfile = [...readFileSync(join(project, 'Procfile'), 'utf8').matchAll(/^(\w+): exec (.+)$/gm)].map(
  ([, name = '', command = '']) => ({ name, command }),
);

describe('in production', () => {
  // Without NODE_ENV, a compiled program runs in production.
  const service = useServiceProcesses(async () => ({ NODE_ENV: '' }));
  const { request } = service;
  const folders: string[] = [];
  /** The processes of the Procfile that keep running, each in a folder of its own. */
  let running: StartedProgram[] = [];
  const checkHealth = () => service.run(builtProgram('dist/workers/check-health.js', service.environment)).ended;

  before(async () => {
    expect(procfile.map(({ name }) => name)).to.deep.equal(['release', 'web', 'worker']);
    const start = ({ command }: { command: string }, folder = '') => {
      const [program, file = ''] = command.split(' ');
      expect(program).to.equal('node');
      return service.run(deployedProgram(folder, file, service.environment));
    };
    const [release = { command: '' }, ...processes] = procfile;
    for (const _ of processes) folders.push(await createDeployment());
    running = processes.map((each, index) => start(each, folders[index]));
    // They were started before the indexes exist, and see them without a restart.
    const readiness = () => request('GET', '/health/ready').catch(() => undefined);
    const refused = await waitUntil('web to listen', readiness);
    expectError(refused, 503, 'SERVICE_UNAVAILABLE', ['indexes']);
    expect(refused.body.error.details[0].error).to.contain('users (emailKey)').and.to.contain('npm run migrate');
    expect(refused.body.checks).to.include({ mongodb: 'up', indexes: 'down', redis: 'up' });
    expect(await start(release, folders[0]).ended).to.deep.equal({ code: 0, stderr: '' });
    await service.waitUntilReady();
    expectError(await request('GET', '/api/v1/scenarios'), 401, 'AUTH_ERROR');
    const credentials = { email: 'admin@example.com', password };
    expectError(await request('POST', '/api/v1/auth/register', { body: credentials }), 403, 'FORBIDDEN');
    const program = builtProgram('dist/api/accounts/create-admin/main.js', service.environment);
    const admin = service.run({ ...program, args: [...program.args, credentials.email], stdio: 'pipe' });
    admin.child.stdin?.end(`${password}\n`);
    expect(await admin.ended).to.deep.equal({ code: 0, stderr: '' });
    const { status, body } = await request('POST', '/api/v1/auth/login', { body: credentials });
    expect([status, body.user?.role]).to.deep.equal([200, 'admin']);
    Object.assign(service.headers, bearer(body.access_token));
  });

  it('the processes of the Procfile serve requests', async () => {
    const { id } = await createRunningScenario(service);
    const response = await ingest(service, id, { message: 'hello joe@example.com' });
    expect(response.status, response.text).to.equal(200);
    expect(response.body.message_preview).to.equal('hello [EMAIL]');
    expect(await checkHealth(), 'the health check of the worker').to.deep.equal({ code: 0, stderr: '' });
  });

  it('reports of a worker are downloaded from web without a common folder', async () => {
    const { id: scenarioId } = await createRunningScenario(service);
    await ingest(service, scenarioId, [{ message: 'one' }, { message: 'two' }]);
    for (const format of ['csv', 'pdf']) {
      const { id, sha256 } = await readyReport({ send: request }, scenarioId, { format });
      const { bytes } = await request('GET', `/api/v1/reports/${id}/download`);
      expect(createHash('sha256').update(bytes).digest('hex')).to.equal(sha256);
    }
  });

  it('the health check of the worker fails when the worker has ended', async () => {
    for (const { child, ended } of running) {
      child.kill('SIGTERM');
      expect(await ended).to.deep.equal({ code: 0, stderr: '' });
    }
    expect(await checkHealth()).to.deep.equal({ code: 1, stderr: '' });
  });

  it('docker-compose.yml runs the same commands, and sets existing variables only', () => {
    const compose = readFileSync(join(project, 'docker-compose.yml'), 'utf8');
    const commands = [...compose.matchAll(/^ {4}command: \[(node, .+)\]$/gm)].map(([, list]) => list);
    expect(commands).to.deep.equal(procfile.map(({ command }) => command.split(' ').join(', ')));
    const [, variables = ''] = /^ {2}environment: &environment\n((?: {4}.+\n)+)/m.exec(compose) ?? [];
    const names = [...variables.matchAll(/^ {4}(\w+):/gm)].map(([, name]) => name);
    expect(names).to.include.members(['MONGODB_URL', 'REDIS_URL']);
    expect(variableNames).to.include.members([...names, 'WORKER_QUEUES']);
    // Each queue has one kind of worker.
    const queues = [...compose.matchAll(/^ {6}WORKER_QUEUES: (.+)$/gm)].flatMap(([, list = '']) => list.split(','));
    expect(queues.sort()).to.deep.equal(Object.keys(allQueues).sort());
  });

  it('docker-compose.yml pins its images, limits every service, and checks those that keep running', () => {
    const compose = readFileSync(join(project, 'docker-compose.yml'), 'utf8');
    const dockerfile = readFileSync(join(project, 'Dockerfile'), 'utf8');
    const images = [...`${compose}${dockerfile}`.matchAll(/(?:image: |FROM )(\S+:\S+)/g)].map(([, image]) => image);
    expect(images).to.have.length(4);
    for (const image of images) expect(image).to.match(/:\d+\.\d+\.\d+(-slim)?$/);
    const [, list = ''] = /\nservices:\n([^]+?)\nvolumes:/.exec(compose) ?? [];
    const services = list.split(/^ {2}(?=[\w-]+:)/m).filter((service) => service !== '');
    expect(services).to.have.length(6);
    for (const service of services) {
      expect(service).to.match(/ mem_limit: /);
      // The migration ends by itself.
      expect(service).to.match(/ healthcheck:\n| <<: \*worker\n|^migrate:\n/);
    }
  });
});
