// `npm run attack`: floods a stack of its own, and prints what an honest caller notices.
import { prepare } from './ensure-installed.mjs';

prepare({ needsRedis: true });
const { register } = await import('tsx/esm/api');
register();
const { runAttacks } = await import('./attack/main.ts');
await runAttacks(process.argv.slice(2));
