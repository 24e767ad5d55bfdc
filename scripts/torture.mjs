// `npm run torture`: sends load to a stack whose processes and connections fail, and judges
// whether its responses were true (`-- --minutes 10 --seed 7`). `-- --judge FILE` judges a history.
// `-- --backlog 36000` sends 36,000 batches without a worker, an hour at 10,000 lines a second.
import { prepare } from './ensure-installed.mjs';

prepare({ needsRedis: 'always', readsEnvironmentFile: false });
const { register } = await import('tsx/esm/api');
register();
const { runTortureCommand } = await import('./torture/main.ts');
await runTortureCommand(process.argv.slice(2));
