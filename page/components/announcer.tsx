import { signal } from '@preact/signals';

const announcement = signal('');

/** Lets screen readers say a text when they have finished what they are saying. */
export function announce(text: string): void {
  // The same text twice is said twice only if the region was empty between.
  announcement.value = '';
  requestAnimationFrame(() => {
    announcement.value = text;
  });
}

/** The live region of the page; a page has one. */
export function Announcer() {
  return (
    <div class="visually-hidden" role="status" aria-live="polite">
      {announcement}
    </div>
  );
}
