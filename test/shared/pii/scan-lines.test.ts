import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { createScanner } from '../../../shared/pii/scan-personal-data.ts';
import { found } from './values.ts';

/** A line, and its findings as `scheme:text`. */
type Line = readonly [text: string, ...findings: string[]];

/** The lines that justify each rule. */
const FOLDER = 'test/shared/pii/lines';
const rules = readdirSync(FOLDER).flatMap((file) =>
  Object.entries<Line[]>(JSON.parse(readFileSync(`${FOLDER}/${file}`, 'utf8'))),
);

/** The control sequences that begin and end a colour, as themselves and as loggers escape them. */
const colours = [
  ['\u001b[36m', '\u001b[0m'],
  ['\\u001b[36m', '\\u001b[0m'],
  ['\\x1b[1;36m', '\\x1b[0m'],
  ['\\033[0;36m', '\\033[0m'],
  ['\\e[36m', '\\e[0m'],
  ['#033[36m', '#033[0m'],
  ['^[[36m', '^[0m'],
].flatMap(([on, off]): Line[] => [
  [`sent to ${on}anna@example.com${off} now`, 'email:anna@example.com'],
  [`pesel=${on}44051401359${off} ok`, 'pl_pesel:44051401359'],
  [`${on}card${off}=${on}4111 1111 1111 1111${off}`, 'visa:4111 1111 1111 1111'],
  [`${on}order_id${off}=${on}44051401359${off}`],
]);

const tracks = [
  'visa:%B4111111111111111^DOE/JOHN^25121011000000000000000000000000?',
  'amex:%B371449635398431^O BRIEN/ANNE MRS      ^27032010000000000?',
  'mastercard:B5555555555554444^DOE/JOHN^2512101',
  'visa:;4111111111111111=25121011000012345678?',
  'mastercard:5555555555554444=2512101123456789',
  'visa:4111111111111111D25121011000012345678F',
  'visa:%25B4111111111111111%5EDOE%2FJOHN%5E25121011000000',
].flatMap((finding): Line[] => {
  const track = finding.slice(finding.indexOf(':') + 1);
  return [`swipe ${track} ok`, `{"data":"${track}"}`, `track=${track}`].map((text) => [text, finding]);
});

for (const [rule, lines] of [
  ...rules,
  ['coloured text', colours],
  ['track data and the text around it', tracks],
] as const)
  describe(`createScanner: ${rule}`, () => {
    for (const [text, ...findings] of lines)
      it(`The scanner finds ${findings.join(', ') || 'nothing'} in: ${JSON.stringify(text)}`, () =>
        expect(found(text)).to.deep.equal(findings));
  });

it('A scanner that is created by a test finds the same in each of these lines', () => {
  const scanner = createScanner();
  const lines = [...rules.flatMap(([, ofRule]) => ofRule), ...colours, ...tracks];
  expect(lines.filter(([text, ...findings]) => found(text, scanner).join() !== findings.join())).to.deep.equal([]);
});
