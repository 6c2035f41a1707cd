import type { components } from "./schema.gen.js";

/** What the service says about a refusal (RFC 9457). */
export type Problem = components["schemas"]["Problem"];

/** The content of a file that is sent. */
export type FileContent = Blob | Uint8Array<ArrayBuffer> | string;

/** Settings of a client. */
export interface ClientOptions {
  /** The address of the service, such as https://levy.example.com. */
  baseURL: string;
  /** The key of the organization. It belongs on servers, never in a browser. */
  apiKey: string;
  /** The id of the organization that the calls are about. */
  organizationId: string;
  /** How often a call is repeated at most: 4 unless set. */
  repeats?: number;
  /** The first pause in milliseconds, which doubles from repeat to repeat up to 30 seconds: 200 unless set. */
  firstPause?: number;
  /** The limit of one attempt in milliseconds: 30,000 unless set. Files have none. */
  timeout?: number;
  /** Sends the calls in place of the global fetch. */
  fetch?: typeof fetch;
  /** Waits for some milliseconds, for tests. It ends early, with an error, when the signal does. */
  sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

/** Changes one call. */
export interface CallOptions {
  /** Ends the call, with all its repeats and pauses. */
  signal?: AbortSignal;
  /**
   * Names what the call does: within 24 hours, a call with the same key is carried out once, also by another process.
   * Without it every call has a key of its own, which its repeats share. A call that only reads sends none.
   */
  idempotencyKey?: string;
  /** Names the call in the logs and answers of the service. */
  requestId?: string;
}

/** An answer of the service other than a success. */
export class LevyError extends Error {
  override readonly name = "LevyError";
  /** The stable code, such as validation_failed. It is empty where something in between answered. */
  readonly code: string;

  constructor(
    /** The HTTP status. */
    readonly status: number,
    /** What the service said. */
    readonly problem: Partial<Problem>,
  ) {
    super(`levy: ${status} ${problem.code ?? ""}: ${problem.detail ?? ""} (request ${problem.request_id ?? ""})`);
    this.code = problem.code ?? "";
  }

  /** The place and message of each fault that the service found, sorted. */
  faults(): string[] {
    return (this.problem.errors ?? []).map((fault) => `${fault.location}: ${fault.message}`).sort();
  }
}

/** A call as the generated methods describe it. */
interface Call {
  method: string;
  path: string;
  query?: object;
  json?: unknown;
  csv?: FileContent;
  file?: { filename: string; content: FileContent };
  options: CallOptions;
  /** It takes an idempotency key. */
  keyed?: boolean;
  /** It only reads, so it may be sent again without a key. */
  repeatable?: boolean;
}

/** The place at which a list goes on. */
interface Place {
  after?: string;
  page?: number;
}

/** A part of a list. */
interface Page<Row> {
  items: Row[];
  next_cursor?: string | null;
  has_more?: boolean;
  pages?: number;
}

const longestPause = 30_000;
const longestRetryAfter = 300_000;

/** Sends calls, repeats them and reads the answers. */
export class Transport {
  /** The settings of this client. */
  protected readonly settings: Required<ClientOptions>;

  constructor(options: ClientOptions) {
    this.settings = {
      repeats: 4,
      firstPause: 200,
      timeout: 30_000,
      fetch: (...call) => globalThis.fetch(...call),
      sleep,
      ...options,
      baseURL: options.baseURL.replace(/\/+$/, ""),
    };
  }

  /** Sends a call until it is answered for good, and returns the answer. */
  protected async call<Answer>(call: Call): Promise<Answer> {
    const answer = await this.carry(call, true);
    const text = await answer.text();
    return (text === "" ? undefined : JSON.parse(text)) as Answer;
  }

  /** Returns a file. */
  protected async download(call: Call): Promise<Blob> {
    return (await this.carry(call, false)).blob();
  }

  /**
   * Returns the rows of a list. by says how it is continued: after a cursor, or by the number of the page. after is the
   * cursor that it begins behind.
   */
  protected async *each<Row>(
    by: "after" | "page",
    fetch: (place: Place) => Promise<Page<Row>>,
    after?: string,
  ): AsyncGenerator<Row> {
    let place: Place = {};
    for (let page = 1; ; ) {
      const got = await fetch(place);
      yield* got.items;
      const first = after == null && place.after === undefined;
      // Sorted by a tax number, a list has no cursors.
      if (first && by === "after" && got.next_cursor == null && (got.pages ?? 0) > 1) by = "page";
      if (by === "after") {
        if (got.next_cursor == null || got.has_more === false) return;
        place = { after: got.next_cursor };
      } else {
        if (page >= (got.pages ?? 0)) return;
        place = { page: ++page };
      }
    }
  }

  private async carry(call: Call, bounded: boolean): Promise<Response> {
    const { settings } = this;
    const { signal } = call.options;
    const request = this.request(call);
    const file = call.csv !== undefined || call.file !== undefined;
    const safe = call.keyed === true || call.repeatable === true;
    let pause = settings.firstPause;
    for (let repeat = 0; ; repeat++) {
      signal?.throwIfAborted();
      let wanted = 0;
      try {
        const limits = [signal, bounded && !file ? AbortSignal.timeout(settings.timeout) : undefined];
        const answer = await whole(
          await settings.fetch(settings.baseURL + call.path + search(call.query), {
            ...request,
            redirect: "manual", // the key belongs to one service
            signal: AbortSignal.any(limits.filter((one) => one !== undefined)),
          }),
          bounded,
        );
        if (answer.ok) return answer;
        const error = new LevyError(answer.status, await problemOf(answer));
        if (repeat >= settings.repeats || !mayPass(error, safe)) throw error;
        wanted = retryAfter(answer.headers.get("Retry-After"));
      } catch (error) {
        const final = error instanceof LevyError || signal?.aborted === true;
        if (final || !safe || repeat >= settings.repeats) throw error;
      }
      await settings.sleep(Math.max(pause / 2 + (Math.random() * pause) / 2, wanted), signal);
      pause = Math.min(2 * pause, longestPause);
    }
  }

  private request(call: Call): RequestInit {
    const headers = new Headers({
      Accept: "application/json",
      "X-API-KEY": this.settings.apiKey,
      "x-organization-id": this.settings.organizationId,
    });
    if (call.options.requestId !== undefined) headers.set("X-Request-Id", call.options.requestId);
    if (call.keyed === true) headers.set("Idempotency-Key", call.options.idempotencyKey ?? crypto.randomUUID());
    const request: RequestInit = { method: call.method, headers };
    if (call.json !== undefined) {
      headers.set("Content-Type", "application/json");
      request.body = JSON.stringify(call.json);
    } else if (call.csv !== undefined) {
      headers.set("Content-Type", "text/csv");
      request.body = call.csv;
    } else if (call.file !== undefined) {
      const { type, body } = form(call.file.filename, call.file.content);
      headers.set("Content-Type", type);
      request.body = body;
    }
    return request;
  }
}

/** Reads all of a bounded answer, so that a connection that breaks within it is an attempt that failed. */
async function whole(answer: Response, bounded: boolean): Promise<Response> {
  if (answer.ok && !bounded) return answer;
  const body = await answer.arrayBuffer();
  return new Response(body.byteLength === 0 ? null : body, { status: answer.status, headers: answer.headers });
}

async function problemOf(answer: Response): Promise<Partial<Problem>> {
  try {
    const problem: unknown = await answer.json();
    return typeof problem === "object" && problem !== null ? (problem as Partial<Problem>) : {};
  } catch {
    return {};
  }
}

/** Reports whether a repeat may help. Where something may have been written, only a safe call is repeated. */
function mayPass(error: LevyError, safe: boolean): boolean {
  if (error.status === 429 || error.code === "service_unavailable") return true;
  return safe && (error.problem.retryable === true || [502, 503, 504].includes(error.status));
}

function retryAfter(header: string | null): number {
  return header !== null && /^[0-9]+$/.test(header) ? Math.min(Number(header) * 1000, longestRetryAfter) : 0;
}

/** Writes the parameters that are set. Lists are separated by commas. */
function search(query: object = {}): string {
  const values = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) values.set(name, Array.isArray(value) ? value.join(",") : String(value));
  }
  const text = values.toString();
  return text === "" ? "" : `?${text}`;
}

/** Makes a form with one file. Its bytes are the same in each repeat: the service would take others for another request. */
function form(filename: string, content: FileContent): { type: string; body: Blob } {
  const boundary = crypto.randomUUID();
  const escapes: Record<string, string> = { '"': "%22", "\r": "%0D", "\n": "%0A", "\\": "_" };
  const name = filename.replace(/["\r\n\\]/g, (character) => escapes[character] ?? "_");
  const head =
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n` +
    "Content-Type: application/octet-stream\r\n\r\n";
  return { type: `multipart/form-data; boundary=${boundary}`, body: new Blob([head, content, `\r\n--${boundary}--\r\n`]) };
}

function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
