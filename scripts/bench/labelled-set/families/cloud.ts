import { goJson, json, url } from '../escapes.ts';
import type { Family } from '../family.ts';

/** Kafka, RabbitMQ, SQS; audit trails of clouds; functions; Kubernetes, Docker, Terraform. */
export const CLOUD: Family = {
  name: 'brokers, clouds, containers',
  personal: [
    (v) =>
      `{"eventVersion":"1.09","userIdentity":{"type":"SAMLUser","principalId":"${v.base64(20)}:alice","userName":"${v.email()}"},"eventTime":"${v.iso()}","eventSource":"signin.amazonaws.com","sourceIPAddress":"${v.ip()}","requestID":"${v.uuid()}"}`,
    (v) =>
      `{"eventName":"AssumeRoleWithSAML","userIdentity":{"arn":"arn:aws:sts::${v.digits(12)}:assumed-role/Admin/${v.email()}","accountId":"${v.digits(12)}"}}`,
    (v) =>
      `{"protoPayload":{"@type":"type.googleapis.com/google.cloud.audit.AuditLog","authenticationInfo":{"principalEmail":"${v.email()}"},"methodName":"storage.objects.get"},"insertId":"${v.hex(12)}"}`,
    (v) =>
      `{"caller":"${v.email()}","correlationId":"${v.uuid()}","operationName":{"value":"Microsoft.Compute/virtualMachines/start/action"},"eventTimestamp":"${v.iso()}"}`,
    (v) => {
      const { name, value } = v.idField();
      return `{"Records":[{"messageId":"${v.uuid()}","body":"${json(json(`{"${name}":"${value}"}`))}","attributes":{"SentTimestamp":"${v.millis()}"}}]}`;
    },
    (v) => {
      const { name, value } = v.idField();
      return `${v.iso()}\t${v.uuid()}\tINFO\tevent: { ${/^\w+$/.test(name) ? name : `'${name}'`}: '${value}', source: 'web' }`;
    },
    (v) => `{"log":"${goJson(`mail to <${v.email()}> failed\n`)}","stream":"stderr","time":"${v.iso()}"}`,
    (v) =>
      `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"${v.uuid()}","user":{"username":"${v.email()}","groups":["system:authenticated"]},"verb":"list"}`,
    (v) =>
      `Warning  Failed  ${v.int(1, 59)}s  kubelet  Error: secret "tls" not found for cert-manager account ${v.email()}`,
    (v) =>
      `[${v.isoComma()}] rabbit ${v.service()}: dead letter, routing_key=crm.mail, payload={"to":"${v.email()}","tpl":${v.int(1, 90)}}`,
    (v) => {
      const { name, value } = v.cardField();
      return `partition=${v.int(0, 31)} offset=${v.digits(10)} key=${v.uuid()} value={"${name}":"${value}","amount":"${v.amount()}"}`;
    },
    (v) =>
      `START RequestId: ${v.uuid()} Version: $LATEST invited ${v.email()} REPORT Duration: ${v.ms()}.${v.digits(2)} ms`,
    (v) => `google_project_iam_member.viewer: Creating... member="user:${v.email()}"`,
    (v) => `kubectl annotate pod ${v.pod()} owner=${v.email()} --overwrite`,
    (v) => `LABEL maintainer="${v.email()}" # layer sha256:${v.hex(64)}`,
    (v) => `traefik: 302 GET /oauth2/callback?login_hint=${url(v.email())}&state=${v.base64(22)}%3A%2F ${v.ms()}ms`,
  ],
  lookalikes: [
    (v) =>
      `{"eventVersion":"1.09","userIdentity":{"type":"AssumedRole","arn":"arn:aws:sts::${v.digits(12)}:assumed-role/deploy/i-${v.hex(17)}","accountId":"${v.digits(12)}","accessKeyId":"ASIA${v.hex(16).toUpperCase()}"},"requestID":"${v.uuid()}"}`,
    (v) =>
      `docker.io/library/nginx@sha256:${v.hex(64)}: Pulling from ${v.digits(12)}.dkr.ecr.eu-west-1.amazonaws.com/${v.service()}`,
    (v) =>
      `2026-11-23 [info] <0.${v.digits(5)}.0> node rabbit@rabbit-${v.int(0, 2)}.rabbit-headless.default.svc.cluster.local: up`,
    (v) =>
      `{"log":"revision ${v.digits(9)} generation ${v.digits(10)}\\n","stream":"stdout","time":"${v.iso().slice(0, 19)}.${v.digits(9)}Z"}`,
    (v) => `pod/${v.pod()} uid ${v.uuid()} resourceVersion ${v.digits(9)} restartCount ${v.int(0, 9)}`,
    (v) =>
      `REPORT RequestId: ${v.uuid()}\tDuration: ${v.ms()}.${v.digits(2)} ms\tBilled Duration: ${v.ms()} ms\tMemory Size: 512 MB XRAY TraceId: 1-${v.hex(8)}-${v.hex(24)}`,
    (v) =>
      `{"messageId":"${v.uuid()}","md5OfBody":"${v.hex(32)}","attributes":{"SenderId":"${v.digits(12)}","SentTimestamp":"${v.millis()}","SequenceNumber":"${v.digits(20)}"}}`,
    (v) => `amqp://guest:guest@${v.host()}:5672/%2F channel ${v.int(1, 9)} delivery_tag ${v.digits(10)}`,
    (v) =>
      `helm.sh/chart: ledger-${v.version()} checksum/config: ${v.hex(64)} image: ghcr.io/example/ledger:${v.version()}@sha256:${v.hex(64)}`,
    (v) =>
      `vpc flow 2 ${v.digits(12)} eni-${v.hex(17)} ${v.ip()} ${v.ip()} ${v.port()} 443 6 ${v.int(1, 99)} ${v.digits(6)} ${v.seconds()} ${v.seconds()} ACCEPT OK`,
    (v) =>
      `{"insertId":"${v.hex(12)}","resource":{"labels":{"project_id":"p-${v.digits(6)}","instance_id":"${v.snowflake()}"}},"timestamp":"${v.iso()}"}`,
    (v) => `aws_instance.web[0]: Still creating... [${v.int(1, 9)}0s elapsed] request ${v.unlabelledId()}`,
    (v) => `serviceAccount:terraform bound, etag BwX${v.base64(8)}=, project number ${v.digits(12)}`,
    (v) =>
      `[${v.isoComma()}] INFO [Log partition=orders-${v.int(0, 9)}] Rolled new log segment at offset ${v.digits(12)} in ${v.ms()} ms`,
    (v) => `{"level":"info","msg":"leader elected","id":"${v.pod()}_${v.uuid()}","lease":${v.digits(19)}}`,
    (v) =>
      `etag "0x8D${v.hex(13).toUpperCase()}" x-ms-request-id ${v.uuid()} content-md5 ${v.base64(22)}== order-id=${v.unlabelledId()}`,
  ],
};
