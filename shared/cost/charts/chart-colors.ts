import type { ChartTheme } from './chart-data.ts';

export interface ChartColors {
  readonly background: string;
  readonly text: string;
  readonly mutedText: string;
  readonly line: string;
  /** Told apart with every kind of colour vision, and next to each other by their lightness. */
  readonly series: readonly [string, string, string];
}

/**
 * The series are from the palette of Okabe and Ito and from that of Tol. Text has a contrast of at
 * least 4.5 with the background, series of at least 3 (WCAG 2.2, AA).
 */
export const chartColors: Readonly<Record<ChartTheme, ChartColors>> = {
  light: {
    background: '#ffffff',
    text: '#1f2328',
    mutedText: '#57606a',
    line: '#d0d7de',
    series: ['#332288', '#d55e00', '#3d8fc4'],
  },
  dark: {
    background: '#14171c',
    text: '#e6e9ee',
    mutedText: '#a5adb8',
    line: '#3a414b',
    series: ['#56b4e9', '#e69f00', '#f3ecb8'],
  },
};
