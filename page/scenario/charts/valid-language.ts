// uPlot formats a number in the browser's language as soon as it is loaded. Chromium on a machine
// without a locale has `en-US@posix`, which Intl refuses, and the page would not start.
try {
  Intl.NumberFormat(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true });
}
