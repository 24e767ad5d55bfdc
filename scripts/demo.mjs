// `npm run demo`: sends log lines to a running service and prints their cost.
import { prepare } from './ensure-installed.mjs';

prepare({ needsRedis: false });
const { register } = await import('tsx/esm/api');
register();
const { runDemo } = await import('./demo/main.ts');
await runDemo(process.argv.slice(2), process.env);
