import { expect } from 'chai';
import { redactedPreview } from '../../../workers/pii/redact.ts';
import { found, scan } from './found.ts';

const FINAL = '\u001b[0m';
/** A colour with `ESC` itself, and as JSON, C, shells, syslog and `cat -v` write it. */
const COLOURS = ['\u001b[36m', '\\u001b[36m', '\\x1b[1;36m', '\\033[0;36m', '\\e[36m', '#033[36m', '^[[36m'];

describe('createScanner in escaped text', () => {
  for (const colour of COLOURS) {
    const end = colour.replace(/\[.*/u, '[0m');
    it(`The scanner reads keys and values in colours that are written as ${JSON.stringify(colour)}`, () => {
      expect(found(`sent to ${colour}anna@example.com${end} now`)).to.deep.equal(['email:anna@example.com']);
      expect(found(`${colour}pesel${end}=44051401359`)).to.deep.equal(['pl_pesel:44051401359']);
      expect(found(`pesel=${colour}44051401359${end} ok`)).to.deep.equal(['pl_pesel:44051401359']);
      expect(found(`hetu=${colour}131052-308T${end}`)).to.deep.equal(['fi_hetu:131052-308T']);
      expect(found(`${colour}card${end}=${colour}4111 1111 1111 1111${end}`)).to.deep.equal([
        'visa:4111 1111 1111 1111',
      ]);
      expect(found(`${colour}order_id${end}=${colour}44051401359${end}`)).to.deep.equal([]);
      expect(found(`${colour}44051401359${end} done`)).to.deep.equal([]);
    });
  }

  it('The scanner redacts a value without the colours around it, and with those inside it', () => {
    const text = `card ${COLOURS[0]}4111 1111${FINAL} 1111 1111${FINAL} ok`;
    expect(redactedPreview(text, scan(text), text.length)).to.equal(`card ${COLOURS[0]}[PAYMENT_CARD]${FINAL} ok`);
  });

  const positives: [string, string][] = [
    ['N.I.E.:&nbsp;X1234567L<br>', 'es_nie:X1234567L'],
    ['DNI:&nbsp;12&nbsp;345&nbsp;678&nbsp;Z', 'es_dni:12&nbsp;345&nbsp;678&nbsp;Z'],
    ['ssn&nbsp;123&ndash;45&ndash;6789', 'us_ssn:123&ndash;45&ndash;6789'],
    ['{&quot;pesel&quot;:&quot;44051401359&quot;}', 'pl_pesel:44051401359'],
    ['num&eacute;ro fiscal : 3023217600053', 'fr_nif:3023217600053'],
    ['joe&commat;example&period;com', 'email:joe&commat;example&period;com'],
    ['email=3Djoe@example.com&name=3DAnna', 'email:joe@example.com'],
    ['pesel=3D44051401359', 'pl_pesel:44051401359'],
    ['rodn=C3=A9 =C4=8D=C3=ADslo: 6310141123', 'cz_rc:6310141123'],
    ['Gr=C3=BC=C3=9Fe an joe=40example.com', 'email:joe=40example.com'],
    ['=3D card 4111 1111 11=\r\n11 1111', 'visa:4111 1111 11=\r\n11 1111'],
    ['=3D mail to joe@exam=\nple.com', 'email:joe@exam=\nple.com'],
    [`${'text '.repeat(11)}mail to joe@exam=\nple.com`, 'email:joe@exam=\nple.com'],
    ['Content-Transfer-Encoding: quoted-printable pesel:=2044051401359', 'pl_pesel:44051401359'],
    ['content-transfer-encoding: Quoted-Printable to:=20joe@example.com', 'email:joe@example.com'],
    ['"Content-Transfer-Encoding":"quoted-printable" joe=40163.com', 'email:joe=40163.com'],
    ['encoding=quoted-printable card=6011111111111117', 'discover:6011111111111117'],
    ['encoding=quoted-printable card:=4012888888881881', 'visa:4012888888881881'],
    ['Content-Transfer-Encoding: quoted-printable card=6011111111111117', 'discover:6011111111111117'],
    ['Content-Transfer-Encoding: quoted-printable card=4012-8888-8888-1881', 'visa:4012-8888-8888-1881'],
    ['joe=3D1 card=2200000000000004', 'mir:2200000000000004'],
    ['r\u010d: 710319\\/2745', 'cz_rc:710319\\/2745'],
    ['"rodn\\u00e9 \\u010d\\u00edslo":"710319\\/2745"', 'cz_rc:710319\\/2745'],
    [`${'주민등록번호'.normalize('NFD')} 8001011234560`, 'kr_rrn:8001011234560'],
    ['マイナンバー 812056734346'.normalize('NFD'), 'jp_my_number:812056734346'],
    [`${'numéro fiscal'.normalize('NFD')} : 3023217600053`, 'fr_nif:3023217600053'],
    ['{"url":"/2%20b","card":"4111 1111 1111 1111"}', 'visa:4111 1111 1111 1111'],
    ['GET /2%20b\n4111 1111 1111 1111', 'visa:4111 1111 1111 1111'],
    ['url=/2%20b,card=4111 1111 1111 1111', 'visa:4111 1111 1111 1111'],
    ['msg=declined%204111 1111 1111 1111', 'visa:4111 1111 1111 1111'],
    ['5%204111 1111 1111 1111', 'visa:4111 1111 1111 1111'],
    ['AB%2012%2034%2056%20C', 'gb_nino:AB%2012%2034%2056%20C'],
  ];
  for (const [text, finding] of positives)
    it(`The scanner finds ${JSON.stringify(finding)} in: ${JSON.stringify(text)}`, () =>
      expect(found(text)).to.deep.equal([finding]));

  const negatives = [
    'ssn=4412345611 age=44',
    'sha=3D44051401359 view=3D',
    'joe=40example.com',
    'ssn=20123456789',
    'quoted text, printable: pesel:=2044051401359',
    '4111 1111 11=\n11 1111',
    'width:&nbsp;123456782&nbsp;px',
    'a&b=1&nbsp=123456789',
    'GET /a\\/b\\/710319 2745',
    '\u001b[44051401359m pesel',
    '\u001b[2K\r98% 123456782/987654321',
    '#033 44051401359',
    'order_id=3D4111111111111111',
  ];
  for (const text of negatives)
    it(`The scanner finds nothing in: ${JSON.stringify(text)}`, () => expect(found(text)).to.deep.equal([]));
});
