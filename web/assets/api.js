// Calls of the HTTP API with the session of the person, whose cookie no script can read.

let organization = ''; // the partner; empty until it is known

// begin finds out for which partner the person is here. It returns false when there is none.
export async function begin() {
  const session = await (await call('/v1/session')).json();
  organization = new URLSearchParams(location.search).get('organization_id') ?? session.organizations.find(({ root }) => root)?.organization_id ?? '';
  return organization !== '';
}

export const isSignedIn = () => organization !== '';

// Refusal is an answer other than 2xx; status 0 means that there was none.
export class Refusal extends Error {
  constructor(status, detail, wait) {
    super(detail);
    this.status = status;
    this.wait = wait;
  }
}

async function call(path, signal) {
  let response;
  try {
    response = await fetch(path, {
      headers: organization ? { 'x-organization-id': organization } : {},
      credentials: 'same-origin', cache: 'no-store', redirect: 'error', signal,
    });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Refusal(0, 'Levy cannot be reached.', 0);
  }
  if (response.ok) return response;
  const problem = await response.json().catch(() => ({}));
  throw new Refusal(response.status, problem.detail ?? problem.title ?? 'The request failed.', Number(response.headers.get('Retry-After')) || 0);
}

// clients lists a page of organizations, newest first. The partner's own comes last.
export async function clients({ page, size, query, ended, signal }) {
  const parameters = new URLSearchParams({ page, size, order_by: '-created_at', status__in: ended ? 'ACTIVE,ARCHIVED' : 'ACTIVE' });
  if (query) parameters.set('query', query);
  return (await call('/v1/organizations?' + parameters, signal)).json();
}

export async function onboarding(id, signal) {
  return (await call('/v1/onboarding/' + encodeURIComponent(id), signal)).json();
}

// follow calls onMessage with the onboarding as it is, and again after every change, until
// the event stream ends.
export async function follow(id, signal, onMessage) {
  const response = await call('/v1/onboarding/' + encodeURIComponent(id) + '/events', signal);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const messages = (rest + value).split('\n\n');
    rest = messages.pop();
    for (const message of messages) {
      let data = '';
      for (const line of message.split('\n')) {
        if (line.startsWith('data: ')) data = line.slice(6);
      }
      if (data) onMessage(JSON.parse(data));
    }
  }
}
