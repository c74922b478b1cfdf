/**
 * Asks the health service of `orchestrate serve` at HOST:PORT, and exits 0 if it serves. The container has no curl. Without TLS and with it: whose certificate the
 * server shows doesn't matter to one that asks itself.
 */
import http from 'node:http';
import https from 'node:https';

const [address = '127.0.0.1:50051'] = process.argv.slice(2);
const CALL = '/grpc.health.v1.Health/Check';
/** A server that wants to see a client's certificate (`--tls-ca`) has answered, too. */
const ASKS_FOR_CERTIFICATE = 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED';

/** @param {'http' | 'https'} scheme @returns {Promise<boolean>} */
function serves(scheme) {
  const options = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    rejectUnauthorized: false,
  };
  const { request } = scheme === 'https' ? https : http;
  return new Promise((resolve) => {
    const asked = request(`${scheme}://${address}${CALL}`, options, (answer) => {
      let body = '';
      answer.setEncoding('utf8');
      answer.on('data', (/** @type {string} */ text) => (body = (body + text).slice(0, 1000)));
      answer.on('end', () => resolve(answer.statusCode === 200 && body.includes('"SERVING"')));
      answer.on('error', () => resolve(false));
    });
    asked.on('error', (error) => resolve('code' in error && error.code === ASKS_FOR_CERTIFICATE));
    asked.end('{}');
  });
}

process.exitCode = (await serves('https')) || (await serves('http')) ? 0 : 1;
