// Signatures of webhooks. The first one is the example of the Standard Webhooks specification.
import assert from "node:assert/strict";
import { generateKeyPairSync, sign } from "node:crypto";
import { test } from "node:test";

import { SignatureError, verifyWebhook } from "levy-client";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const body = '{"test": 2432232314}';
const now = 1614265330;
const headers = {
  "Webhook-Id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
  "webhook-timestamp": String(now),
  "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
};

test("what was signed is read", async () => {
  assert.deepEqual(await verifyWebhook(secret, headers, body, { now }), { test: 2432232314 });
  assert.deepEqual(await verifyWebhook(secret, new Headers(headers), new TextEncoder().encode(body), { now }), { test: 2432232314 });
  const rotated = { ...headers, "webhook-signature": `v1a,AAAA v1,bm8= v1,? ${headers["webhook-signature"]}` };
  assert.deepEqual(await verifyWebhook(secret, rotated, body, { now: now + 300 }), { test: 2432232314 });
});

test("anything else is refused", async () => {
  const refused: Record<string, [string, Record<string, string>, string, number]> = {
    "another secret": [`whsec_${Buffer.from("x".repeat(24)).toString("base64")}`, headers, body, now],
    "another body": [secret, headers, `${body} `, now],
    "another id": [secret, { ...headers, "Webhook-Id": "msg_2" }, body, now],
    "another time": [secret, { ...headers, "webhook-timestamp": String(now + 1) }, body, now],
    "a time that is none": [secret, { ...headers, "webhook-timestamp": "1e9" }, body, now],
    "too old": [secret, headers, body, now + 301],
    "too new": [secret, headers, body, now - 301],
    "no signature": [secret, { ...headers, "webhook-signature": "" }, body, now],
    "another scheme": [secret, { ...headers, "webhook-signature": `v2${headers["webhook-signature"].slice(2)}` }, body, now],
  };
  for (const [name, [key, sent, text, at]] of Object.entries(refused)) {
    await assert.rejects(verifyWebhook(key, sent, text, { now: at }), SignatureError, name);
  }
});

test("a public key verifies what its private key signed", async () => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const key = `whpk_${Buffer.from(publicKey.export({ format: "jwk" }).x!, "base64url").toString("base64")}`;
  const signature = sign(null, Buffer.from(`${headers["Webhook-Id"]}.${now}.${body}`), privateKey).toString("base64");
  const sent = { ...headers, "webhook-signature": `v1a,${signature}` };
  assert.deepEqual(await verifyWebhook(key, sent, body, { now }), { test: 2432232314 });
  await assert.rejects(verifyWebhook(key, sent, `${body} `, { now }), SignatureError);
  await assert.rejects(verifyWebhook(key, headers, body, { now }), SignatureError, "a signature of the other scheme");
});

test("a key that is none", async () => {
  for (const key of ["", "whsec_", "whsk_AAAA", "whsec_?", "AAAA"]) {
    await assert.rejects(verifyWebhook(key, headers, body, { now }), RangeError, key);
  }
});
