// `npm run demo`: sends log lines to a running service and prints their cost.
import { prepare } from './ensure-installed.mjs';

prepare({ needsRedis: false });
const { register } = await import('tsx/esm/api');
register();
const { runDemo } = await import('./demo/main.ts');
try {
  await runDemo(process.argv.slice(2), process.env);
  process.exit(0);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
