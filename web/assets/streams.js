// The event streams that are open. Over HTTP/1.1 a browser has six connections for all
// its tabs, and a stream holds one as long as it lasts; the rest is polled.

import { follow, Refusal } from './api.js';

const [navigation] = performance.getEntriesByType('navigation');
const most = navigation?.nextHopProtocol === 'h2' || navigation?.nextHopProtocol === 'h3' ? 12 : 2;
const pause = 3_000; // before a stream that ended is opened again

export class Streams {
  #open = new Map(); // by organization: what ends it
  #on;

  constructor(on) {
    this.#on = on;
  }

  // has says whether a stream is open that tells every change.
  has(id) {
    return this.#open.get(id)?.told ?? false;
  }

  // want opens streams for the first ids, and ends all others.
  want(ids) {
    const chosen = new Set(ids.slice(0, most));
    for (const [id, stream] of this.#open) {
      if (chosen.has(id)) continue;
      stream.ending.abort();
      this.#open.delete(id);
    }
    for (const id of chosen) {
      if (!this.#open.has(id)) this.#run(id);
    }
  }

  async #run(id) {
    const stream = { ending: new AbortController(), told: false };
    this.#open.set(id, stream);
    try {
      await follow(id, stream.ending.signal, (onboarding) => {
        stream.told = true;
        this.#on.show(id, onboarding);
      });
    } catch (error) {
      if (stream.ending.signal.aborted) return;
      if (error instanceof Refusal && error.status === 401) {
        this.#on.refused(error);
        return;
      }
    }
    // The list goes on being polled; a place is free again after a while.
    stream.told = false;
    setTimeout(() => this.#open.get(id) === stream && this.#open.delete(id), pause);
  }
}
