/** A standard design in words. */
interface DesignText {
  readonly name: string;
  /** As the subject of a sentence. */
  readonly inWords: string;
  readonly description: string;
}

/** By the names in the API. */
const texts: Readonly<Record<string, DesignText>> = {
  simple: {
    name: 'Simple',
    inWords: 'One call an entry without an instruction',
    description: 'Each entry is a message, an invocation and a model call, without an instruction.',
  },
  'one call a line': {
    name: 'One call per entry',
    inWords: 'One call an entry with an instruction',
    description: 'Each entry has its own model call, with an instruction of 800 tokens and 300 output tokens.',
  },
  '50 lines a call': {
    name: '50 per call',
    inWords: 'Fifty entries a call',
    description: 'Up to 50 entries that arrive within 5 seconds share a call and its instruction.',
  },
  '50 lines a batch job': {
    name: 'Batch of 50',
    inWords: 'Fifty entries a batch job',
    description: '50 entries share an instruction in a batch job, at batch prices; results come hours later.',
  },
  'errors only, 50 a call': {
    name: 'Errors only, 50 per call',
    inWords: 'Errors only, fifty a call,',
    description: 'As 50 per call, but only entries marked error or fatal go to the model.',
  },
};

export const nameOfDesign = (name: string): string => texts[name]?.name ?? name;
export const designInWords = (name: string): string => texts[name]?.inWords ?? `“${name}”`;
export const descriptionOfDesign = (name: string): string | undefined => texts[name]?.description;
