import { goJson } from '../escapes.ts';
import type { Family } from '../family.ts';

/** zap, slog, logfmt, klog; Serilog, NLog, ASP.NET Core. */
export const GO_AND_DOTNET: Family = {
  name: 'Go and .NET',
  personal: [
    (v) =>
      `{"level":"info","ts":${v.seconds()}.${v.digits(7)},"caller":"mail/send.go:${v.int(10, 400)}","msg":"sent","to":"${goJson(`Anna <${v.email()}>`)}","id":"${v.uuid()}"}`,
    (v) => `time=${v.iso()} level=INFO msg="user created" email=${v.email()} trace_id=${v.trace()}`,
    (v) => {
      const { name, value } = v.idField();
      return `time=${v.iso()} level=WARN msg="document rejected" ${name}="${value}" attempt=${v.int(1, 9)} duration=${v.ms()}ms`;
    },
    (v) => {
      const { name, value } = v.cardField();
      return `ts=${v.iso()} level=error component=psp err="invalid expiry" ${name}="${value}" amount=${v.amount()}`;
    },
    (v) =>
      `I${v.digits(4)} ${v.iso().slice(11, 19)}.${v.digits(6)}       1 handler.go:${v.int(10, 400)}] "Invite sent" to="${v.email()}" team="ops"`,
    (v) =>
      `panic: no such user: ${v.email()} goroutine ${v.int(1, 900)} [running]: main.main() /src/main.go:${v.int(10, 400)} +0x${v.hex(3)}`,
    (v) =>
      `{"@t":"${v.iso()}","@mt":"User {Email} signed in from {Ip}","Email":"${v.email()}","Ip":"${v.ip()}","@tr":"${v.trace()}","@sp":"${v.span()}"}`,
    (v) => {
      const { name, value } = v.idField();
      return `[${v.iso().slice(11, 19)} INF] Processing applicant {"${name}": "${value}", "Country": "n/a"} in ${v.int(1, 90)}.${v.digits(4)} ms`;
    },
    (v) =>
      `${v.isoSpace()}.${v.digits(4)}|${v.int(1, 99)}|ERROR|Crm.Mailer|System.FormatException: The specified string '${v.email()}' is not in the form required|url: https://${v.host()}/crm`,
    (v) =>
      `info: Microsoft.EntityFrameworkCore.Database.Command[20101] Executed DbCommand (${v.ms()}ms) [Parameters=[@__email_0='${v.email()}' (Size = 256)], CommandType='Text']`,
    (v) => {
      const { name, value } = v.idPhrase();
      return `warn: Kyc.Worker[${v.int(0, 99)}] Record has ${name} '${value}' twice`;
    },
    (v) =>
      `level=info ts=${v.iso()} caller=main.go:${v.int(10, 400)} user=${v.email()} method=GET path=/api status=200`,
    (v) =>
      `http: TLS handshake error from ${v.ip()}:${v.port()}: client certificate subject E=${v.email()},CN=Anna,O=Example`,
    (v) =>
      `{"time":"${v.iso()}","level":"DEBUG","msg":"charge","card":{"pan":"${v.bareCard()}","exp":"12/29"},"rrn":"${v.digits(12)}"}`,
    (v) =>
      `fail: Pay.Api[0] Unhandled: CardDeclinedException: ${v.card()} at Pay.Api.Charge(Request r) in /src/Charge.cs:line ${v.int(10, 400)}`,
    (v) => `&{Name:Anna Email:${v.email()} Age:${v.int(18, 90)} Hash:${v.hex(16)}}`,
  ],
  lookalikes: [
    (v) =>
      `{"level":"info","ts":${v.seconds()}.${v.digits(7)},"msg":"gc","pause_ns":${v.nanos()},"heap":${v.digits(11)}}`,
    (v) => `go: downloading github.com/aws/aws-sdk-go@v${v.version()}`,
    (v) =>
      `time=${v.iso()} level=INFO msg="block committed" height=${v.digits(9)} hash=0x${v.hex(64)} trace_id=${v.digits(18)}`,
    (v) =>
      `E${v.digits(4)} ${v.iso().slice(11, 19)}.${v.digits(6)} ${v.pid()} reflector.go:${v.int(10, 400)}] k8s.io/client-go@v${v.version()}/tools/cache/reflector.go:231: Failed to watch`,
    (v) =>
      `goroutine ${v.int(1, 900)} [select]: net/http.(*persistConn).writeLoop(0x${v.hex(12)}) created by net/http.(*Transport).dialConn in goroutine ${v.int(1, 900)}`,
    (v) =>
      `{"@t":"${v.iso()}","@mt":"Order {OrderId} took {Elapsed}","OrderId":"${v.unlabelledId()}","Elapsed":${v.int(1, 900)}.${v.digits(10)}}`,
    (v) =>
      `info: Microsoft.AspNetCore.Hosting.Diagnostics[2] Request finished HTTP/2 GET https://${v.host()}/api/items/${v.digits(10)} - 200 ${v.digits(5)} application/json ${v.int(1, 90)}.${v.digits(4)}ms`,
    (v) =>
      `${v.isoSpace()}.${v.digits(4)}|${v.int(1, 99)}|DEBUG|Ledger.Sync|ticks 63${v.digits(16)} sequence ${v.snowflake()}`,
    (v) =>
      `ts=${v.iso()} level=debug component=tsdb msg="write block" mint=${v.millis()} maxt=${v.millis()} ulid=01${v.hex(24).toUpperCase()}`,
    (v) => `Assembly Version=${v.version()}.0, Culture=neutral, PublicKeyToken=${v.hex(16)}, checksum ${v.digits(15)}`,
    (v) =>
      `The thread 0x${v.hex(4)} has exited with code 0 (0x0). Correlation ${v.uuid()} request ${v.hex(13).toUpperCase()}:0000000${v.int(1, 9)}`,
    (v) => `level=info msg="peer connected" peer=${v.hex(66)}@${v.ip()}:${v.port()} inbound=false`,
    (v) => {
      const { name, value } = v.wrongIdField();
      return `time=${v.iso()} level=WARN msg="bad check digit" ${name}="${value}"`;
    },
    (v) => `time=${v.iso()} level=INFO msg=upload device_id=${v.unlabelledId()} bytes=${v.digits(10)} imei=${v.imei()}`,
    (v) =>
      `require (\n\tgolang.org/x/net v${v.version()} // indirect\n) => golang.org/x/net@v0.0.0-${v.compact()}-${v.hex(12)}`,
    (v) =>
      `W${v.digits(4)} ${v.iso().slice(11, 19)}.${v.digits(6)} 1 etcd3.go:${v.int(10, 400)}] revision ${v.digits(10)} lease ${v.digits(19)} ttl ${v.int(5, 60)}`,
  ],
};
