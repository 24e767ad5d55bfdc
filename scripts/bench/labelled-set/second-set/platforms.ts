import { ansi, goJson, json } from '../escapes.ts';
import type { Family } from '../family.ts';
import { cardField, idField } from './pairs.ts';

/** Lines of clusters, audit logs of clouds, builds, version control, sign-on and monitoring. */
export const PLATFORMS: Family = {
  name: 'platforms',
  personal: [
    (v) =>
      `{"kind":"Event","apiVersion":"audit.k8s.io/v1","auditID":"${v.uuid()}","verb":"patch","user":{"username":"${v.email()}","groups":["system:authenticated"]},"sourceIPs":["${v.ip()}"]}`,
    (v) =>
      `{"kind":"Event","apiVersion":"audit.k8s.io/v1","user":{"username":"oidc:${v.email()}","extra":{"sub":["${v.digits(21)}"]}}}`,
    (v) =>
      `{"eventVersion":"1.09","userIdentity":{"type":"AssumedRole","arn":"arn:aws:sts::${v.digits(12)}:assumed-role/Admin/${v.email()}"},"eventName":"PutObject"}`,
    (v) =>
      `{"protoPayload":{"authenticationInfo":{"principalEmail":"${v.email()}"},"methodName":"storage.objects.get"},"insertId":"${v.hex(12)}"}`,
    (v) =>
      `AzureActivity caller=${v.email()} operationName=Microsoft.Compute/virtualMachines/start/action correlationId=${v.uuid()}`,
    (v) =>
      `o365 Workload=SharePoint Operation=FileAccessed UserId=${v.email()} ObjectId=https://${v.host()}/sites/hr/${v.int(1, 99)}.xlsx`,
    (v) => `okta.system.log eventType=user.session.start actor.alternateId=${v.email()} client.ip=${v.ip()}`,
    (v) =>
      `keycloak type=LOGIN_ERROR, realmId=shop, clientId=web, userId=null, ipAddress=${v.ip()}, error=user_not_found, username=${v.email()}`,
    (v) => `auth0 {"type":"fp","user_name":"${v.email()}","log_id":"900${v.compact()}${v.digits(20)}"}`,
    (v) =>
      `level=info ts=${v.iso()} caller=login.go:${v.int(10, 300)} component=grafana uname="${v.email()}" orgId=1 msg="Successful login"`,
    (v) => `::error file=src/app.ts,line=${v.int(1, 400)}::contact ${v.email()} before merge`,
    (v) => `[Pipeline] emailext to: ${v.email()}, subject: Build #${v.int(1, 999)} failed`,
    (v) => `commit ${v.hex(40)}\\nAuthor: A N <${v.email()}>\\nDate: Mon Nov 23 10:${v.int(10, 59)}:00 2026 +0100`,
    (v) => `Co-authored-by: A N <${v.email()}>`,
    (v) => `gitlab-runner: GITLAB_USER_EMAIL=${v.email()} CI_JOB_ID=${v.digits(10)}`,
    (v) => `docker build --build-arg MAINTAINER=${v.email()} -t registry.example.com/app:${v.version()} .`,
    (v) => `terraform: aws_sns_topic_subscription.ops: endpoint: "${v.email()}" => "${v.email()}"`,
    (v) => `ansible [web1.example.com] => (item={'mail': '${v.email()}', 'state': 'present'})`,
    (v) => `helm upgrade --set admin.email=${v.email()},replicas=${v.int(1, 9)} release-${v.hex(6)}`,
    (v) => `cert-manager ACME account registered contact=["mailto:${v.email()}"] order=${v.digits(9)}/${v.digits(11)}`,
    (v) => `sentry event ${v.hex(32)} user={'ip_address': '${v.ip()}', 'email': '${v.email()}'}`,
    (v) => `pagerduty incident Q${v.base64(13)} assigned to ${v.email()}`,
    (v) => `jira audit: "${v.email()}" added to group developers by admin`,
    (v) =>
      `${ansi(32, 'INFO')} ${ansi(2, v.isoSpace())} user.email=${ansi(36, v.email())} took ${ansi(33, `${v.ms()}ms`)}`,
    idField(
      (name, value) =>
        `${ansi(90, '[debug]')} ${ansi(36, name)}=${ansi(33, value)} ${ansi(36, 'step')}=${ansi(33, 'verify')}`,
    ),
    idField((name, value, v) =>
      goJson(
        `{"level":"warn","ts":${v.seconds()}.${v.digits(6)},"msg":"field <${name}> rejected","${name}":"${value}"}`,
      ),
    ),
    idField(
      (name, value, v) =>
        `{"@timestamp":"${v.iso()}","log.level":"error","labels":{"${name}":"${value}"},"trace.id":"${v.trace()}"}`,
    ),
    cardField((name, value) => `{"textPayload":"${json(json(`{"${name}":"${value}"}`))}","severity":"ERROR"}`),
    cardField((name, value, v) => `datadog trace=${v.digits(19)} meta.${name}:${value} error:1`),
  ],
  lookalikes: [
    (v) => `uses: actions/checkout@v${v.int(2, 6)} uses: docker/build-push-action@${v.hex(40)}`,
    (v) => `npm warn deprecated lodash@4.17.${v.int(1, 21)}: use @scope/lodash@${v.version()} instead`,
    (v) => `yarn: "@babel/core@npm:^7.${v.int(1, 26)}.0, @types/node@npm:20.${v.int(1, 19)}.${v.int(0, 9)}"`,
    (v) => `pulling registry.example.com/team/app@sha256:${v.hex(64)}`,
    (v) =>
      `go: downloading golang.org/x/net@v0.${v.int(1, 40)}.0 and example.com/mod@v1.2.${v.int(0, 9)}-0.${v.compact()}-${v.hex(12)}`,
    (v) => `pip install git+https://github.com/example/lib.git@${v.hex(40)}#egg=lib`,
    (v) => `remote: git@${v.host()}:team/repo-${v.int(1, 9)}.git (fetch)`,
    (v) => `+ scp build-${v.int(1, 99)}.tar.gz ${v.login()}@${v.host()}:/srv/releases/`,
    (v) => `+ rsync -az dist/ ${v.login()}@${v.host()}:releases/${v.int(1, 99)}`,
    (v) => `kubelet: pod ${v.pod()}_default(${v.uuid()}) container id containerd://${v.hex(64)}`,
    (v) =>
      `{"kind":"Event","auditID":"${v.uuid()}","user":{"username":"system:serviceaccount:kube-system:cronjob"},"requestReceivedTimestamp":"${v.iso()}"}`,
    (v) => `arn:aws:iam::${v.digits(12)}:role/${v.service()} sts=ASIA${v.base64(16).toUpperCase()} reqid=${v.uuid()}`,
    (v) =>
      `x-amz-request-id ${v.hex(16).toUpperCase()} x-amz-id-2 ${v.base64(60)}= etag "${v.hex(32)}-${v.int(1, 99)}"`,
    (v) => `gcp project number ${v.digits(12)} instance ${v.digits(19)} zone europe-west1-b`,
    (v) => `azure subscription ${v.uuid()} tenant ${v.uuid()} offer MS-AZR-0003P`,
    (v) => `systemd[1]: Started user@${v.int(1000, 1099)}.service - User Manager for UID ${v.int(1000, 1099)}.`,
    (v) => `systemd[1]: Starting sshd@${v.int(1, 99)}-${v.ip()}:22-${v.ip()}:${v.port()}.service`,
    (v) =>
      `systemd[1]: getty@tty${v.int(1, 6)}.service: Deactivated; openvpn-server@server.service reloaded; wg-quick@wg0.service`,
    (v) =>
      `prometheus ts=${v.iso()} caller=compact.go:${v.int(100, 900)} mint=${v.millis()} maxt=${v.millis()} ulid=01${v.base64(24).toUpperCase()}`,
    (v) => `jaeger traceID=${v.trace()} spanID=${v.span()} startTime=${v.micros()} duration=${v.digits(5)}`,
    (v) => `{"dd.trace_id":"${v.digits(19)}","dd.span_id":"${v.digits(19)}","msg":"ok"}`,
    (v) => `build ${v.compact()}.${v.int(1, 99)} artifact app-${v.version()}+${v.hex(7)}.jar sha512:${v.hex(128)}`,
    (v) =>
      `Merge pull request #${v.int(1, 9999)} from @octo-${v.int(1, 9)}/fix-${v.int(1, 99)} reviewed by @alice, @bob`,
    (v) => `bazel: @maven//:com_google_guava_guava @@rules_go~${v.version()}//go:def.bzl`,
    (v) => `nix: /nix/store/${v.base64(32).toLowerCase()}-glibc-2.${v.int(30, 40)}-${v.int(1, 99)}`,
    (v) => `java.lang.Object@${v.hex(8)} com.example.Foo$Bar@${v.hex(7)} [Ljava.lang.String;@${v.hex(7)}`,
    (v) => `at render (webpack://app/./src/@core/index.ts?${v.hex(4)}:${v.int(1, 400)}:${v.int(1, 80)})`,
    (v) => `ssh ${v.login()}@${v.host()} exited with status ${v.int(1, 255)}`,
    (v) =>
      `sshd[${v.pid()}]: Accepted publickey for ${v.login()} from ${v.ip()} port ${v.port()} ssh2: ED25519 SHA256:${v.base64(43)}`,
    (v) => `kinit: principal HTTP/${v.host()}@CORP.EXAMPLE.COM etype 18 kvno ${v.int(1, 9)}`,
    (v) => `dns: krbtgt/CORP.EXAMPLE.COM@CORP.EXAMPLE.COM renewed until ${v.isoSpace()}`,
  ],
};
