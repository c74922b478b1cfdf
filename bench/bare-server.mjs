// @ts-check
/** What the client's bench talks to, in a process of its own: reads each request to its end and answers at once, always the same. Prints its address. */
import { createServer } from 'node:http';

const reply = {
  id: 'bench',
  object: 'chat.completion',
  created: 0,
  model: 'bench',
  choices: [{ index: 0, message: { role: 'assistant', content: 'ACTION: GO NORTH' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 5000, completion_tokens: 6, total_tokens: 5006 },
};
const body = JSON.stringify(reply);
const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(200, headers).end(body));
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null)
    process.stdout.write(`http://127.0.0.1:${address.port}\n`);
});
