import type { Family } from '../family.ts';
import { mark } from '../marks.ts';
import type { Values } from '../values.ts';

const hexRow = (v: Values): string =>
  `${v.hex(8)}  ${Array.from({ length: 16 }, () => v.pick(['30', '31', '34', '41', '11', '20', '38', '45', '52', v.hex(2)])).join(' ')}`;

/** A dump in words of two bytes: columns of four digits. */
const octalRow = (v: Values): string =>
  `${v.digits(7)} ${Array.from({ length: 8 }, () => v.pick(['4111', '1111', '4242', '3031', '5555', v.hex(4)])).join(' ')}`;

const masked = (v: Values): string => {
  const card = v.luhn('4', 16);
  return v.pick([
    `${card.slice(0, 6)}******${card.slice(-4)}`,
    `****-****-****-${card.slice(-4)}`,
    `${card.slice(0, 4)} XXXX XXXX ${card.slice(-4)}`,
  ]);
};

/** ISO 8583, tracks of cards, terminals, payment services. The data of a track is one extent. */
export const PAYMENTS: Family = {
  name: 'payments',
  personal: [
    (v) =>
      `<field id="2" value="${v.bareCard()}"/><field id="3" value="000000"/><field id="11" value="${v.digits(6)}"/><field id="37" value="${v.digits(12)}"/>`,
    (v) => `DE002 [LLVAR n..19] ${v.bareCard()} DE003 [n 6] 000000 DE011 ${v.digits(6)}`,
    (v) => `F2=${v.bareCard()}|F3=003000|F4=${v.digits(12)}|F7=${v.digits(10)}|F49=978`,
    (v) => mark('payment_card', `;${v.luhn('4', 16)}=2912101${v.digits(9)}?`),
    (v) => `track2=${mark('payment_card', `${v.luhn('51', 16)}=2912201${v.digits(8)}`)}`,
    (v) => mark('payment_card', `%B${v.luhn('2223', 16)}^NOVAK/JAN^2912101${v.digits(12)}?`),
    (v) => `TRACK1: ${mark('payment_card', `B${v.luhn('6011', 16)}^SILVA/MARIA A^30011010000000${v.digits(4)}`)}`,
    (v) => `field 35: ${mark('payment_card', `${v.luhn('55', 16)}D2912201${v.digits(8)}`)} mti 0200`,
    (v) =>
      `{"object":"charge","source":{"number":"${v.card()}","exp_month":12,"exp_year":2030},"amount":${v.int(100, 99999)}}`,
    (v) => `MERCHANT ${v.digits(8)} TERMINAL ${v.digits(8)} CARD ${v.card()} AUTH ${v.digits(6)}`,
    (v) => {
      const { name, value } = v.cardPhrase();
      return `Refund of ${v.amount()} EUR to ${name} ${value}.`;
    },
    (v) => {
      const { name, value } = v.cardField();
      return `"${name}": "${value}", "cvv": "***"`;
    },
    (v) => {
      const { name, value } = v.cardField();
      return `charge rejected: ${name}=${value}; currency=PLN; order=${v.order()}`;
    },
    (v) => `GET /cards/${v.bareCard()}/limits 403 ${v.ms()} ms`,
    (v) => `visa ${v.card()} approved, authorization ${v.digits(6)}`,
    (v) => `Paid with Mastercard: ${v.card()}, ${v.amount()} USD`,
    (v) => `chargeback ${v.order()} receipt_email=${v.email()} fingerprint=${v.base64(16)}`,
    (v) => `PAN: ${v.card()} EXP: 12/29`,
    (v) => `Zahlung mit Kreditkarte ${v.card()} abgelehnt`,
    (v) => `Płatność kartą ${v.card()} odrzucona`,
    (v) => `Paiement par carte bancaire ${v.card()} refusé`,
    (v) => `Pago con tarjeta de crédito ${v.card()} rechazado`,
    (v) => `оплата картой ${v.card()} отклонена`,
    (v) => `クレジットカード番号：${v.card()}`,
    (v) => `银行卡号：${v.card()}`,
    (v) => `payer ${v.email()} sent ${v.amount()} BRL, txid E${v.digits(8)}${v.compact()}${v.hex(11)}`,
  ],
  lookalikes: [
    (v) => `${hexRow(v)}  |0200.8.. 4111111|`,
    octalRow,
    (v) => octalRow(v).replaceAll(' ', '  '),
    (v) => `0x0000:  4500 0034 ${v.int(1000, 9999)} 4000 4006 ${v.int(1000, 9999)} 4111 1111 1111 1111 5018 0200`,
    (v) => `pan=${masked(v)} rrn=${v.digits(12)} stan=${v.digits(6)}`,
    (v) => `card ending ${v.int(1000, 9999)} declined, terminal ${v.digits(8)}`,
    (v) => `card number ${v.wrongCard()} fails Luhn`,
    (v) => {
      const { name } = v.cardField();
      return `${name}=${v.wrongCard()} rejected`;
    },
    (v) => `order_id=${v.luhn('4', 16)} stored`,
    (v) =>
      `<field id="37" value="${v.digits(12)}"/><field id="41" value="${v.digits(8)}"/><field id="42" value="${v.digits(15)}"/>`,
    (v) =>
      `{"id":"ch_${v.base64(24)}","amount":${v.int(100, 99999)},"created":${v.seconds()},"balance_transaction":"txn_${v.base64(24)}"}`,
    (v) => `SEPA ${v.iban()} EREF ${v.order()} amount ${v.amount()}`,
    (v) => `ARN ${v.digits(23)} settled ${v.compact()} batch ${v.digits(9)}`,
    (v) => `rate ${v.fraction()} fee ${v.amount()} id ${v.snowflake()}`,
    (v) => `Bitcoin tx ${v.hex(64)} to bc1q${v.hex(38)} amount 0.${v.digits(8)}`,
    (v) => `card BIN 411111 issuer range 4111110000 to 4111119999, version ${v.version()}`,
    (v) => `card.id=${v.uuid()} card.count=${v.int(1, 99)} updated=${v.millis()}`,
    (v) => `card session ${v.millis()} renewed until ${v.micros()}`,
    (v) => `EMV tag 9F26 ${v.hex(16).toUpperCase()} 9F10 ${v.hex(14).toUpperCase()} 95 0000008000`,
    (v) => `cardinality estimate ${v.digits(9)} of ${v.digits(12)} rows, discarded ${v.unlabelledId()}`,
    (v) => `${v.compact()} ${v.compact()} ${v.digits(6)} 0210 00 approved`,
    (v) => `masterdata export ${v.micros()} rows ${v.digits(12)} crc ${v.digits(10)}`,
    (v) => `bank account ${v.iban()}, sort code 12-34-56, amount ${v.amount()}`,
    (v) => `EAN ${v.luhn('4', 13)} price ${v.amount()}`,
    (v) => `IMEI ${v.imei()} ICCID 8948${v.digits(12)} provisioned`,
  ],
};
