import { createServer } from "node:http";

import { SignatureError, verifyWebhook } from "levy-client";

const secret = process.env["LEVY_WEBHOOK_SECRET"]!;

createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  try {
    const event = await verifyWebhook(secret, request.headers, body);
    console.log(event.type, event.id);
    response.writeHead(204).end();
  } catch (error) {
    if (!(error instanceof SignatureError)) throw error;
    response.writeHead(400).end();
  }
}).listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1");
