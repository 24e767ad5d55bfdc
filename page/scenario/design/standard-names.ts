interface DesignText {
  readonly name: string;
  readonly description: string;
}

/** The standard designs in the words of the page, by their names in the API. */
const texts: Readonly<Record<string, DesignText>> = {
  simple: {
    name: 'Simple',
    description: 'Each entry is a message, an invocation and a model call, without an instruction.',
  },
  'one call a line': {
    name: 'One call per entry',
    description: 'Each entry has its own model call, with an instruction of 800 tokens and 300 output tokens.',
  },
  '50 lines a call': {
    name: '50 per call',
    description: 'Up to 50 entries that arrive within 5 seconds share a call and its instruction.',
  },
  '50 lines a batch job': {
    name: 'Batch of 50',
    description: '50 entries share an instruction in a batch job, at batch prices; results come hours later.',
  },
  'errors only, 50 a call': {
    name: 'Errors only, 50 per call',
    description: 'As 50 per call, but only entries marked error or fatal go to the model.',
  },
};

export const nameOfDesign = (name: string): string => texts[name]?.name ?? name;
export const descriptionOfDesign = (name: string): string | undefined => texts[name]?.description;
