import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withBenchStack } from '../bench/bench-stack.ts';

/**
 * The packages of the generators; they are installed into a temporary folder, because nothing else
 * needs them.
 */
const project = fileURLToPath(new URL('project/', import.meta.url));

const variants = ['0.1.0', '0.2.0'];

/**
 * Generates clients of both variants of the notebook interface, checks their types in strict mode,
 * and runs `project/main-flow.ts`. Ends the process with status 1 if a step fails.
 */
export async function checkClients(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'meterbook-clients-'));
  const run = (command: string, ...args: string[]) => runIn(folder, command, args);
  try {
    await cp(project, folder, { recursive: true });
    console.log('installs the generators');
    await run('npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error');
    for (const variant of variants) {
      await withBenchStack(
        {},
        async ({ url }) => {
          await mkdir(join(folder, variant));
          const document = await (await fetch(`${url}/openapi.json`)).text();
          await writeFile(join(folder, variant, 'openapi.json'), document);
          const source = `./${variant}/openapi.json`;
          for (const [generator, ...args] of [
            ['openapi-typescript', source, '-o', `${variant}/openapi-typescript.ts`],
            ['openapi-ts', '-i', source, '-o', `${variant}/hey-api`, '-c', '@hey-api/client-fetch', '--silent'],
            ['orval', '--input', source, '--output', `${variant}/orval.ts`, '--client', 'fetch'],
          ] as const) {
            console.log(`generates ${variant} with ${generator}`);
            await run(join('node_modules', '.bin', generator), ...args);
          }
          if (variant !== '0.2.0') return;
          console.log('checks the types of all clients');
          await run(join('node_modules', '.bin', 'tsc'), '-p', '.');
          console.log('runs the main flow with openapi-fetch');
          await run(join('node_modules', '.bin', 'tsx'), 'main-flow.ts', url);
        },
        { NOTEBOOK_API_VARIANT: variant },
      );
    }
    console.log('all clients compile, and the main flow succeeds');
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs a program; its output is shown if it fails, and that of the main flow always. */
async function runIn(folder: string, command: string, args: readonly string[]): Promise<void> {
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${output}`);
  if (args[0] === 'main-flow.ts') process.stdout.write(output);
}
