import { expect } from 'chai';
import type { Page, SerializedAXNode } from 'puppeteer-core';
import { waitUntil } from './wait-until.ts';

/** Reads the page as a screen reader does: from its accessibility tree alone. */
export interface ScreenReader {
  /** Waits for an element of this role and name. */
  readonly find: (role: string, name: string | RegExp) => Promise<SerializedAXNode>;
  /** The element that has the focus. */
  readonly focused: () => Promise<SerializedAXNode>;
  /** The value of the element that has the focus, as it is said. */
  readonly valueText: () => Promise<string>;
  /** Waits until a live region says it, and forgets what was said before it. */
  readonly hear: (text: string | RegExp) => Promise<void>;
  /** The levels and names of the headings, in order. */
  readonly headings: () => Promise<string[]>;
}

export function startScreenReader(page: Page): ScreenReader {
  const read = async (): Promise<SerializedAXNode[]> => {
    const root = await page.accessibility.snapshot({ interestingOnly: false });
    return root ? flatten(root) : [];
  };
  const matches = (wanted: string | RegExp, name = '') =>
    wanted instanceof RegExp ? wanted.test(name) : wanted === name;
  const find = (role: string, name: string | RegExp) =>
    waitUntil(`${role} ${name}`, async () =>
      (await read()).find((one) => one.role === role && matches(name, one.name)),
    );
  const focused = async () => (await read()).find((one) => one.focused) ?? expect.fail('nothing has the focus');
  /** The last texts of the live regions. */
  let said: string[] = [];

  return {
    find,
    focused,
    valueText: async () => {
      const { valuetext } = await focused();
      // Chromium 156 reports an empty one of every element.
      return valuetext || String(await page.evaluate("document.activeElement.getAttribute('aria-valuetext')"));
    },
    hear: async (text) => {
      await waitUntil(`the announcement ${text}`, async () => {
        const present = (await read())
          .filter(isLive)
          .map(textOf)
          .filter((one) => one !== '');
        const isNew = present.some((one) => matches(text, one) && !said.includes(one));
        if (isNew) said = present;
        return isNew;
      });
    },
    headings: async () =>
      (await read()).filter(({ role }) => role === 'heading').map(({ level, name }) => `${level} ${name}`),
  };
}

const flatten = (node: SerializedAXNode): SerializedAXNode[] => [node, ...(node.children ?? []).flatMap(flatten)];

const isLive = (node: SerializedAXNode) => node.role === 'status' || node.role === 'alert';

const textOf = (node: SerializedAXNode): string =>
  flatten(node)
    .filter(({ role }) => role === 'StaticText')
    .map(({ name = '' }) => name)
    .join(' ')
    .trim();
