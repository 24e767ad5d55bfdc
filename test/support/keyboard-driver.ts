import { expect } from 'chai';
import type { Page } from 'puppeteer-core';
import { waitUntil } from './wait-until.ts';

/** Uses the page by keys alone. */
export interface KeyboardDriver {
  /** The name of the focused element, and whether its focus is visible. */
  readonly focused: () => Promise<{ name: string; isVisible: boolean }>;
  /**
   * Waits for the element of this name, which may still load, and presses Tab until it has the
   * focus, or Shift and Tab if it is before the present one. The first line of a name is enough.
   */
  readonly tabTo: (name: string) => Promise<void>;
  /** Presses Enter on the element of this name. */
  readonly open: (name: string) => Promise<void>;
  /** Waits until a live region, which screen readers say, has or had a text. */
  readonly hear: (text: string) => Promise<void>;
}

/** More than any view has. */
const maxStops = 80;

/** The accessible name of an element of the page, as a function of the page. */
const nameOf = `(element) => {
  const label = element.labels?.[0]?.innerText ?? '';
  return element === document.body ? '' : (element.getAttribute('aria-label') ?? (label || element.innerText) ?? '').trim();
}`;

const isName = (name: string, wanted: string) => name === wanted || name.startsWith(`${wanted}\n`);

/** Collects the texts of live regions in `said`. The next text can replace one before a test sees it. */
const recordAnnouncements = `{
  globalThis.said = new Set();
  new MutationObserver(() => {
    for (const region of document.querySelectorAll('[role=status], [role=alert]')) said.add(region.textContent);
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}`;

export function driveKeyboard(page: Page): KeyboardDriver {
  const { keyboard } = page;
  const recording = page.evaluate(recordAnnouncements);

  const focused = () =>
    page.evaluate(`{
      const element = document.activeElement;
      const shown = element.matches('input.visually-hidden') ? element.nextElementSibling : element;
      const { outlineStyle, outlineWidth } = getComputedStyle(shown);
      // Behind the last stop is the frame of the browser. A headless Firefox goes on from there
      // without giving the document the focus.
      const hasPassedFrame = navigator.userAgent.includes('Firefox') && !document.hasFocus();
      ({
        name: (${nameOf})(element),
        isVisible: hasPassedFrame || (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2),
      });
    }`) as Promise<{ name: string; isVisible: boolean }>;

  /** Whether the first element of this name is before the focused one; undefined without one. */
  const isBefore = (name: string) =>
    page.evaluate(`{
      const found = [...document.querySelectorAll('a, button, input, select, summary, [tabindex]')].find((element) => {
        const said = (${nameOf})(element);
        return said === ${JSON.stringify(name)} || said.startsWith(${JSON.stringify(`${name}\n`)});
      });
      found && Boolean(found.compareDocumentPosition(document.activeElement) & Node.DOCUMENT_POSITION_FOLLOWING);
    }`) as Promise<boolean | undefined>;

  async function tabTo(name: string): Promise<void> {
    const { goesBack } = await waitUntil(`an element named ${name}`, async () => {
      const goesBack = await isBefore(name);
      return goesBack !== undefined && { goesBack };
    });
    const passed: string[] = [];
    if (goesBack) await keyboard.down('Shift');
    try {
      for (let stop = 0; stop < maxStops; stop += 1) {
        await keyboard.press('Tab');
        const { name: reached, isVisible } = await focused();
        if (reached !== '') expect(isVisible, `the focus of ${reached} is visible`).to.equal(true);
        if (isName(reached, name)) return;
        passed.push(reached);
      }
    } finally {
      if (goesBack) await keyboard.up('Shift');
    }
    expect.fail(`Tab does not reach ${name}: ${passed.join(' | ')}`);
  }

  return {
    focused,
    tabTo,
    open: async (name) => {
      await tabTo(name);
      await keyboard.press('Enter');
    },
    hear: async (text) => {
      await recording;
      await waitUntil(`the announcement ${text}`, () =>
        page.evaluate(`[...said].some((one) => one.includes(${JSON.stringify(text)}))`),
      );
    },
  };
}
