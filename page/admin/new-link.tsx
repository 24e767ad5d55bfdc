import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { PasswordLink } from '../client/responses.ts';
import { accountId } from '../client/session.ts';
import { Time } from '../components/amount.tsx';
import { Copyable } from '../components/copyable.tsx';
import { EmailAddress } from '../components/email-address.tsx';
import { addressOfLink } from './account-requests.ts';

/** The newest link that this page has created. It is in its memory only. */
const newLink = signal<{ readonly email: string; readonly link: PasswordLink } | null>(null);

export function showLink(email: string, link: PasswordLink): void {
  newLink.value = { email, link };
}

/** The link that the owner of an account needs, until it is hidden. */
export function NewLink() {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = newLink.value;
  useEffect(() => heading.current?.focus(), [shown]);
  if (!shown) return null;
  return (
    <div class="new-key">
      <h3 ref={heading} tabIndex={-1}>
        The link for <EmailAddress address={shown.email} />
      </h3>
      <p>
        Copy it now and give it to its owner, who sets a password with it, once, until{' '}
        <Time iso={shown.link.expires_at} />. It is not shown again. Meterbook sends no mail.
      </p>
      <Copyable label={`Link for ${shown.email}`} text={addressOfLink(shown.link)} />
      <div class="buttons">
        <button
          type="button"
          onClick={() => {
            newLink.value = null;
          }}
        >
          Hide the link
        </button>
      </div>
    </div>
  );
}

/** The links of one admin are never shown to another account. */
accountId.subscribe(() => {
  newLink.value = null;
});
