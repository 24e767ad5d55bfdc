import { json, phpJson } from '../escapes.ts';
import type { Family } from '../family.ts';

/** Python, Django, Celery, Rails, Laravel, Symfony, Node.js, Perl. */
export const SCRIPTING: Family = {
  name: 'scripting languages',
  personal: [
    (v) => `${v.isoComma()} - ${v.service()}.views - INFO - Sending activation mail to ${v.email()}`,
    (v) => `INFO:root:{'user': '${v.email()}', 'ip': '${v.ip()}', 'ts': ${v.seconds()}.${v.digits(6)}}`,
    (v) => {
      const { name, value } = v.idField();
      return `WARNING ${v.isoSpace()} forms ${v.pid()} ${v.digits(15)} Rejected form: {'${name}': ['${value}'], 'csrf': ['${v.base64(32)}']}`;
    },
    (v) =>
      `[${v.isoComma()}: INFO/ForkPoolWorker-${v.int(1, 9)}] Task crm.mail[${v.uuid()}] args=('${v.email()}',) succeeded in 0.${v.digits(12)}s: None`,
    (v) =>
      `I, [${v.iso().slice(0, 23)} #${v.pid()}]  INFO -- : [${v.uuid()}]   Parameters: {"user"=>{"email"=>"${v.email()}", "password"=>"[FILTERED]"}, "commit"=>"Sign in"}`,
    (v) => {
      const { name, value } = v.idField();
      return `Parameters: {"applicant"=>{"${name}"=>"${value}", "city"=>"Porto"}, "utf8"=>"✓"}`;
    },
    (v) =>
      `  User Load (0.${v.int(1, 9)}ms)  SELECT "users".* FROM "users" WHERE "users"."email" = $1 LIMIT $2  [["email", "${v.email()}"], ["LIMIT", 1]]`,
    (v) =>
      `[${v.isoSpace()}] production.ERROR: Address in mailbox given [${v.email()}] does not comply {"userId":${v.int(1, 9999)},"exception":"[object] (Swift_RfcComplianceException(code: 0)"}`,
    (v) => {
      const { name, value } = v.idPhrase();
      return `[${v.iso()}] app.INFO: ${phpJson(`Klient ${name}: `)}${value} zapisany {"url":"https:\\/\\/${v.host()}\\/crm"} []`;
    },
    (v) =>
      `{"level":30,"time":${v.millis()},"pid":${v.pid()},"hostname":"${v.host()}","reqId":"${v.uuid()}","msg":"${json(`mail queued for "${v.email()}"`)}"}`,
    (v) => {
      const { name, value } = v.cardField();
      return `{"level":"warn","message":"payload rejected","body":{"${name}":"${value}","cvc":"***"},"timestamp":"${v.iso()}"}`;
    },
    (v) =>
      `Traceback (most recent call last): File "/srv/app/tasks.py", line ${v.int(10, 400)}, in send ValueError: no account for '${v.email()}'`,
    (v) => `smtplib.SMTPRecipientsRefused: {'${v.email()}': (550, b'5.1.1 User unknown')}`,
    (v) => `[${v.isoSpace()}] local.DEBUG: select * from "clients" where "email" = ? ["${v.email()}"] ${v.ms()}ms`,
    (v) => {
      const { name, value } = v.idPhrase();
      return `${v.isoComma()} ERROR importer:${v.int(10, 400)} row ${v.int(1, 9999)}: ${name} = ${value} is not unique`;
    },
    (v) =>
      `Use of uninitialized value $phone for ${v.email()} in concatenation (.) or string at /opt/crm/export.pl line ${v.int(10, 400)}.`,
  ],
  lookalikes: [
    (v) =>
      `${v.isoComma()} DEBUG urllib3.connectionpool https://${v.host()}:443 "GET /v2/items/${v.snowflake()} HTTP/1.1" 200 ${v.int(10, 9999)}`,
    (v) => `npm warn deprecated har-validator@${v.version()}: this library is no longer supported`,
    (v) =>
      `added @types/node@${v.version()}, lodash@${v.version()}, react-dom@${v.version()} and ${v.int(10, 900)} packages in ${v.int(1, 60)}s`,
    (v) => `<celery.backends.redis.RedisBackend object at 0x${v.hex(12)}> key celery-task-meta-${v.uuid()}`,
    (v) =>
      `I, [${v.iso().slice(0, 19)}.${v.digits(6)} #${v.pid()}]  INFO -- : Completed 200 OK in ${v.ms()}ms (Views: ${v.int(1, 90)}.${v.int(0, 9)}ms | Allocations: ${v.digits(9)})`,
    (v) =>
      `{"level":30,"time":${v.millis()},"pid":${v.pid()},"orderId":"${v.unlabelledId()}","durationNs":${v.nanos()},"msg":"order stored"}`,
    (v) =>
      `(node:${v.pid()}) [DEP0040] DeprecationWarning: at Object.<anonymous> (/app/node_modules/.pnpm/punycode@${v.version()}/node_modules/punycode/index.js:1:${v.int(1, 99)})`,
    (v) => `//# sourceMappingURL=data@main.map chunk ${v.hex(20)} ${v.digits(9)} bytes`,
    (v) =>
      `[${v.isoSpace()}] production.INFO: job ${v.uuid()} attempt 2 of 3, available_at ${v.seconds()}, reserved_at ${v.seconds()}`,
    (v) => `${v.isoComma()} INFO pandas: float column mean 0.${v.digits(16)} std 0.${v.digits(16)}`,
    (v) => {
      const { name, value } = v.wrongIdPhrase();
      return `[${v.isoSpace()}] production.WARNING: ${name} ${value} invalid`;
    },
    (v) => `pip install ledger @ git+ssh://git@github.com/example/ledger@v${v.version()} --hash=sha256:${v.hex(64)}`,
    (v) => `W, rubygems: nokogiri@${v.version()} (x86_64-linux) sha ${v.hex(40)}, ${v.int(1000000, 9999999)} downloads`,
    (v) => `GET /api/orders?order_id=${v.unlabelledId()} 200 ${v.ms()}.${v.digits(3)} ms - ${v.int(10, 9999)}`,
    (v) => `seed=${v.digits(9)} lr=0.${v.digits(8)} step=${v.digits(7)} loss=${v.int(0, 9)}.${v.digits(15)}`,
    (v) => `Twitter mention by @${v.login()} in status ${v.snowflake()}, replied to @${v.login()}`,
  ],
};
