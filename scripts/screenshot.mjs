// `npm run screenshot`: photographs the page of a running service for the README.
import { prepare } from './ensure-installed.mjs';

prepare({ needsRedis: false });
const { register } = await import('tsx/esm/api');
register();
const { takeScreenshot } = await import('./screenshot/main.ts');
await takeScreenshot(process.env);
