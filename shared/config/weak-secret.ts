import { constants, deflateRawSync } from 'node:zlib';
import { exampleSecrets } from './config-schema.ts';

/**
 * The least bytes of each secret after compression, which finds secrets that are short or repeat
 * themselves. Random ones have more: 60 of `openssl rand -hex 32`, 14 of `openssl rand -hex 8`.
 */
const minCompressedBytes = {
  SERVICE_SECRET: 24,
  SERVICE_SECRET_PREVIOUS: 24,
  TOKEN_SECRET: 24,
  DASHBOARD_PASSWORD: 13,
  METRICS_TOKEN: 13,
};

const normalize = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
const publicPart = normalize(exampleSecrets.DASHBOARD_PASSWORD);

/** @returns a message for each secret that can be guessed. Secrets that are not set have none. */
export function findWeakSecrets(variables: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(minCompressedBytes).flatMap(([name, minBytes]) => {
    const secret = variables[name];
    const weakness = typeof secret === 'string' ? weaknessOf(secret, minBytes) : undefined;
    return weakness === undefined ? [] : [`${name} ${weakness}; \`openssl rand -hex 32\` generates a secret`];
  });
}

function weaknessOf(secret: string, minBytes: number): string | undefined {
  const isExample = Object.values<string>(exampleSecrets).includes(secret);
  if (isExample || normalize(secret).includes(publicPart)) return 'has, or resembles, the value of .env.example';
  // Fixed codes show repetitions only, whatever the alphabet.
  const { length } = deflateRawSync(secret, { level: 9, strategy: constants.Z_FIXED });
  return length < minBytes ? 'is too easy to guess' : undefined;
}
