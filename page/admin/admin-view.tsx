import type { FunctionComponent } from 'preact';
import { View } from '../app/view.tsx';
import { PartLinks } from '../components/part-links.tsx';
import { AuditPart } from './audit/audit-part.tsx';
import { HealthPart } from './health/health-part.tsx';
import { JobsPart } from './jobs/jobs-part.tsx';
import { UsersPart } from './users/users-part.tsx';

const parts: Readonly<Record<string, { readonly name: string; readonly Part: FunctionComponent }>> = {
  users: { name: 'Users', Part: UsersPart },
  audit: { name: 'Audit records', Part: AuditPart },
  jobs: { name: 'Failed jobs', Part: JobsPart },
  health: { name: 'Health', Part: HealthPart },
};

/** The parts that administrators look after. The service decides about each request by itself. */
export function AdminView({ part }: { readonly part: string | undefined }) {
  const current = part !== undefined && Object.hasOwn(parts, part) ? part : 'users';
  const { name, Part } = parts[current] as (typeof parts)[string];
  return (
    <View title="Administration" lead={`${name}. Only administrators see this.`}>
      <PartLinks
        of="administration"
        parts={[
          ...Object.entries(parts).map(([path, { name }]) => ({
            href: `#/admin/${path}`,
            name,
            isCurrent: path === current,
          })),
          { href: '#/prices', name: 'Prices' },
        ]}
      />
      <Part />
    </View>
  );
}
