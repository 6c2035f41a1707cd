import { Operations } from "./operations.gen.js";

export type { Query, Schemas } from "./operations.gen.js";
export { LevyError } from "./transport.js";
export type { CallOptions, ClientOptions, FileContent, Problem } from "./transport.js";
export { SignatureError, verifyWebhook } from "./webhooks.js";
export type { Event, VerifyOptions } from "./webhooks.js";

/** Calls one service as one organization. */
export class Client extends Operations {
  /** Returns the same client for another organization, such as a client of a partner. */
  forOrganization(organizationId: string): Client {
    return new Client({ ...this.settings, organizationId });
  }
}
