import type { ScenarioStatus } from '../client/responses.ts';
import { statusNames } from '../format/names.ts';

export function StatusBadge({ status }: { readonly status: ScenarioStatus }) {
  return <span class={`badge ${status}`}>{statusNames[status]}</span>;
}
