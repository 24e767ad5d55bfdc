import { asciiJson, html, json, phpJson, quotedPrintable, url } from '../escapes.ts';
import type { Family } from '../family.ts';
import { cardField, cardPhrase, idField, idPhrase } from './pairs.ts';

/** Files, requests and events in the formats in which services exchange them. */
export const FORMATS: Family = {
  name: 'formats',
  personal: [
    idField((name, value) => `config dump: person:\\n  ${name}: "${value}"\\n  active: true`),
    idField((name, value, v) => `yaml> - id: ${v.int(1, 99)}\\n    ${name}: ${value}\\n    note: ~`),
    idField((name, value, v) => `toml: [applicant]\\n"${name}" = "${value}"\\ncreated = ${v.iso()}`),
    idField((name, value) => `[applicant]; ${name} = ${value}; locale=en`),
    idField((name, value, v) => `header: id;${name};amount / row: ${v.int(1, 99)};${value};${v.amount()}`),
    idField((name, value, v) => `${name},${value},${v.iso().slice(0, 10)},OK`),
    idField((name, value, v) => `${name}\t${value}\t${v.amount()}\tEUR`),
    idField((name, value, v) => `"${name}";"${value}";"${v.amount()}"`),
    idField((name, value, v) => `<field name="${name}">${value}</field><field name="step">${v.int(1, 9)}</field>`),
    idField((name, value) => `<person ${name.replaceAll('.', '-')}="${value}" active="true"/>`),
    idField((name, value) => `<attribute><name>${name}</name><value>${value}</value></attribute>`),
    idField(
      (name, value) =>
        `<saml:Attribute Name="urn:${name}"><saml:AttributeValue>${value}</saml:AttributeValue></saml:Attribute>`,
    ),
    idField((name, value) => html(`<input name="${name}" value="${value}">`)),
    idField((name, value) => `<tr><td>${name}</td><td>${value}</td></tr>`),
    idField(
      (name, value, v) =>
        `--${v.hex(16)}\\r\\nContent-Disposition: form-data; name="${name}"\\r\\n\\r\\n${value}\\r\\n--${v.hex(16)}--`,
    ),
    idField((name, value) => `{"name":"${name}","value":"${value}"},{"name":"step","value":"2"}`),
    idField(
      (name, value, v) =>
        `{"request":{"method":"POST","postData":{"params":[{"name":"${name}","value":"${value}"}]}},"time":${v.ms()}}`,
    ),
    idField((name, value) => `{"field":"${name}","rejectedValue":"${value}","code":"Pattern"}`),
    idField((name, value, v) => phpJson(`{"url":"https://${v.host()}/x","${name}":"${value}"}`)),
    idField((name, value) => json(json(json(`{"${name}":"${value}"}`)))),
    idField(
      (name, value, v) =>
        `"GET /people?${url(name)}=${url(value)}&page=1 HTTP/2.0" 200 ${v.int(10, 9999)} "-" "Mozilla/5.0"`,
    ),
    idField(
      (name, value, v) =>
        `${v.ip()} - - [${v.clf()}] "POST /api/verify?step=2&${name}=${value} HTTP/1.1" 422 ${v.int(10, 999)}`,
    ),
    idField(
      (name, value, v) =>
        `<134>1 ${v.iso()} ${v.host()} kyc ${v.pid()} ID47 [applicant@32473 ${name}="${value}"] check failed`,
    ),
    idField((name, value, v) => `CEF:0|Acme|KYC|${v.version()}|42|check|5|cs1Label=${name} cs1=${value} src=${v.ip()}`),
    idField(
      (name, value, v) => `level=warn msg="document rejected" ${name}=${value} attempt=${v.int(1, 9)} dur=${v.ms()}ms`,
    ),
    idField((name, value, v) => `level=warn msg="bad value" field=${name} value=${value} attempt=${v.int(1, 9)}`),
    idPhrase((name, value) => asciiJson(`{"note":"${name}: ${value}"}`)),
    idPhrase((name, value) => quotedPrintable(`${name}: ${value}`)),
    idPhrase((name, value) => html(`<p>${name}: <b>${value}</b></p>`)),
    idPhrase((name, value) => `<p>${name}:&nbsp;${value}</p>`),
    idPhrase((name, value) => `| ${name} | ${value} |`),
    idPhrase((name, value) => `**${name}:** ${value}`),
    idPhrase((name, value, v) => `* ${name} - ${value} (page ${v.int(1, 9)})`),
    idPhrase((name, value) => `${name}\u00a0${value}`),
    idPhrase((name, value) => `${name.normalize('NFD')}: ${value}`),
    idPhrase((name, value) => `[${name}] ${value}`),
    idPhrase((name, value) => `${name} = «${value}»`),
    idPhrase((name, value) => `"${name}" : "${value}"`),
    idPhrase((name, value) => `(${name} ${value})`),
    cardField((name, value) => `"${name}";"${value}";"10/27"`),
    cardField(
      (name, value) =>
        `<${name.replaceAll('.', '_')} type="string"><![CDATA[${value}]]></${name.replaceAll('.', '_')}>`,
    ),
    cardField((name, value) => `step=pay&${name}=${value.replaceAll(' ', '+')}&exp=10%2F27`),
    cardPhrase((name, value) => `<td>${name}</td><td>${value}</td>`),
    cardPhrase((name, value) => quotedPrintable(`${name} = ${value}`)),
    (v) => `{"pan":${v.bareCard()},"exp":"10/27"}`,
    (v) => `data:\\n  to: ${v.email()}\\n  cc:\\n    - ${v.email()}\\n  subject: hello`,
    (v) => `smtp.from = "${v.email()}" # default sender`,
    (v) => `;reply-to=${v.email()};charset=utf-8`,
    (v) => `${v.int(1, 99)}\t${v.email()}\tactive\t${v.isoSpace()}`,
    (v) => `Cookie: sid=${v.hex(32)}; remember_me=${url(v.email().replace('@', '%40'))}`,
    (v) => `"GET /unsubscribe?e=${v.email()}&t=${v.hex(16)} HTTP/1.1" 200 12`,
    (v) => `"GET /users/${v.email()}/avatar.png HTTP/1.1" 304 0`,
    (v) =>
      `BEGIN:VEVENT\\nUID:${v.uuid()}\\nORGANIZER;CN=A N:mailto:${v.email()}\\nATTENDEE;RSVP=TRUE:mailto:${v.email()}`,
    (v) => `BEGIN:VCARD\\nVERSION:3.0\\nEMAIL;TYPE=INTERNET:${v.email()}\\nTEL:${v.phone()}\\nEND:VCARD`,
    (v) => `LEEF:1.0|Acme|Mail|${v.version()}|block|src=${v.ip()}\tusrName=${v.email()}\tsev=5`,
    (v) => `<a href="mailto:${v.email()}?subject=Hi">${v.email()}</a>`,
    (v) => `&lt;${v.email()}&gt; wrote: &quot;ok&quot;`,
    (v) => `\\u003c${v.email()}\\u003e accepted`,
  ],
  lookalikes: [
    (v) =>
      `config: retry: {max: ${v.int(1, 9)}, ids: [${v.digits(11)}, ${v.digits(11)}]}\\n  order_id: ${v.unlabelledId()}`,
    (v) => `header: order_no;sku;amount / row: ${v.order()};${v.digits(9)};${v.amount()}`,
    (v) => `${v.unlabelledId()},${v.iso()},${v.digits(9)},OK`,
    (v) => `"GET /orders/${v.digits(18)}?session_id=${v.digits(16)}&_=${v.millis()} HTTP/1.1" 200 12`,
    (v) => `"GET /static/js/main.${v.hex(8)}.chunk.js?v=${v.compact()} HTTP/2.0" 200 ${v.int(1000, 99_999)}`,
    (v) =>
      `Cookie: _ga=GA1.2.${v.digits(10)}.${v.seconds()}; _fbp=fb.1.${v.millis()}.${v.digits(10)}; sid=s%3A${v.base64(32)}`,
    (v) => `If-None-Match: W/"${v.hex(8)}-${v.hex(11)}" Cf-Ray: ${v.hex(16)}-WAW X-Request-Id: ${v.uuid()}`,
    (v) => `Authorization: Bearer eyJ${v.base64(60)}.eyJ${v.base64(80)}.${v.base64(43)}`,
    (v) => `BEGIN:VEVENT\\nUID:${v.hex(26)}@google.com\\nDTSTAMP:20261123T${v.digits(6)}Z\\nSEQUENCE:${v.int(0, 9)}`,
    (v) => `UID:${v.compact()}T${v.digits(6)}-${v.digits(5)}@calendar.example.org\\nSUMMARY:Standup`,
    (v) => `<134>1 ${v.iso()} ${v.host()} app ${v.pid()} ID47 [origin@32473 ip="${v.ip()}" seq="${v.digits(11)}"] ok`,
    (v) =>
      `CEF:0|Acme|FW|${v.version()}|7|deny|3|cs1Label=ruleId cs1=${v.unlabelledId()} cn1=${v.digits(10)} src=${v.ip()}`,
    (v) => `level=info msg=done order_id=${v.unlabelledId()} dur=${v.ms()}ms trace=${v.trace()}`,
    (v) => `level=info msg="value ok" field=order_id value=${v.unlabelledId()}`,
    (v) => `{"name":"orderId","value":"${v.unlabelledId()}"},{"name":"ts","value":"${v.millis()}"}`,
    (v) => `<invoice number="${v.digits(12)}" ean="${v.digits(12)}" date="2026-11-23"/>`,
    (v) => `| order | ${v.order()} | ${v.isoSpace()} |`,
    (v) => `@media (min-width: 640px) @import url(x@2x.css) @supports @font-face line ${v.int(1, 999)}`,
    (v) => `%YAML 1.2 anchors &id${v.digits(3)} *id${v.digits(3)} !!int ${v.digits(11)}`,
    (v) => `phones: ${v.phone()}, ${v.phone()}, fax ${v.phone()}`,
    (v) => `iban=${v.iban()} bic=INGBPLPW amount=${v.amount()}`,
    (v) => `${v.mac()} ${v.ip6()} ${v.uuid()} ${v.nanos()} ${v.version()}`,
    (v) => `MD5 (${v.service()}.iso) = ${v.hex(32)}; SHA256 = ${v.hex(64)}; crc32 ${v.digits(10)}`,
    (v) => `cid:image${v.digits(3)}.png@01D9${v.hex(4).toUpperCase()}.${v.hex(8).toUpperCase()} inline`,
    (v) => `proxy http://user:${v.base64(8)}@${v.host()}:3128/`,
    (v) => `tel:+48${v.digits(9)} geo:${v.coordinates()} isbn:978${v.digits(10)} doi:10.${v.digits(4)}/${v.digits(8)}`,
    (v) => `color #${v.hex(6)} frame ${v.digits(4)}x${v.digits(4)} pts ${v.digits(10)} dts ${v.digits(10)}`,
  ],
};
