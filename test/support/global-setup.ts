import { second } from '../../shared/durations.ts';
import { closeTestServers } from './test-servers.ts';

/**
 * Runs once after all tests: ends the servers that they have asked for. Then nothing should be left that keeps the
 * process alive; a test that has left something open fails the run instead of hanging it.
 */
export async function mochaGlobalTeardown(): Promise<void> {
  await closeTestServers();
  setTimeout(() => {
    const open = process.getActiveResourcesInfo().join(', ');
    process.stderr.write(`The tests are over, but something they opened was not closed: ${open}\n`);
    // mocha sets the exit code from the count of failures, as the process ends: this comes after it.
    process.once('exit', () => {
      process.exitCode = 1;
    });
    process.exit();
  }, 20 * second).unref();
}
