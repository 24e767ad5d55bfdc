import { ansi, asciiJson, html, json, phpJson, quotedPrintable, url } from '../escapes.ts';
import type { Family } from '../family.ts';

/** Colours of terminals, escapes within escapes, invisible characters, other decimal digits. */
export const ESCAPED: Family = {
  name: 'escapes',
  personal: [
    (v) => {
      const { name, value } = v.idField();
      return `${ansi(36, name)}=${value} ${ansi(36, 'status')}=rejected`;
    },
    (v) => {
      const { name, value } = v.idField();
      return `${ansi(2, v.iso())} ${ansi(33, 'WARN')} ${name}=${ansi(1, value)}`;
    },
    (v) => `${ansi(32, 'INFO')} ${ansi(2, 'mailer')}: sent to ${ansi(34, v.email())}`,
    (v) => `${ansi(90, `[${v.isoSpace()}]`)} ${ansi(36, 'card')}=${ansi(32, v.card())}`,
    (v) => {
      const { name, value } = v.idField();
      return json(`{"${name}":"${value}","ok":false}`);
    },
    (v) => {
      const { name, value } = v.idField();
      return `{"payload":"${json(json(`{"${name}":"${value}"}`))}"}`;
    },
    (v) => {
      const { name, value } = v.idField();
      return `{"${name}":{"type":"string","value":"${value}"}}`;
    },
    (v) => {
      const { name, value } = v.idPhrase();
      return `${html(name)}:&nbsp;${value}<br>`;
    },
    (v) => {
      const { name, value } = v.idPhrase();
      return `${quotedPrintable(name)}=3D${value}`;
    },
    (v) => {
      const { name, value } = v.idPhrase();
      return `${quotedPrintable(`${name}: `)}${value}${quotedPrintable(' – Grüße')}`;
    },
    (v) => {
      const { name, value } = v.idPhrase();
      return `${name.normalize('NFD')}: ${value}`;
    },
    (v) => {
      const { name, value } = v.idPhrase();
      return `"${phpJson(name)}":"${value}"`;
    },
    (v) => {
      const { name, value } = v.idPhrase();
      return `{"note":"${asciiJson(`${name} `)}${value}"}`;
    },
    (v) => {
      const { name, value } = v.idField();
      return `q=${url(`{"${name}":"${value}"}`)}`;
    },
    (v) => `email=3D${v.email()}&name=3DAnna`,
    (v) => `{"email":"${v.email().replace('@', '\\u0040')}","v":1}`,
    (v) => `contact &lt;${v.email().replace('@', '&#64;')}&gt; saved`,
    (v) => json(json(`{"to":"${v.email()}"}`)),
    (v) => `card:\u00a0${v.card()}\u00a0declined`,
    (v) => {
      const { name, value } = v.idPhrase();
      return `${name}\u00a0${value}`;
    },
    (v) => `\\tuser:\\t${v.email()}\\n`,
    (v) => `"\\"Anna\\" \\u003c${v.email()}\\u003e"`,
    (v) => {
      const { name, value } = v.idField();
      return `map[${name}:${value}]`;
    },
    (v) => {
      const { name, value } = v.idField();
      return `:${name} => "${value}", :created_at => ${v.iso()}`;
    },
    (v) => {
      const { name, value } = v.idField();
      return `['${name}'] => string(14) "${value}"`;
    },
    (v) => `pesel${v.idOf('pl_pesel')}`,
    (v) => `SSN:${v.idOf('us_ssn')};DOB:withheld`,
    (v) => `CPF${v.idOf('br_cpf')}`,
    (v) => `カード番号「${v.card()}」`,
    (v) => {
      const { name, value } = v.idPhrase();
      return `**${name}**: \`${value}\``;
    },
    (v) => {
      const { name, value } = v.idPhrase();
      return `${name} (${value})`;
    },
    (v) => `ｃａｒｄ ${v.bareCard().replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)))}`,
  ],
  lookalikes: [
    (v) => `${ansi(36, 'trace_id')}=${v.trace()} ${ansi(36, 'elapsed')}=${v.int(1, 900)}ms`,
    (v) => `${ansi(33, 'order_id')}=${ansi(1, v.unlabelledId())} ${ansi(2, v.iso())}`,
    (v) => `${ansi(2, v.millis())} ${ansi(32, 'npm')} install left-pad@${v.version()}`,
    (v) => {
      const { name, value } = v.wrongIdField();
      return `${ansi(31, name)}=${value}`;
    },
    (v) => json(`{"order_id":"${v.unlabelledId()}","at":${v.millis()}}`),
    (v) => json(json(`{"id":"${v.uuid()}","hash":"${v.hex(40)}"}`)),
    (v) => `{"user_id":{"type":"string","value":"${v.unlabelledId()}"}}`,
    (v) => quotedPrintable(`Größe: ${v.digits(9)} Bytes = ${v.fraction()}`),
    (v) => `=?utf-8?B?${v.base64(40)}=?= =?utf-8?Q?=C3=A9t=C3=A9?=`,
    (v) => `q=${url(`{"orderId":"${v.unlabelledId()}","ts":${v.millis()}}`)}`,
    (v) => `data:image/png;base64,${v.base64(80)}==`,
    (v) => `width:&nbsp;${v.digits(9)}&nbsp;px`,
    (v) => {
      const { name, value } = v.wrongIdField();
      return `{"${name}":{"type":"string","value":"${value}"}}`;
    },
    (v) => `eyJ${v.base64(30)}.eyJ${v.base64(60)}.${v.base64(43)}`,
    (v) => `:device_id => "${v.unlabelledId()}", :imei => "${v.imei()}"`,
    (v) => `map[order_id:${v.unlabelledId()} trace:${v.hex(16)}]`,
    (v) => `\\x1b[2K\\r${v.int(1, 100)}% ${v.digits(9)}/${v.digits(9)}`,
    (v) => `"\\u0000\\u0001${v.hex(8)}\\u001f" ${v.digits(10)}`,
  ],
};
