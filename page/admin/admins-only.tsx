import type { ComponentChildren } from 'preact';
import { View } from '../app/view.tsx';
import { session } from '../client/session.ts';

/** Shows its content to administrators, and a sentence to all other accounts. */
export function AdminsOnly({ children }: { readonly children: ComponentChildren }) {
  const current = session.value;
  if (!('user' in current) || current.user.role === 'admin') return <>{children}</>;
  return (
    <View title="Administration">
      <p>
        This is for administrators, and <bdi>{current.user.email}</bdi> is a member. An administrator can change that.
      </p>
      <p>
        <a href="#/scenarios">Go to the scenarios</a>
      </p>
    </View>
  );
}
