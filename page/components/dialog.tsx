import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { ErrorNote } from './states.tsx';
import { useAction } from './use-action.ts';

interface DialogProps {
  readonly title: string;
  readonly close: () => void;
  /** Whether it stays until one of its own buttons closes it. */
  readonly isRequired?: boolean;
  /** Whether it has a table. */
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
}

/**
 * A modal dialog. The browser keeps the focus in it, closes it by Escape, and returns the focus
 * afterwards.
 */
export function Dialog({ title, close, isRequired = false, isWide = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={isWide ? 'wide' : ''}
      aria-labelledby={id}
      // Some browsers close it at the second Escape, whatever the first one was told.
      onCancel={(event) => {
        if (isRequired) event.preventDefault();
      }}
      onClose={() => {
        if (isRequired) dialog.current?.showModal();
        else close();
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        {!isRequired && (
          <button type="button" class="quiet" aria-label="Close" onClick={close}>
            ✕
          </button>
        )}
      </header>
      {children}
    </dialog>
  );
}

/**
 * Where the button that opened a dialog is gone with its row, the heading of the view receives the
 * focus.
 */
export function keepFocus(): void {
  if (document.activeElement === null || document.activeElement === document.body) {
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  }
}

interface QuestionProps extends DialogProps {
  /** The text of the button that does it. */
  readonly action: string;
  readonly act: () => Promise<void>;
}

/** Asks before something that cannot be undone. */
export function Question({ title, action, act, close, children }: QuestionProps) {
  const { start, isBusy, error } = useAction(async () => {
    await act();
    close();
    requestAnimationFrame(keepFocus);
  });
  return (
    <Dialog title={title} close={close}>
      {children}
      {error !== null && <ErrorNote error={error} />}
      <div class="buttons">
        <button type="button" class="danger" aria-disabled={isBusy} onClick={() => start()}>
          {action}
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
}
