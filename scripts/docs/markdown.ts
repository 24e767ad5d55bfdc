import stringWidth from 'string-width';

/**
 * Breaks a paragraph into lines of at most 100 columns, or of one longer word. `first` and `others`
 * begin its lines.
 */
export function wrap(text: string, { first = '', others = '' } = {}): string {
  const lines: string[] = [];
  let line = first;
  for (const word of text.split(' ')) {
    const isEmpty = line === first || line === others;
    const longer = isEmpty ? line + word : `${line} ${word}`;
    if (isEmpty || stringWidth(longer) <= 100) line = longer;
    else {
      lines.push(line);
      line = others + word;
    }
  }
  return [...lines, line].join('\n');
}
