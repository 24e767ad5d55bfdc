interface DesignText {
  readonly name: string;
  readonly description: string;
}

/** The standard designs in the words of the page, by their names in the API. */
const texts: Readonly<Record<string, DesignText>> = {
  simple: {
    name: 'simple',
    description: 'Each entry is a message, an invocation and a model call, without an instruction.',
  },
  'one call a line': {
    name: 'one call an entry',
    description: 'Each entry has its own model call, with an instruction of 800 tokens and 300 output tokens.',
  },
  '50 lines a call': {
    name: '50 entries a call',
    description: 'Up to 50 entries that arrive within 5 seconds share a call and its instruction.',
  },
  '50 lines a batch job': {
    name: '50 entries a batch job',
    description: '50 entries share an instruction in a batch job, at batch prices; results come hours later.',
  },
  'errors only, 50 a call': {
    name: 'errors only, 50 a call',
    description: 'As 50 entries a call, but only entries marked error or fatal go to the model.',
  },
};

export const nameOfDesign = (name: string): string => texts[name]?.name ?? name;
export const descriptionOfDesign = (name: string): string | undefined => texts[name]?.description;
