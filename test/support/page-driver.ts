import type { ElementHandle, Page } from 'puppeteer-core';
import { waitUntil } from './wait-until.ts';

/**
 * Uses the page as a person does: what is clicked and filled in is found by the name that a screen
 * reader says.
 */
export interface PageDriver {
  readonly page: Page;
  readonly press: (role: 'button' | 'link' | 'radio' | 'checkbox' | 'switch', name: string) => Promise<void>;
  /** Chooses an action of the menu of a row or a view. */
  readonly act: (action: string, of: string) => Promise<void>;
  readonly fill: (label: string, text: string) => Promise<void>;
  /** Chooses an option of a `<select>` by its value. */
  readonly choose: (label: string, value: string) => Promise<void>;
  /** Waits for a heading of level 1 with this text. */
  readonly heading: (text: string) => Promise<void>;
  /** Waits until a text is shown. */
  readonly text: (text: string) => Promise<void>;
  /** Drops a file onto the place for it. */
  readonly drop: (name: string, content: string | Uint8Array) => Promise<void>;
  /** The `value` or the text of an element with a `data-testid`. */
  readonly valueOf: (testId: string) => Promise<string>;
}

const pollEveryMs = 50;

export const isFirefox = async (page: Page) => /^firefox/i.test(await page.browser().version());

export function drivePage(page: Page): PageDriver {
  // Puppeteer's own waits try again at every frame, which leaves the page little processor time. In
  // a hidden tab there are no frames.
  const find = (selector: string): Promise<ElementHandle> =>
    waitUntil(
      selector,
      async () => {
        // A navigation ends the query.
        const element = await page.$(selector).catch(() => null);
        return element !== null && (await element.isVisible().catch(() => false)) && element;
      },
      page.getDefaultTimeout(),
    );
  const waitFor = async (condition: string) => {
    await page.waitForFunction(condition, { polling: pollEveryMs });
  };
  const press: PageDriver['press'] = async (role, name) => {
    const control = await find(`::-p-aria([name="${name}"][role="${role}"])`);
    // The pointer misses a checkbox where a note above it disappears meanwhile.
    if (role === 'checkbox') await control.evaluate((checkbox) => (checkbox as unknown as { click(): void }).click());
    else await control.click();
  };
  return {
    page,
    press,
    act: async (action, of) => {
      await press('button', `Actions: ${of}`);
      await press('button', `${action}: ${of}`);
    },
    fill: async (label, text) => {
      const field = await find(`::-p-aria(${label})`);
      await field.click({ count: 3 });
      // Each letter that is typed is several messages and a drawing. Firefox cannot insert a text.
      if (await isFirefox(page)) await field.type(text);
      else await page.keyboard.sendCharacter(text);
    },
    choose: async (label, value) => {
      await (await find(`::-p-aria([name="${label}"][role="combobox"])`)).select(value);
    },
    heading: (text) => waitFor(`document.querySelector('main h1')?.innerText.includes(${JSON.stringify(text)})`),
    text: (text) => waitFor(`document.body.innerText.includes(${JSON.stringify(text)})`),
    drop: async (name, content) => {
      await page.waitForSelector('.drop button:not(:disabled)');
      await page.evaluate(`{
        const dataTransfer = new DataTransfer();
        const content = ${typeof content === 'string' ? JSON.stringify(content) : `new Uint8Array([${content.join()}])`};
        dataTransfer.items.add(new File([content], ${JSON.stringify(name)}));
        document.querySelector('.drop').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
      }`);
    },
    valueOf: async (testId) =>
      String(
        await page.evaluate(`{
          const element = document.querySelector('[data-testid="${testId}"]');
          element?.getAttribute('value') ?? element?.textContent ?? '';
        }`),
      ),
  };
}
