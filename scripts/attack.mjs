// `npm run attack`: sends expensive requests to a stack of its own, and prints what they cost.
import { prepare } from './ensure-installed.mjs';

prepare({ needsRedis: true });
const { register } = await import('tsx/esm/api');
register();
const { runAttacks } = await import('./attack/main.ts');
await runAttacks(process.argv.slice(2));
