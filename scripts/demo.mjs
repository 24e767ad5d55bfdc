// `npm run demo`: sends log lines through a running stack and shows what they would cost.
import { prepare } from './ensure-installed.mjs';

prepare({ needsRedis: false });
const { register } = await import('tsx/esm/api');
register();
const { runDemo } = await import('./demo/main.ts');
await runDemo(process.argv.slice(2), process.env);
