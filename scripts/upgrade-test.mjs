// `npm run upgrade-test -- --from REF`: runs the processes of another commit of this repository
// beside those of this folder, on the same database and Redis, and checks what both count.
import { prepare } from './ensure-installed.mjs';

prepare({ needsRedis: 'always', readsEnvironmentFile: false });
const { register } = await import('tsx/esm/api');
register();
const { runUpgradeTest } = await import('./upgrade/main.ts');
process.exitCode = await runUpgradeTest(process.argv.slice(2));
