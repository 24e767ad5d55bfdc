import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { ErrorNote } from './states.tsx';
import { useAction } from './use-action.ts';

/** An action, which either begins at once or opens a dialog. */
export type MenuItem = { readonly name: string } & (
  | { readonly act: () => Promise<void> }
  | { readonly dialog: (close: () => void) => ComponentChildren }
);

interface MenuProps {
  /** What the actions are for, such as the name of a row: screen readers say it with each of them. */
  readonly of: string;
  readonly items: readonly MenuItem[];
}

/** Actions behind one button. It closes by Escape, by a choice, and where the focus leaves it. */
export function Menu({ of, items }: MenuProps) {
  const menu = useRef<HTMLDetailsElement>(null);
  const [opened, setOpened] = useState<string | null>(null);
  const { start, isBusy, error } = useAction((act: () => Promise<void>) => act());
  const dialog = items.find((item) => item.name === opened);
  function close(): void {
    if (menu.current?.contains(document.activeElement)) menu.current.querySelector('summary')?.focus();
    menu.current?.removeAttribute('open');
  }
  return (
    <>
      <details
        ref={menu}
        class="menu"
        aria-busy={isBusy}
        onKeyDown={({ key }) => {
          if (key === 'Escape') close();
        }}
        onFocusOut={({ relatedTarget }) => {
          if (relatedTarget && !menu.current?.contains(relatedTarget as Node)) menu.current?.removeAttribute('open');
        }}
      >
        <summary class="button" aria-label={`Actions: ${of}`}>
          ⋯
        </summary>
        <div class="menu-items">
          {items.map((item) => (
            <button
              key={item.name}
              type="button"
              class="quiet"
              aria-label={`${item.name}: ${of}`}
              onClick={() => {
                close();
                if ('act' in item) start(item.act);
                else setOpened(item.name);
              }}
            >
              {item.name}
            </button>
          ))}
        </div>
      </details>
      {error !== null && <ErrorNote error={error} />}
      {dialog && 'dialog' in dialog && dialog.dialog(() => setOpened(null))}
    </>
  );
}
