import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

interface ViewProps {
  readonly title: string;
  /** Shown in place of the title, such as a name with its status. */
  readonly heading?: ComponentChildren;
  readonly lead?: ComponentChildren;
  /** Buttons and links beside the heading. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A view: its heading, which receives the focus when the view opens, and its content. */
export function View({ title, heading, lead, actions, children }: ViewProps) {
  useEffect(() => {
    document.title = title === 'Meterbook' ? title : `${title} · Meterbook`;
  }, [title]);
  return (
    <>
      <div class="view-head">
        <h1 tabIndex={-1}>{heading ?? <bdi>{title}</bdi>}</h1>
        {actions && <div class="buttons">{actions}</div>}
        {lead && <p class="lead">{lead}</p>}
      </div>
      {children}
    </>
  );
}
