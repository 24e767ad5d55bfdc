import { execFile } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { allRoutes } from '../../../api/all-routes.ts';
import { openApiDocument } from '../../../api/http/openapi-document.ts';
import { createRouteSettings } from '../../support/route-settings.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

const project = fileURLToPath(new URL('../../../', import.meta.url));
/** The generator has a version of TypeScript of its own, and so a folder of its own. */
const generator = join(project, 'test/generated-client/node_modules/openapi-typescript/bin/cli.js');
const compiler = join(project, 'node_modules/typescript/bin/tsc');

/** A program with the client; each `@ts-expect-error` is a mistake that types reveal. */
const program = `
import createClient from 'openapi-fetch';
import type { paths } from './client.ts';

const client = createClient<paths>({ baseUrl: 'http://127.0.0.1' });
const scenario = await client.POST('/api/v1/scenarios', { body: { name: 'Shop', region: 'eu-west-1' } });
const id: string = scenario.data?.id ?? '';
await client.POST('/api/v1/scenarios/{id}/start', { params: { path: { id } } });
await client.POST('/ingest', {
  params: { header: { 'X-Scenario-ID': id } },
  body: [{ message: 'GET /cart 200', timestamp: '2026-05-01T10:00:00Z', level: 'info' }],
});
const metrics = await client.GET('/api/v1/scenarios/{id}/metrics', { params: { path: { id }, query: { interval: 'hour' } } });
const logs: number | undefined = metrics.data?.totals.logs;
const designs = await client.POST('/api/v1/scenarios/{id}/designs', {
  params: { path: { id } },
  body: { volume: { entries_per_month: 1_000_000 } },
});
const total: string | null | undefined = designs.data?.present.month?.total;
const notebook = await client.POST('/api/v1/notebooks', { body: { title: 'Field notes' } });
export const result = [logs, total, notebook.data, notebook.error?.error.code];

// @ts-expect-error: a scenario needs a region.
await client.POST('/api/v1/scenarios', { body: { name: 'Shop' } });
// @ts-expect-error: there is no such interval.
await client.GET('/api/v1/scenarios/{id}/metrics', { params: { path: { id }, query: { interval: 'minute' } } });
`;

describe('a client that openapi-typescript generates', () => {
  const folder = createTemporaryFolder();

  for (const variant of ['0.1.0', '0.2.0']) {
    it(`a client has strict types with the notebook interface ${variant}`, async () => {
      const settings = createRouteSettings({ NOTEBOOK_API_VARIANT: variant });
      const run = (file: string, ...args: string[]) =>
        promisify(execFile)(process.execPath, [file, ...args], { cwd: folder.path }).catch(
          (error: Error & { stdout: string }) => expect.fail(`${error.message}\n${error.stdout}`),
        );
      await symlink(join(project, 'node_modules'), join(folder.path, 'node_modules'));
      await writeFile(
        join(folder.path, 'openapi.json'),
        JSON.stringify(openApiDocument(allRoutes(settings), settings.config)),
      );
      await run(generator, 'openapi.json', '-o', 'client.ts');
      await writeFile(join(folder.path, 'program.ts'), program);
      const options = { strict: true, noEmit: true, module: 'nodenext', allowImportingTsExtensions: true, types: [] };
      const lib = ['es2023', 'dom', 'dom.iterable'];
      const configuration = { compilerOptions: { ...options, target: 'es2023', lib }, files: ['program.ts'] };
      await writeFile(join(folder.path, 'package.json'), '{"type":"module"}');
      await writeFile(join(folder.path, 'tsconfig.json'), JSON.stringify(configuration));
      await run(compiler, '-p', '.');
    });
  }
});
