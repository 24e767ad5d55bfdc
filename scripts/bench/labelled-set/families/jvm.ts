import { json } from '../escapes.ts';
import type { Family } from '../family.ts';

/** Log4j and Logback with their contexts, stack traces, Spring, Tomcat, Kafka brokers, Akka. */
export const JVM: Family = {
  name: 'JVM',
  personal: [
    (v) =>
      `${v.isoComma()} INFO  [http-nio-8080-exec-${v.int(1, 20)}] [traceId=${v.trace()}, user=${v.email()}] c.e.orders.OrderController : created order ${v.order()}`,
    (v) => {
      const { name, value } = v.idField();
      return `${v.isoComma()} WARN  [scheduling-1] {${name}=${value}, requestId=${v.uuid()}} com.example.kyc.Verifier - verification is late`;
    },
    (v) => {
      const { name, value } = v.idField();
      return `DEBUG o.s.w.s.m.m.a.RequestResponseBodyMethodProcessor - Read "application/json" to [ApplicantDto(name=Anna, ${name}=${value}, age=41)]`;
    },
    (v) =>
      `java.lang.IllegalArgumentException: Invalid address: ${v.email()} at com.example.mail.Sender.send(Sender.java:${v.int(10, 900)})`,
    (v) => {
      const { name, value } = v.cardField();
      return `${v.isoComma()} ERROR [main] com.example.pay.Gateway - PaymentRequest{amount=${v.amount()}, ${name}='${value}', currency='EUR'}`;
    },
    (v) =>
      `{"@timestamp":"${v.iso()}","level":"INFO","logger_name":"com.example.Login","thread_name":"main","message":"login ok","mdc":{"login":"${v.email()}","spanId":"${v.span()}"}}`,
    (v) =>
      `${v.isoSpace()}.${v.digits(3)}  INFO ${v.pid()} --- [nio-8080-exec-1] o.h.type.descriptor.sql.BasicBinder : binding parameter [1] as [VARCHAR] - [${v.email()}]`,
    (v) =>
      `SEVERE [https-jsse-nio-8443-exec-7] org.apache.catalina.core.StandardWrapperValve.invoke Servlet.service() for ${v.email()} threw exception`,
    (v) =>
      `javax.mail.SendFailedException: Invalid Addresses; nested exception is: com.sun.mail.smtp.SMTPAddressFailedException: 550 5.1.1 <${v.email()}>: Recipient address rejected`,
    (v) =>
      `Caused by: org.postgresql.util.PSQLException: ERROR: duplicate key value violates unique constraint "users_email_key" Detail: Key (email)=(${v.email()}) already exists.`,
    (v) => {
      const { name, value } = v.idPhrase();
      return `${v.isoComma()} ERROR [kafka-consumer-${v.int(1, 9)}] c.e.crm.Merger - Two customers have the same ${name}: ${value}`;
    },
    (v) =>
      `INFO  [akka.actor.default-dispatcher-${v.int(1, 30)}] akka://crm/user/mailer - Deliver(${v.email()},${v.uuid()})`,
    (v) => {
      const { name, value } = v.idField();
      return `${v.isoComma()} INFO ConsumerRecord(topic = kyc, partition = 3, offset = ${v.digits(9)}, CreateTime = ${v.millis()}, value = {"${json(name)}":"${value}"})`;
    },
    (v) => `Hibernate: insert into customer (email, version) values ('${v.email()}', ${v.int(0, 9)})`,
    (v) => `${v.isoComma()} TRACE [main] c.e.Card - pan ${v.card()} tokenized as tok_${v.hex(24)}`,
    (v) => `User[id=${v.int(1, 99999)},email=${v.email()},roles=[ADMIN, USER],hash=${v.hex(40)}]`,
  ],
  lookalikes: [
    (v) =>
      `${v.isoComma()} DEBUG [main] c.e.Registry - bean com.example.Foo$Bar@${v.hex(8)} depends on com.example.Baz@${v.hex(7)}`,
    (v) => `\tat com.example.kafka.Consumer$$Lambda$${v.int(100, 999)}/0x${v.hex(16)}.run(Unknown Source)`,
    (v) =>
      `[GC (Allocation Failure) ${v.digits(7)}K->${v.digits(6)}K(${v.digits(7)}K), 0.${v.digits(7)} secs] [Times: user=0.${v.digits(2)} sys=0.00, real=0.01 secs]`,
    (v) =>
      `INFO [akka.remote.Remoting] Remoting started; listening on addresses :[akka.tcp://Cluster@${v.host()}:2552]`,
    (v) =>
      `[${v.isoComma()}] INFO [GroupCoordinator 1001]: Member consumer-1-${v.uuid()} in group ${v.service()} has failed, generation ${v.int(1, 900)} (kafka.coordinator.group.GroupCoordinator)`,
    (v) =>
      `${v.isoComma()} INFO [ReplicaFetcher replicaId=3] Log ${v.service()}-${v.int(0, 50)} offset ${v.digits(14)} epoch ${v.digits(5)} at ${v.millis()}`,
    (v) =>
      `jdbc:postgresql://app:${v.base64(10)}@${v.host()}:5432/ledger connection ${v.int(1, 40)} acquired in ${v.ms()} ms`,
    (v) =>
      `Started Application in ${v.int(1, 30)}.${v.digits(3)} seconds (process running for ${v.int(1, 30)}.${v.digits(3)}), pid ${v.pid()}, java 21.0.${v.int(1, 9)}+${v.int(1, 20)}`,
    (v) =>
      `${v.isoComma()} WARN [quartz-4] c.e.Jobs - Trigger DEFAULT.${v.unlabelledId()} misfired by ${v.digits(8)} ms`,
    (v) => {
      const { name, value } = v.wrongIdField();
      return `${v.isoComma()} INFO [main] c.e.kyc.Validator - check digit of ${name}=${value} is wrong`;
    },
    (v) => `${v.isoComma()} ERROR [main] c.e.pay.Luhn - card number ${v.wrongCard()} fails the check`,
    (v) =>
      `@org.springframework.web.bind.annotation.GetMapping("/x") on com.example.Api@${v.hex(6)}.list() took ${v.nanos()} ns`,
    (v) => `serialVersionUID = -${v.snowflake()}L, local class serialVersionUID = ${v.snowflake()}L`,
    (v) =>
      `"http-nio-8080-exec-3" #${v.int(20, 90)} daemon prio=5 os_prio=0 cpu=${v.digits(5)}.${v.digits(2)}ms tid=0x${v.hex(16)} nid=0x${v.hex(4)} waiting on condition`,
    (v) =>
      `${v.isoComma()} INFO [zk-1] Session 0x${v.hex(15)} established, zxid 0x${v.hex(10)}, client ${v.ip()}:${v.port()}`,
    (v) =>
      `${v.isoComma()} INFO [main] maven: downloading org.example:ledger:${v.version()}@jar from central (${v.digits(9)} bytes)`,
  ],
};
