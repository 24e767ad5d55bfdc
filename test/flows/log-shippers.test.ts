import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { asStored, entriesOf, type ProcessedLogBatch } from '../../shared/ingest/log-batch.model.ts';
import { createAccount, createApiKey } from '../support/accounts.ts';
import { createProgramStarter } from '../support/program-starter.ts';
import { createRunningScenario, getMetrics } from '../support/requests.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const document = readFileSync(new URL('../../docs/log-shippers.md', import.meta.url), 'utf8');
const packages = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** Different lines, with characters that bad escaping loses or doubles. */
const lines = Array.from({ length: 1200 }, (_, number) => {
  const agent = number % 5 === 0 ? String.raw`"Mozilla/5.0 \"é\" C:\temp\new"` : '"curl/8"';
  return `${String(number).padStart(6, '0')} GET /orders/${number * 7}?q=caf%C3%A9 200 ${number % 211} ms ${agent}`;
});
const hashes = lines.map((line) => createHash('sha256').update(line).digest('hex')).sort();

/** Logs every line of a file with the logger of the document, and continues as a service does. */
const logFile = `
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
for await (const line of createInterface({ input: createReadStream('app.log') })) logger.info(line);
setInterval(() => {}, 1000);
`;

/** The block of code that follows the heading of a tool in docs/log-shippers.md. */
function readConfiguration(tool: string): string {
  const [, configuration] = new RegExp(`^### ${tool}\n[^]*?^\`\`\`[a-z]*\n([^]*?)^\`\`\`$`, 'm').exec(document) ?? [];
  if (configuration === undefined) throw new Error(`docs/log-shippers.md has no configuration of ${tool}.`);
  return configuration;
}

describe('the configurations of docs/log-shippers.md', () => {
  const service = startTestService({ environment: { AUTH_MODE: 'strict' } });
  const folder = createTemporaryFolder();
  const startProgram = createProgramStarter();
  let key = '';
  before(async () => {
    const account = await createAccount(service);
    Object.assign(service.headers, account.headers);
    ({ key } = await createApiKey(service, account));
  });

  for (const tool of ['curl', 'winston', 'pino']) {
    it(`${tool} delivers every line once`, async function () {
      if (tool === 'curl' && spawnSync('curl', ['--version']).error !== undefined) this.skip();
      const { id } = await createRunningScenario(service);
      const configuration = readConfiguration(tool)
        .replaceAll('localhost', '127.0.0.1')
        .replaceAll('3000', new URL(service.url).port)
        .replaceAll('SCENARIO_ID', id)
        .replaceAll('API_KEY', key)
        .replaceAll('/var/log/app.log', 'app.log');
      const directory = join(folder.path, tool);
      await mkdir(directory);
      await writeFile(join(directory, 'app.log'), lines.map((line) => `${line}\n`).join(''));
      await writeFile(join(directory, 'app.mjs'), configuration + logFile);
      await symlink(packages, join(directory, 'node_modules'));
      const [command, args] = tool === 'curl' ? ['sh', ['-c', configuration]] : [process.execPath, ['app.mjs']];
      const { child, ended } = startProgram({ command, args, environment: process.env, directory });
      const areCounted = async () => (await getMetrics(service, id)).totals.logs >= lines.length;
      await waitUntil(`the lines of ${tool} to be counted`, areCounted);
      if (tool !== 'curl') child.kill('SIGKILL');
      const { stderr } = await ended;
      const { collection } = service.app.models.logBatch;
      const batches = await collection.find<ProcessedLogBatch>({ scenarioId: id }, asStored).toArray();
      const entries = batches.flatMap(entriesOf);
      expect(entries.map(({ hash }) => hash).sort(), stderr).to.deep.equal(hashes);
      const levels = new Set(entries.map(({ level }) => level));
      expect([...levels]).to.deep.equal([tool === 'curl' ? undefined : 'info']);
    });
  }
});
