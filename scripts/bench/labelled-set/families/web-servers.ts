import { html, url } from '../escapes.ts';
import type { Family } from '../family.ts';

/** nginx, Apache, HAProxy, Caddy, IIS, Envoy, load balancers and content networks. */
export const WEB_SERVERS: Family = {
  name: 'web servers',
  personal: [
    (v) =>
      `${v.ip()} - - [${v.clf()}] "GET /users/${v.email()}/orders?page=2 HTTP/1.1" 200 ${v.int(100, 9999)} "-" "Mozilla/5.0 (X11; Linux x86_64)"`,
    (v) => `${v.ip()} - - [${v.clf()}] "GET /reset?email=${url(v.email())}&token=${v.hex(40)} HTTP/2.0" 302 0`,
    (v) =>
      `${v.ip()} - ${v.email()} [${v.clf()}] "POST /api/orders HTTP/1.1" 201 ${v.int(100, 9999)} "-" "okhttp/4.12.0"`,
    (v) => {
      const { name, value } = v.idField();
      return `${v.ip()} - - [${v.clf()}] "GET /kyc/check?${url(name)}=${url(value)}&v=${v.version()} HTTP/1.1" 200 431 "-" "curl/8.5.0"`;
    },
    (v) =>
      `${v.isoSpace()} [error] ${v.pid()}#${v.pid()}: *${v.int(1000, 99999)} upstream timed out (110: Connection timed out), client: ${v.ip()}, server: ${v.host()}, request: "GET /login?user=${v.email()} HTTP/1.1", host: "${v.host()}"`,
    (v) =>
      `[${v.isoSpace()}] [php:error] [pid ${v.pid()}] [client ${v.ip()}:${v.port()}] PHP Warning: mail(): recipient <${v.email()}> refused in /srv/www/send.php on line ${v.int(10, 400)}`,
    (v) =>
      `{"level":"info","ts":${v.seconds()}.${v.digits(7)},"logger":"http.log.access","request":{"remote_ip":"${v.ip()}","method":"GET","uri":"/u?mail=${url(v.email())}"},"status":200,"duration":0.0${v.digits(6)}}`,
    (v) =>
      `${v.isoSpace()} ${v.ip()} POST /checkout - 443 ${v.email()} ${v.ip()} Mozilla/5.0+(Windows+NT+10.0) 200 0 0 ${v.ms()}`,
    (v) =>
      `[${v.iso()}] "POST /v1/payments?pan=${v.bareCard()} HTTP/2" 400 - via_upstream 87 ${v.int(10, 900)} ${v.ms()} 41 "${v.ip()}" "${v.uuid()}"`,
    (v) =>
      `${v.host()} ${v.ip()} - - [${v.clf()}] "GET /newsletter/unsubscribe/${url(v.email())} HTTP/1.1" 200 512 "https://${v.host()}/mail" "-"`,
    (v) => `<li>${html(`Contact: <${v.email()}>`)}</li> rendered in ${v.ms()} ms for ${v.ip()}`,
    (v) => {
      const { name, value } = v.cardField();
      return `haproxy[${v.pid()}]: ${v.ip()}:${v.port()} [${v.clf().slice(0, 20)}.123] fe~ be/${v.service()} 0/0/1/12/13 200 512 - - ---- "POST /pay?${url(name)}=${url(value)} HTTP/1.1"`;
    },
    (v) => `nginx: ${v.ip()} "GET /lookup/${v.idOf('it_cf')} HTTP/1.1" 404 153`,
    (v) =>
      `modsecurity: Warning. Matched "Operator 'Rx'" at ARGS:ssn. [data "found within ARGS:ssn: ${v.idOf('us_ssn')}"] [client ${v.ip()}]`,
    (v) =>
      `${v.ip()} - - [${v.clf()}] "GET /search?q=${url(`mailto:${v.email()}`)} HTTP/1.1" 200 ${v.int(100, 9999)} rt=0.${v.digits(3)} uct="0.001"`,
    (v) => `x_edge_location=WAW50 cs_uri_query=redirect=%2Faccount%3Femail%3D${url(url(v.email()))} sc_status=302`,
  ],
  lookalikes: [
    (v) =>
      `${v.ip()} - - [${v.clf()}] "GET /assets/logo@2x.png?v=${v.hex(8)} HTTP/1.1" 304 0 "https://${v.host()}/" "Mozilla/5.0"`,
    (v) =>
      `${v.ip()} - - [${v.clf()}] "GET /orders/${v.order()}/items/${v.snowflake()} HTTP/1.1" 200 ${v.int(100, 9999)}`,
    (v) =>
      `${v.ip()} - - [${v.clf()}] "GET /npm/@babel/core@${v.version()}/lib/index.js HTTP/2.0" 200 ${v.int(100, 99999)}`,
    (v) =>
      `${v.isoSpace()} [warn] ${v.pid()}#${v.pid()}: *${v.snowflake()} a client request body is buffered to a temporary file /var/lib/nginx/body/${v.digits(10)}, client: ${v.ip()}`,
    (v) =>
      `http ${v.iso()} app/web/${v.hex(16)} ${v.ip()}:${v.port()} ${v.ip()}:80 0.001 0.${v.digits(3)} 0.000 200 200 34 366 "GET http://${v.host()}:80/ HTTP/1.1" "curl/7.46.0" - - arn:aws:elasticloadbalancing:us-east-2:${v.digits(12)}:targetgroup/web/${v.hex(16)} "Root=1-${v.hex(8)}-${v.hex(24)}"`,
    (v) => `${v.ip()} - alice [${v.clf()}] "PROPFIND /dav/@me HTTP/1.1" 207 ${v.int(100, 9999)}`,
    (v) =>
      `[${v.isoSpace()}] [core:notice] [pid ${v.pid()}:tid ${v.digits(15)}] AH00094: Command line: '/usr/sbin/apache2'`,
    (v) =>
      `haproxy[${v.pid()}]: ${v.ip()}:${v.port()} [${v.clf().slice(0, 20)}.${v.digits(3)}] fe~ be/web${v.int(1, 9)} 0/0/${v.int(0, 9)}/${v.ms()}/${v.ms()} 200 ${v.int(100, 99999)} - - ---- 12/10/0/0/0 0/0 "GET / HTTP/1.1"`,
    (v) => `${v.ip()} - - [${v.clf()}] "GET /track?tracking_id=${v.unlabelledId()}&t=${v.millis()} HTTP/1.1" 204 0`,
    (v) => `${v.ip()} - - [${v.clf()}] "GET /static/app.${v.hex(20)}.js HTTP/2" 200 ${v.digits(6)} ${v.micros()}`,
    (v) =>
      `[${v.iso()}] "GET /@fs/src/main.ts?t=${v.millis()} HTTP/1.1" 200 - 0 ${v.int(10, 900)} 2 1 "-" "${v.uuid()}" "${v.host()}"`,
    (v) =>
      `client ${v.ip()}:${v.port()} sent etag "${v.hex(8)}-${v.hex(12)}" last-modified ${v.seconds()} range bytes=${v.digits(9)}-${v.digits(9)}`,
    (v) =>
      `cf-ray=${v.hex(16)}-WAW cf-cache-status=HIT age=${v.int(1, 99999)} x-request-id=${v.uuid()} upstream=${v.ip()}:${v.port()}`,
    (v) => `GET https://admin:${v.base64(12)}@${v.host()}/status 200 in ${v.ms()} ms`,
    (v) => `${v.ip()} - - [${v.clf()}] "GET /maps/@${v.coordinates()},15z HTTP/1.1" 200 ${v.int(100, 9999)}`,
    (v) =>
      `${v.isoSpace()} W3SVC1 ${v.host()} GET /default.aspx id=${v.uuid()} 443 - ${v.ip()} HTTP/2 200 0 64 ${v.digits(8)} ${v.digits(6)}`,
  ],
};
