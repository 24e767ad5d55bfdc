import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

const program = fileURLToPath(new URL('../../../scripts/prices.mjs', import.meta.url));

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs `npm run prices -- …` without Redis and MongoDB. */
const prices = (...args: string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const env = { PATH: process.env['PATH'] };
    execFile(process.execPath, [program, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });

describe('npm run prices', () => {
  const folder = createTemporaryFolder();

  /** A file in the format of LiteLLM with one price of Nova Micro in us-east-1. */
  async function litellm(model: string, price: number): Promise<string> {
    const path = join(folder.path, 'litellm.json');
    await writeFile(
      path,
      JSON.stringify({ [model]: { litellm_provider: 'bedrock', mode: 'chat', input_cost_per_token: price } }),
    );
    return `litellm:${path}`;
  }

  it('status shows the age of each part, Regions without a source, old evidence and disputes', async () => {
    const { code, stdout } = await prices('status', '--json');
    const status = JSON.parse(stdout);
    expect(code).to.equal(0);
    expect(status.parts.map(({ part }: { part: string }) => part)).to.include.members([
      'queue',
      'queue us-east-1',
      'function',
      'inference',
    ]);
    expect(status.regions_without_source.queue).to.include('ca-central-1').and.not.include('us-east-1');
    expect(status.old_models).to.be.an('array');
    expect(status.disputes).to.be.an('array');
    expect((await prices('status')).stdout).to.match(/Regions without a sourced queue price: 27: /);
  });

  it('diff exits with 2 if something would change, with 0 if not, and with 1 if the source is refused', async () => {
    const added = await prices('diff', '--from', await litellm('bedrock/us-east-1/openai.gpt-9', 1e-6), '--json');
    expect([added.code, JSON.parse(added.stdout).findings[0].type]).to.deep.equal([2, 'addition']);
    const disputed = await prices('diff', '--from', await litellm('bedrock/us-east-1/amazon.nova-micro-v1:0', 1e-6));
    expect(disputed.code).to.equal(0);
    expect(disputed.stdout).to.match(/dispute .*0\.000035 .*0\.001 .*\+2757\.14/);
    const refused = await prices('diff', '--from', await litellm('bedrock/us-east-1/amazon.nova-micro-v1:0', 0));
    expect(refused.code).to.equal(1);
    expect(refused.stdout).to.match(
      /The source is refused, and nothing of it is used:\n .*litellm\.json: .*the price is zero/,
    );
  });

  it('check prints the agreement of each model with genai-prices', async () => {
    const { code, stdout } = await prices('check', '--against', 'genai-prices');
    expect(code).to.equal(0);
    expect(stdout).to.match(/anthropic\.claude-sonnet-5 +│ 8 +│ 0 +│ 0/);
    expect(stdout).to.match(/\d+ prices agree, 0 differ/);
  });

  for (const [args, sentence] of [
    [[], 'The command is missing: use status, diff or check.'],
    [['apply'], '"apply" is not a command: use status, diff or check.'],
    [['status', '--from', 'genai-prices'], 'status does not have the option --from.'],
    [['diff', '--from', 'ftp:x'], '"ftp:x" is not a source: use aws:FOLDER_OR_URL'],
    [['check', '--against'], "Option '--against <value>' argument missing."],
    [['diff', '--to', 'x'], "Unknown option '--to'."],
  ] as const) {
    it(`${args.join(' ') || 'no command'} is an invalid command: it exits with 1 and one sentence`, async () => {
      const { code, stdout, stderr } = await prices(...args);
      expect([code, stdout]).to.deep.equal([1, '']);
      expect(stderr.trim().split('\n')).to.have.length(1);
      expect(stderr).to.include(sentence);
    });
  }
});
