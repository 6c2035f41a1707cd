import type { components } from "./schema.gen.js";

/** What happened to a record. */
export type Event = components["schemas"]["Event"];

/** The request is not one that Levy signed with the key, or it is too old. */
export class SignatureError extends Error {
  override readonly name = "SignatureError";
}

/** How a webhook is verified. */
export interface VerifyOptions {
  /** Seconds by which the clocks of both sides may differ: 300 unless set. */
  tolerance?: number;
  /** The time in seconds since 1970, for tests. */
  now?: number;
}

/**
 * Returns the event of a webhook, if Levy signed these bytes with the secret (whsec_…) of the endpoint, or with the private
 * key that belongs to its public key (whpk_…). body is what was received, before any parser saw it.
 *
 * Levy sends an event more than once when an answer was lost: remember its id. Throws SignatureError, and RangeError for a
 * key that is none.
 */
export async function verifyWebhook(
  key: string,
  headers: Headers | Record<string, string | string[] | undefined>,
  body: string | Uint8Array,
  options: VerifyOptions = {},
): Promise<Event> {
  const scheme = await schemeOf(key);
  const id = headerOf(headers, "webhook-id");
  const at = headerOf(headers, "webhook-timestamp");
  const signatures = headerOf(headers, "webhook-signature");
  if (id === "" || signatures === "" || !/^[0-9]{1,15}$/.test(at)) {
    throw new SignatureError("levy: a header of the signature is missing or malformed");
  }
  if (Math.abs((options.now ?? Date.now() / 1000) - Number(at)) > (options.tolerance ?? 300)) {
    throw new SignatureError("levy: the time of the signature is too far from that of this machine");
  }
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const signed = concatenate(new TextEncoder().encode(`${id}.${at}.`), bytes);
  for (const one of signatures.split(" ")) {
    const [name, text] = [one.slice(0, one.indexOf(",")), one.slice(one.indexOf(",") + 1)];
    const signature = name === scheme.name ? decodeBase64(text) : undefined;
    // Web Crypto compares a signature in constant time.
    if (signature !== undefined && (await crypto.subtle.verify(scheme.algorithm, scheme.key, signature, signed))) {
      return JSON.parse(new TextDecoder().decode(bytes)) as Event;
    }
  }
  throw new SignatureError("levy: no signature is by the key");
}

async function schemeOf(key: string): Promise<{ name: string; algorithm: string; key: CryptoKey }> {
  const bytes = decodeBase64(key.slice(key.indexOf("_") + 1));
  if (bytes === undefined || bytes.length === 0 || !/^wh(sec|pk)_/.test(key)) {
    throw new RangeError("levy: the key of a webhook endpoint is whsec_ or whpk_ and Base64");
  }
  if (key.startsWith("whsec_")) {
    const secret = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
    return { name: "v1", algorithm: "HMAC", key: secret };
  }
  return { name: "v1a", algorithm: "Ed25519", key: await crypto.subtle.importKey("raw", bytes, "Ed25519", false, ["verify"]) };
}

function headerOf(headers: Headers | Record<string, string | string[] | undefined>, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? "";
  for (const [key, value] of Object.entries(headers)) {
    if (key.toLowerCase() === name) return Array.isArray(value) ? value.join(" ") : (value ?? "");
  }
  return "";
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function concatenate(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
