/**
 * The UTF-16 code units that files of the scanner compare with. They destructure this object into
 * local constants. V8 folds a local constant into optimized code, but loads an imported binding at
 * every use.
 */
export const codes = {
  BLANK: 32,
  DOUBLE_QUOTE: 34,
  HASH: 35,
  PERCENT: 37,
  AMPERSAND: 38,
  APOSTROPHE: 39,
  COMMA: 44,
  HYPHEN: 45,
  DOT: 46,
  SLASH: 47,
  DIGIT_0: 48,
  DIGIT_9: 57,
  COLON: 58,
  LESS_THAN: 60,
  GREATER_THAN: 62,
  QUESTION_MARK: 63,
  AT_SIGN: 64,
  UPPER_A: 65,
  UPPER_Z: 90,
  BACKSLASH: 92,
  UNDERSCORE_SIGN: 95,
  LOWER_A: 97,
  LOWER_F: 102,
  TILDE: 126,
  MULTIPLICATION_SIGN: 0xd7,
  DIVISION_SIGN: 0xf7,
  /** The high surrogate of mathematical digits. */
  MATHEMATICAL: 0xd835,
  /** The first code unit beyond ASCII. */
  BEYOND_ASCII: 128,
  /** The bit by which a lower-case ASCII letter differs from its upper-case letter. */
  CASE_BIT: 32,
} as const;
