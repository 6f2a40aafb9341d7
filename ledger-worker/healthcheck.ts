/**
 * A container's HEALTHCHECK: exits with 0 while the local worker reports SERVING by the gRPC health protocol. It runs every few
 * seconds: to load the gRPC library and the contract would take three times the CPU time of this.
 */
import { connect } from 'node:http2';
import { fixedCertificates } from '../platform/certificates.ts';
import { mutualTlsFiles } from '../platform/environment.ts';
import { readConfig } from './config.ts';

const SERVICE = 'ledger.v1.Ledger';
// Field 1 of a HealthCheckResponse: SERVING.
const SERVING = message(Buffer.of(0x08, 1));

const { LISTEN_ADDRESS, ...config } = readConfig(process.env);
const port = LISTEN_ADDRESS.slice(LISTEN_ADDRESS.lastIndexOf(':') + 1);
const files = mutualTlsFiles(config);
const session = files
  ? connect(`https://127.0.0.1:${port}`, {
      ...fixedCertificates(files).latest(),
      // The certificate is valid for the worker's name, not for 127.0.0.1.
      checkServerIdentity: () => undefined,
    })
  : connect(`http://127.0.0.1:${port}`);
setTimeout(() => process.exit(1), 2_000);
session.on('error', () => process.exit(1));
const call = session.request({
  ':method': 'POST',
  ':path': '/grpc.health.v1.Health/Check',
  'content-type': 'application/grpc',
  te: 'trailers',
});
// Field 1 of a HealthCheckRequest.
call.end(message(Buffer.concat([Buffer.of(0x0a, SERVICE.length), Buffer.from(SERVICE)])));
const response = await new Response(call).bytes();
process.exit(SERVING.equals(response) ? 0 : 1);

/** With gRPC's prefix: not compressed, and the length. */
function message(content: Buffer): Buffer {
  return Buffer.concat([Buffer.of(0, 0, 0, 0, content.length), content]);
}
