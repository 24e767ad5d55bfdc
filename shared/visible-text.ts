/**
 * Characters that leave no mark: controls, formats such as zero-width joiners and directions,
 * variation selectors, and the fillers and blanks that Unicode counts among letters and symbols.
 */
const invisible = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** The text without characters that a reader cannot see. Spaces stay. */
export function withoutInvisible(text: string): string {
  return text.replace(invisible, '');
}

/** Whether a reader sees anything of the text. */
export function isVisible(text: string): boolean {
  return /[^\p{Z}\s]/u.test(withoutInvisible(text));
}
