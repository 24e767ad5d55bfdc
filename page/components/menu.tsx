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
  /** The name of the row or view of the actions, which screen readers say with each of them. */
  readonly of: string;
  readonly items: readonly MenuItem[];
}

/** Actions behind one button. It closes by Escape, by a choice, and when the focus leaves it. */
export function Menu({ of, items }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  // A dialog stays the one that was opened, also when the actions change.
  const [dialog, setDialog] = useState<((close: () => void) => ComponentChildren) | null>(null);
  const { start, error } = useAction((act: () => Promise<void>) => act());
  function close(): void {
    button.current?.focus();
    setOpen(false);
  }
  return (
    <>
      <div
        class="menu"
        onKeyDown={({ key }) => {
          if (key === 'Escape') close();
        }}
        onFocusOut={({ currentTarget, relatedTarget }) => {
          if (!currentTarget.contains(relatedTarget as Node | null)) setOpen(false);
        }}
      >
        <button
          ref={button}
          type="button"
          aria-label={`Actions: ${of}`}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          ⋯
        </button>
        {isOpen && (
          // Some browsers focus no button that is clicked, so the focus would leave the menu.
          <div class="menu-items" role="group" aria-label="Actions" onMouseDown={(event) => event.preventDefault()}>
            {items.map((item) => (
              <button
                key={item.name}
                type="button"
                class="quiet"
                aria-label={`${item.name}: ${of}`}
                onClick={() => {
                  close();
                  if ('act' in item) start(item.act);
                  else setDialog(() => item.dialog);
                }}
              >
                {item.name}
              </button>
            ))}
          </div>
        )}
      </div>
      {error !== null && <ErrorNote error={error} />}
      {dialog?.(() => setDialog(null))}
    </>
  );
}
