import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { load, YAML11_SCHEMA } from 'js-yaml';
import { readConfig } from '../../shared/config/config.ts';
import { variableNames } from '../../shared/config/config-schema.ts';

const project = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

interface Service {
  env_file?: string;
  environment?: Record<string, string>;
}

describe('npm run secrets', () => {
  const print = async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [project('scripts/secrets.mjs')]);
    return stdout;
  };
  /** The variables of an env file, which has them, comments and empty lines. */
  const parse = (text: string) =>
    Object.fromEntries(
      text
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#'))
        .map((line) => /^([A-Z_]+)=(\S+)$/.exec(line)?.slice(1) ?? expect.fail(line)),
    ) as Record<string, string>;

  it('prints new secrets each time, and all that the services of docker-compose.yml need and do not set themselves', async () => {
    const printed = parse(await print());
    const later = parse(await print());
    for (const name of ['SERVICE_SECRET', 'TOKEN_SECRET', 'DASHBOARD_PASSWORD', 'METRICS_TOKEN'])
      expect(later[name], name).not.to.equal(printed[name]);
    const names = Object.keys(printed);
    expect(variableNames).to.include.members(names);
    // Without it, /metrics is unavailable.
    expect(names).to.include('METRICS_TOKEN');
    const { services } = load(readFileSync(project('docker-compose.yml'), 'utf8'), { schema: YAML11_SCHEMA }) as {
      services: Record<string, Service>;
    };
    const own = Object.values(services).filter(({ env_file: file }) => file !== undefined);
    expect(own).to.have.length(4);
    for (const { env_file: file, environment = {} } of own) {
      expect(file).to.equal('production.env');
      // A value of docker-compose.yml would win.
      expect(Object.keys(environment)).not.to.include.any.members(names);
      const variables = { ...printed, ...environment, PORT: String(environment['PORT']) };
      expect(readConfig(variables)).to.include({ environment: 'production', metricsToken: printed['METRICS_TOKEN'] });
    }
  });
});
