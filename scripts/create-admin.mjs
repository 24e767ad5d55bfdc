// `npm run create-admin -- jane@example.com`: creates an admin, in the database of the environment
// or of the local stack.
import { existsSync } from 'node:fs';

if (process.env.NODE_ENV === 'production') {
  // Only the compiled service is there, without the packages for development.
  const compiled = new URL('../dist/api/accounts/create-admin/main.js', import.meta.url);
  if (!existsSync(compiled)) {
    console.error('The service is not compiled: run npm run build first.');
    process.exit(1);
  }
  await import(compiled.href);
} else {
  const { prepare } = await import('./ensure-installed.mjs');
  prepare({ needsRedis: false });
  const { register } = await import('tsx/esm/api');
  register();
  const { stackEnvironment } = await import('./local-stack/settings.ts');
  try {
    Object.assign(process.env, await stackEnvironment(process.env));
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
  await import('../api/accounts/create-admin/main.ts');
}
