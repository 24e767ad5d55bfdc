import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Copyable } from './copyable.tsx';

interface NewSecretProps {
  readonly title: ComponentChildren;
  /** Said by screen readers before the secret. */
  readonly label: string;
  readonly secret: string;
  readonly hide: () => void;
  readonly children: ComponentChildren;
}

/** A secret that is shown once, such as a new API key. Its heading receives the focus. */
export function NewSecret({ title, label, secret, hide, children }: NewSecretProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [secret]);
  return (
    <div class="new-secret">
      <h3 ref={heading} tabIndex={-1}>
        {title}
      </h3>
      <p>{children}</p>
      <Copyable label={label} text={secret} />
      <div class="buttons">
        <button type="button" onClick={hide}>
          Hide
        </button>
      </div>
    </div>
  );
}
