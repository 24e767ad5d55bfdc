import { html, url } from '../escapes.ts';
import type { Family } from '../family.ts';

/** CSV, XML and SOAP, YAML, HL7, FHIR, EDI, forms, GraphQL, multipart bodies, cookies. */
export const DOCUMENTS: Family = {
  name: 'documents and forms',
  personal: [
    (v) => `${v.int(1, 9999)};Kowalska;Anna;${v.email()};${v.phone()};${v.isoSpace()}`,
    (v) => `"${v.int(1, 9999)}","Smith, John","${v.email()}","${v.amount()}"`,
    (v) => {
      const { name, value } = v.idField();
      return `row=${v.int(1, 9999)},name=Garcia,${name}=${value},city=Lyon`;
    },
    (v) =>
      `<soap:Body><ns2:GetUser><ns2:Email>${v.email()}</ns2:Email><ns2:RequestId>${v.uuid()}</ns2:RequestId></ns2:GetUser></soap:Body>`,
    (v) => {
      const { name, value } = v.idField();
      return `<Applicant><${name}>${value}</${name}><City>Praha</City></Applicant>`;
    },
    (v) => {
      const { name, value } = v.idField();
      return `<field name="${name}" value="${value}" type="string"/>`;
    },
    (v) => {
      const { name, value } = v.idField();
      return `applicant: {${name}: "${value}", age: 41} # imported ${v.iso()}`;
    },
    (v) => {
      const { name, value } = v.idPhrase();
      return `- ${name}: ${value}`;
    },
    (v) => `PID|1||${v.digits(6)}^^^HOSP^MR||SMITH^JOHN^A||19700101|M|||12 HIGH ST^^LEEDS||^NET^Internet^${v.email()}`,
    (v) =>
      `{"resourceType":"Patient","identifier":[{"system":"https://fhir.nhs.uk/Id/nhs-number","value":"${v.idOf('gb_nhs')}"}],"telecom":[{"system":"email","value":"${v.email()}"}]}`,
    (v) => `{"query":"mutation { invite(email: \\"${v.email()}\\") { id } }","variables":{}}`,
    (v) => {
      const { name, value } = v.idField();
      return `{"operationName":"Apply","variables":{"input":{"${name}":"${value}","consent":true}},"query":"mutation Apply($input: In!) { apply(input: $input) { id } }"}`;
    },
    (v) => {
      const { name, value } = v.idField();
      return `POST body: csrf=${v.hex(16)}&${url(name)}=${url(value)}&submit=Send`;
    },
    (v) => {
      const { name, value } = v.cardField();
      return `application/x-www-form-urlencoded amount=${v.amount()}&${url(name)}=${url(value)}&exp_month=12&exp_year=2029`;
    },
    (v) => `Content-Disposition: form-data; name="email"\\r\\n\\r\\n${v.email()}\\r\\n--boundary${v.hex(16)}`,
    (v) => `Cookie: sid=${v.hex(32)}; remember=${url(v.email())}; theme=dark`,
    (v) => `<a href="mailto:${v.email()}?subject=Hello">${html('Jan & Co')}</a>`,
    (v) => {
      const { name, value } = v.cardPhrase();
      return `<p><b>${html(name)}:</b> ${value}</p>`;
    },
    (v) => {
      const { name, value } = v.idPhrase();
      return `<td>${html(name)}</td><td>${value}</td>`;
    },
    (v) => `${v.email()}\t${v.seconds()}\t${v.ip()}\tPL\t${v.version()}`,
    (v) => `{"contacts":["${v.email()}","${v.email()}"],"cc":[],"total":2}`,
    (v) => `vcard: BEGIN:VCARD FN:Maria Silva EMAIL;TYPE=work:${v.email()} END:VCARD`,
  ],
  lookalikes: [
    (v) => `${v.int(1, 9999)};${v.uuid()};${v.order()};${v.iban()};${v.amount()};EUR;${v.isoSpace()}`,
    (v) => `<Timestamp wsu:Id="TS-${v.hex(32).toUpperCase()}"><Created>${v.iso()}</Created></Timestamp>`,
    (v) => `<wsse:BinarySecurityToken>${v.base64(60)}==</wsse:BinarySecurityToken><serial>${v.digits(19)}</serial>`,
    (v) => `UNB+UNOC:3+${v.digits(13)}:14+${v.digits(13)}:14+261123:0915+${v.digits(9)}'`,
    (v) => `MSH|^~\\&|LAB|HOSP|EHR|HOSP|${v.compact()}||ORU^R01|${v.digits(10)}|P|2.5.1`,
    (v) => `{"query":"query { order(id: \\"${v.unlabelledId()}\\") { total } }"}`,
    (v) => `order_id=${v.unlabelledId()}&amount=${v.amount()}&ts=${v.millis()}&sig=${v.hex(64)}`,
    (v) => `{"product_id":"${v.unlabelledId()}","sku":"${v.hex(8).toUpperCase()}","qty":${v.int(1, 9)}}`,
    (v) => `image: registry.example.com/${v.service()}:${v.version()} # build ${v.digits(10)} at ${v.millis()}`,
    (v) => `ISBN 978-${v.int(1, 9)}-${v.digits(4)}-${v.digits(4)}-${v.int(0, 9)} in stock, article ${v.unlabelledId()}`,
    (v) => `Cookie: _ga=GA1.2.${v.digits(9)}.${v.seconds()}; sid=${v.hex(32)}; _fbp=fb.1.${v.millis()}.${v.digits(10)}`,
    (v) => `IBAN ${v.iban()} BIC INGBNL2A amount ${v.amount()}`,
    (v) => `phone: ${v.phone()} fax: ${v.phone()}`,
    (v) => {
      const { name, value } = v.wrongIdField();
      return `<error field="${name}" value="${value}">check digit</error>`;
    },
    (v) => {
      const { name, value } = v.wrongIdPhrase();
      return `- ${name}: ${value} # rejected`;
    },
    (v) =>
      `<link rel="preload" href="/fonts/inter@3x.woff2?v=${v.version()}" as="font"> <img srcset="hero@2x.webp 2x">`,
    (v) => `ISIN US${v.digits(10)} CUSIP ${v.digits(9)} LEI ${v.digits(4)}00${v.hex(14).toUpperCase()}`,
    (v) => `lat,lon,alt,ts ${v.coordinates()},${v.int(1, 900)},${v.millis()}`,
    (v) =>
      `<svg viewBox="0 0 ${v.int(10, 900)} 24"><path d="M${v.int(1, 90)}.${v.digits(4)} ${v.int(1, 90)}.${v.digits(4)}l-${v.int(1, 90)}.${v.digits(3)}"/></svg>`,
    (v) => `{"x":${v.fraction()},"y":-${v.fraction()},"z":1.${v.digits(9)}e-05}`,
    (v) => `VIN WDB${v.digits(14)} plate ${v.base64(2).toUpperCase()} ${v.digits(5)}`,
    (v) => `tracking 1Z${v.hex(6).toUpperCase()}${v.digits(10)}, parcel JD${v.digits(18)}, EAN ${v.digits(13)}`,
    (v) => `DTSTART:${v.compact()}Z DTEND:${v.compact()}Z X-WR-TIMEZONE:Europe/Warsaw RRULE:FREQ=DAILY`,
  ],
};
