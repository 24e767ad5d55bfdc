/**
 * The UTF-16 code units that the scanner compares with. The files of the scanner destructure this
 * object and `characterClasses` into local constants. V8 folds a local constant into optimized
 * code, but loads an imported binding at every use, which makes a scan 8 % slower.
 */
export const codes = {
  TAB: 9,
  BLANK: 32,
  DOUBLE_QUOTE: 34,
  HASH: 35,
  DOLLAR: 36,
  PERCENT: 37,
  AMPERSAND: 38,
  APOSTROPHE: 39,
  OPEN_BRACKET: 40,
  CLOSE_BRACKET: 41,
  ASTERISK: 42,
  PLUS: 43,
  COMMA: 44,
  HYPHEN: 45,
  DOT: 46,
  SLASH: 47,
  DIGIT_0: 48,
  DIGIT_9: 57,
  COLON: 58,
  LESS_THAN: 60,
  EQUALS: 61,
  GREATER_THAN: 62,
  QUESTION_MARK: 63,
  AT_SIGN: 64,
  UPPER_A: 65,
  UPPER_Z: 90,
  OPEN_SQUARE: 91,
  BACKSLASH: 92,
  CLOSE_SQUARE: 93,
  UNDERSCORE_SIGN: 95,
  BACKTICK: 96,
  LOWER_A: 97,
  LOWER_F: 102,
  LOWER_Z: 122,
  OPEN_BRACE: 123,
  TILDE: 126,
  POUND_SIGN: 0xa3,
  YEN_SIGN: 0xa5,
  MULTIPLICATION_SIGN: 0xd7,
  DIVISION_SIGN: 0xf7,
  EURO_SIGN: 0x20ac,
  /** The high surrogate of mathematical digits. */
  MATHEMATICAL: 0xd835,
  /** The first code unit beyond ASCII. */
  BEYOND_ASCII: 128,
  /** The bit by which a lower-case ASCII letter differs from its upper-case letter. */
  CASE_BIT: 32,
} as const;
