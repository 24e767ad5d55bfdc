// `npm run bench`: measures the service and baselines in the same run.
import { prepare } from './ensure-installed.mjs';

prepare({ needsRedis: true });
const { register } = await import('tsx/esm/api');
register();
const { runBench } = await import('./bench/main.ts');
await runBench(process.argv.slice(2));
