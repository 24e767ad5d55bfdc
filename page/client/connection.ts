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
    const timer = setInterval(() => {
      fetch(`${serviceUrl}health`, { cache: 'no-store' }).then(
        ({ ok }) => {
          if (ok) isReachable.value = true;
        },
        () => {},
      );
    }, lookEvery);
    return () => clearInterval(timer);
  });
}
