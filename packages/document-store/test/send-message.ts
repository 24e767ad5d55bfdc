// Commands by hand, for documents that the driver does not write.
import { once } from 'node:events';
import { connect } from 'node:net';
import { type Document, deserialize, serialize } from 'bson';

/** Bytes of one field of a document. */
export function field(type: number, name: string, ...value: readonly Uint8Array[]): Buffer {
  return Buffer.concat([Buffer.of(type), Buffer.from(`${name}\0`), ...value]);
}

/** A document of such fields. */
export function rawDocument(...fields: readonly Uint8Array[]): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(4), ...fields, Buffer.of(0)]);
  bytes.writeInt32LE(bytes.length, 0);
  return bytes;
}

export function rawInt(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value, 0);
  return bytes;
}

/** Sends one OP_MSG with a sequence beside the body, and reads the body of the reply. */
export async function sendMessage(
  port: number,
  body: Document,
  sequence?: { name: string; documents: readonly Uint8Array[] },
): Promise<Document> {
  const sections = [Buffer.alloc(4), Buffer.of(0), serialize(body)];
  if (sequence) {
    const content = Buffer.concat([Buffer.from(`${sequence.name}\0`), ...sequence.documents]);
    sections.push(Buffer.of(1), rawInt(content.length + 4), content);
  }
  const message = Buffer.concat([Buffer.alloc(16), ...sections]);
  message.writeInt32LE(message.length, 0);
  message.writeInt32LE(2013, 12);
  const socket = connect(port, '127.0.0.1');
  try {
    socket.write(message);
    let received = Buffer.alloc(0);
    while (received.length < 4 || received.length < received.readInt32LE(0)) {
      const [chunk] = (await once(socket, 'data')) as [Buffer];
      received = Buffer.concat([received, chunk]);
    }
    return deserialize(received.subarray(21), { promoteValues: false });
  } finally {
    socket.destroy();
  }
}
