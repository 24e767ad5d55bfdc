import { type ChromiumSearch, hasPackagedChromium } from '../../workers/reports/pdf/chromium.ts';

/**
 * The Chromium of the tests: that of CHROMIUM_PATH, otherwise that of the npm package, if it has
 * one for this platform. It is the same on every machine, and takes a third of the processor time
 * of an installed one.
 */
export const testChromium: ChromiumSearch = {
  chromiumPath: process.env['CHROMIUM_PATH'],
  ...(hasPackagedChromium() ? { searchPath: '' } : {}),
};
