import { effect, signal } from '@preact/signals';
import { serviceUrl } from './settings.ts';

/** In ms. */
const lookEvery = 2_000;

/** Whether the last request reached the service. */
export const isReachable = signal(true);

/** While the service is unreachable, looks for it. */
export function watchConnection(): void {
  effect(() => {
    if (isReachable.value) return undefined;
    const timer = setInterval(() => void look(), lookEvery);
    return () => clearInterval(timer);
  });
}

async function look(): Promise<void> {
  try {
    const { ok } = await fetch(`${serviceUrl}health`, { cache: 'no-store' });
    if (ok) isReachable.value = true;
  } catch {
    // Still unreachable.
  }
}
