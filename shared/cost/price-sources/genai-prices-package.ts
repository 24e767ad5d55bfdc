import type { SourceFile } from './price-point.ts';

/**
 * The data of the installed package `@pydantic/genai-prices` as JSON. The package has numbers of at
 * most 15 digits in its code, and `JSON.stringify` writes exactly these digits.
 */
export async function installedGenaiPrices(): Promise<SourceFile> {
  // The package is large and only this source needs it.
  const { findProvider } = await import('@pydantic/genai-prices');
  const provider = findProvider({ providerId: 'aws' });
  return { name: '@pydantic/genai-prices', bytes: once(Buffer.from(JSON.stringify([provider]))) };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
