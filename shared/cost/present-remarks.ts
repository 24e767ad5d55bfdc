// Entries that were not counted as their senders may have meant, in figures and in sentences.
import type { EntryRemarks } from '../usage/usage.ts';

/** As metrics have them. */
interface PresentedRemarks {
  /** Entries that count at their arrival. */
  untimed: number;
  /** Entries with a usage that is not understood. */
  usage_unread: number;
  /** Calls of models without a price, most calls first. */
  unpriced: { model: string; calls: number; input_tokens: number; output_tokens: number }[];
}

export function presentRemarks({ untimed = 0n, usageUnread = 0n, unpriced = [] }: EntryRemarks): PresentedRemarks {
  return {
    untimed: Number(untimed),
    usage_unread: Number(usageUnread),
    unpriced: unpriced
      .map(({ name, calls, inputTokens, outputTokens }) => ({
        model: name,
        calls: Number(calls),
        input_tokens: Number(inputTokens),
        output_tokens: Number(outputTokens),
      }))
      .sort((one, other) => other.calls - one.calls),
  };
}

/** Models that a sentence names. */
const maxNamed = 3;

/** A sentence for each kind of remark that there is. Names of models are texts of senders. */
export function remarkSentences({
  untimed = 0,
  usage_unread: usageUnread = 0,
  unpriced = [],
}: Partial<PresentedRemarks>): string[] {
  const sentences: string[] = [];
  if (usageUnread > 0) {
    const [had, theirs] = usageUnread === 1 ? ['entry had', 'its'] : ['entries had', 'their'];
    sentences.push(
      `${count(usageUnread)} ${had} a usage that was not understood: ${theirs} tokens are counted from the message.`,
    );
  }
  if (unpriced.length > 0) {
    const calls = unpriced.reduce((sum, model) => sum + model.calls, 0);
    const names = unpriced.slice(0, maxNamed).map(({ model }) => model);
    const more = unpriced.length - names.length;
    const others = more === 0 ? '' : ` and ${more} ${more === 1 ? 'other' : 'others'}`;
    const verb = calls === 1 ? 'call is of a model' : 'calls are of models';
    sentences.push(`${count(calls)} ${verb} without a price, which the cost leaves out: ${names.join(', ')}${others}.`);
  }
  if (untimed > 0) {
    const verb =
      untimed === 1 ? 'entry has no time of its own and counts' : 'entries have no time of their own and count';
    sentences.push(`${count(untimed)} ${verb} at ${untimed === 1 ? 'its' : 'their'} arrival.`);
  }
  return sentences;
}

const count = (value: number) => value.toLocaleString('en-US');
