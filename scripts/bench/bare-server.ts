// A server without any part of the service, whose speed is that of the machine: it parses the same
// batches, hashes every message and responds with an object per line. It is run by `withBareServer`
// and reports its port over IPC.
import { hash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const server = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    const entries = JSON.parse(Buffer.concat(pieces).toString()) as { message: string }[];
    const results = entries.map(({ message }, index) => ({
      index,
      message_hash: hash('sha256', message),
      message_preview: message.slice(0, 200),
      size_bytes: Buffer.byteLength(message),
    }));
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ results }));
  });
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
