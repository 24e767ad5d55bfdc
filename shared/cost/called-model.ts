// Usage names a model as it is called: `anthropic.claude-sonnet-4-6`, or with the profile of the
// call after a blank, `anthropic.claude-sonnet-4-6 geo`. Calls above the limit of the model, see
// `CallLimits`, have `long` at the end: `openai.gpt-5.6-sol long`.

import type { CallProfile } from '../ingest/model-name.ts';

interface CalledModel {
  readonly model: string;
  /** Absent: as the scenario calls models. */
  readonly profile?: CallProfile;
  /** Whether the calls are above the limit of the model. */
  readonly isLong: boolean;
}

const longSuffix = ' long';

export function splitCall(call: string): CalledModel {
  const isLong = call.endsWith(longSuffix);
  const ordinary = isLong ? call.slice(0, -longSuffix.length) : call;
  const blank = ordinary.indexOf(' ');
  return blank === -1
    ? { model: ordinary, isLong }
    : { model: ordinary.slice(0, blank), profile: ordinary.slice(blank + 1) as CallProfile, isLong };
}

/** The name of these calls where their input is above the limit. */
export const asLong = (call: string): string => (call.endsWith(longSuffix) ? call : call + longSuffix);
