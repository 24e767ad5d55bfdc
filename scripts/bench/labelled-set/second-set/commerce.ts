import { json } from '../escapes.ts';
import type { Family } from '../family.ts';
import { cardField, cardPhrase, idField } from './pairs.ts';

/** Shops, payment gateways, airlines, hotels, tickets, parcels. */
export const COMMERCE: Family = {
  name: 'commerce and travel',
  personal: [
    (v) =>
      `shopify webhook topic=orders/create shop=${v.host()} body={"id":${v.digits(13)},"email":"${v.email()}","total_price":"${v.amount()}","order_number":${v.int(1000, 99_999)}}`,
    (v) =>
      `main.INFO: Magento\\Sales\\Model\\Order::place increment_id=${v.digits(9)} customer_email=${v.email()} grand_total=${v.amount()} [] []`,
    (v) =>
      `WC_Gateway_Stripe: Processing response for order #${v.int(1000, 99_999)} (${v.email()}) status=succeeded pi_${v.base64(24)}`,
    (v) =>
      `[prestashop] PrestaShopLogger: Customer login: "${v.email()}" (id_customer ${v.int(1, 9999)}) from ${v.ip()}`,
    (v) => `salesforce-commerce: Basket ${v.hex(26)} assigned to guest <${v.email()}>, 3 items`,
    (v) =>
      `{"event":"charge.failed","data":{"object":{"billing_details":{"email":"${v.email()}","name":"A. N."},"receipt_number":"${v.int(1000, 9999)}-${v.int(1000, 9999)}"}}}`,
    cardField(
      (name, value, v) =>
        `POST /services/order HTTP/1.1 body: ${name}=${value}&expirationMonth=12&currency=EUR&amount=${v.amount()}`,
    ),
    cardField(
      (name, value, v) =>
        `<AuthRequest><MerchantRef>${v.digits(8)}</MerchantRef><${name.replaceAll('.', '_')}>${value}</${name.replaceAll('.', '_')}><Exp>2712</Exp></AuthRequest>`,
    ),
    cardPhrase(
      (name, value, v) => `POS terminal ${v.int(1, 99)} receipt: ${name} ${value} APPROVED auth ${v.digits(6)}`,
    ),
    cardPhrase(
      (name, value, v) => `chat transcript ${v.uuid()}: "hi, my ${name} is ${value} and it was charged twice"`,
    ),
    (v) =>
      `adyen-notification merchantReference=${v.order()} additionalData.cardNumber=${v.bareCard()} eventCode=AUTHORISATION`,
    (v) =>
      `iso8583 in: MTI=0100 F2=[${v.bareCard()}] F3=[000000] F4=[${v.digits(12)}] F11=[${v.digits(6)}] F41=[TERM${v.digits(4)}]`,
    (v) => `vpos> PAN <${v.card()}> 3DS=Y ECI=05 XID=${v.base64(27)}=`,
    (v) => `refund queue: ${v.card()},${v.amount()},EUR,${v.iso()},R-${v.int(1000, 9999)}`,
    (v) => `RemoteException: card '${v.card()}' is in the stop list, terminal=${v.digits(8)}`,
    (v) => `PNR ${v.base64(6).toUpperCase()} 1.DOE/JOHN MR  FOP CC VI ${v.bareCard()} EXP 12/27`,
    (v) =>
      `DCS passenger list flight LO${v.int(100, 999)} seat ${v.int(1, 40)}C contact ${v.email()} bag tag 0${v.digits(9)}`,
    (v) => `opera-pms: reservation ${v.digits(8)} guarantee card ${v.card()} arrival 2026-12-0${v.int(1, 9)}`,
    (v) => `booking confirmation ${v.digits(10)} e-mailed to ${v.email()}; PIN ${v.digits(4)}`,
    idField((name, value, v) => `checkin-kiosk DOCS APIS: nationality=XX ${name}=${value} gate=${v.int(1, 60)}`),
    idField(
      (name, value, v) =>
        `invoice-service "fiscal receipt" {"fiscal":{"${name}":"${value}","doc":"FS ${v.int(1, 9999)}/2026"}}`,
    ),
    (v) => `Zendesk ticket #${v.digits(6)}: requester "${v.email()}" cc=[${v.email()}, ${v.email()}] status=open`,
    (v) => `freshdesk.webhook ${json(json(`{"contact":{"email":"${v.email()}","phone":"${v.phone()}"}}`))}`,
    (v) => `eventbrite attendee.updated order_id=${v.digits(11)} profile.email=${v.email()} barcode=${v.digits(21)}`,
    (v) => `Mail queued: "Your tickets for order ${v.digits(9)}" => ${v.email()} (template=tickets.v3@de)`,
    (v) => `courier label: DHL ${v.digits(10)} notify ${v.email()}/${v.phone()}`,
    (v) => `klaviyo track "Placed Order" $email=${v.email()} $event_id=${v.digits(13)}`,
  ],
  lookalikes: [
    (v) => `shopify order gid://shopify/Order/${v.digits(13)} checkout_token=${v.hex(32)} total=${v.amount()}`,
    (v) => `UPS tracking 1Z999AA1${v.digits(10)} delivered at ${v.isoSpace()}`,
    (v) => `FedEx 1${v.digits(3)} ${v.digits(4)} ${v.digits(4)} in transit, weight ${v.amount()} kg`,
    (v) => `USPS 9400 1000 0000 0000 ${v.digits(4)} ${v.digits(2)} out for delivery`,
    (v) => `royal mail RM${v.digits(9)}GB scanned, parcelforce PB${v.digits(7)}001`,
    (v) => `GTIN 0${v.digits(12)} sku=SKU-${v.digits(6)}-XL stock=${v.int(0, 400)} price=${v.amount()}`,
    (v) => `isbn-13 978-3-${v.digits(2)}-${v.digits(6)}-${v.int(0, 9)} "Handbuch" shelf ${v.digits(4)}`,
    (v) => `e-ticket 220-${v.digits(10)} issued for PNR ${v.base64(6).toUpperCase()} fare ${v.amount()}`,
    (v) =>
      `payment_intent pi_${v.base64(24)} client_secret=pi_${v.base64(24)}_secret_${v.base64(25)} amount=${v.digits(5)}`,
    (v) => `card token tok_${v.base64(24)} fingerprint ${v.base64(16)} last4 ${v.digits(4)} brand visa exp 12/2029`,
    (v) => `masked PAN 411111******${v.digits(4)} rrn=${v.digits(12)} stan=${v.digits(6)} auth=${v.digits(6)}`,
    (v) => `card ending ${v.digits(4)} declined: insufficient_funds (bin ${v.digits(6)})`,
    (v) => `card XXXX-XXXX-XXXX-${v.digits(4)} stored as vault/${v.uuid()}`,
    (v) => `authorisation declined, card number ${v.wrongCard()} fails the Luhn check`,
    (v) => `coupon 5OFF-${v.digits(4)}-${v.digits(4)} gift card ****${v.digits(4)} balance ${v.amount()}`,
    (v) => `order ${v.order()} invoice FV/${v.int(1, 999)}/11/2026 total ${v.amount()} EUR paid by ${v.iban()}`,
    (v) => `warehouse pick list ${v.digits(10)} pallet (00)${v.digits(18)} dock ${v.int(1, 40)}`,
    (v) => `AWB 020-${v.digits(8)} ULD AKE${v.digits(5)}LH departed ${v.iso()}`,
    (v) => `returns: RMA ${v.digits(9)} order_id=${v.unlabelledId()} reason=size`,
    (v) => `newsletter: handle @shop_${v.int(1, 99)} mentions @alice and @bob at ${v.isoSpace()}`,
    (v) => `asset cdn/img/banner@2x.${v.hex(8)}.webp hero@3x.avif logo@1.5x.png cached`,
    (v) => `price 12 pcs @9.99 EUR, 3 pcs @ ${v.amount()} total ${v.amount()}`,
    (v) => `payout ${v.iban()} ref po_${v.base64(24)} amount ${v.amount()}`,
  ],
};
