// Pages of an organization that show what changes: the stream of its events says when.

const main = document.getElementById('main');
const pause = 5_000; // before a stream that ended is opened again
const types = {
  filings: ['created', 'updated', 'ready_for_approval', 'approved', 'filed', 'paused', 'resumed', 'skipped', 'cancelled', 'issue', 'due_soon', 'overdue'].map((t) => 'filing.' + t),
  transactions: [
    ...['created', 'updated', 'processed', 'needs_attention', 'locked', 'archived'].map((t) => 'transaction.' + t),
    ...['created', 'updated', 'processed'].map((t) => 'credit_note.' + t),
  ],
  clients: ['step_completed', 'updated', 'completed', 'cancelled', 'expired', 'failed'].map((t) => 'onboarding.' + t),
};
const [, , organization, kind, id] = location.pathname.split('/').map(decodeURIComponent);

const place = 'live ' + organization;

function forget() {
  sessionStorage.removeItem(place);
  return '';
}

// concerns says whether an event is about what the page shows: one object, or a list.
const concerns = (event) => kind === 'clients' || !id || event.data.object.id === id;

// isInUse says whether somebody has begun something on the page that would be lost.
const isInUse = () => main.querySelector('details[open]') !== null
  || [...main.querySelectorAll('input, textarea, select')].some((field) => field === document.activeElement || field.value !== field.defaultValue && field.type !== 'hidden' && field.tagName !== 'SELECT');

let due = 0;

// show reads the page again soon, and ten seconds after it was read last at the earliest. What was begun meanwhile stays.
function show() {
  if (!due) due = setTimeout(() => { due = 0; if (!isInUse()) location.reload(); }, Math.max(500, 10_000 - performance.now()));
}

async function follow(last) {
  const headers = { 'x-organization-id': organization };
  if (last) headers['Last-Event-ID'] = last;
  const response = await fetch('/v1/events/stream?type__in=' + types[kind], { headers, credentials: 'same-origin', cache: 'no-store', redirect: 'error' });
  if (response.status === 404 && last) return forget(); // kept no longer
  if (response.status >= 400 && response.status < 500) return null; // signed out, or not for this person
  if (!response.ok) return last;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return last;
    const messages = (rest + value).split('\n\n');
    rest = messages.pop();
    for (const message of messages) {
      const lines = message.split('\n');
      const data = lines.find((line) => line.startsWith('data: '));
      if (!data) continue;
      last = lines.find((line) => line.startsWith('id: '))?.slice(4) ?? last;
      sessionStorage.setItem(place, last);
      if (concerns(JSON.parse(data.slice(6)))) show();
    }
  }
}

// Where the stream was is kept for the page that is read next, so that nothing is missed in between.
async function run() {
  let last = sessionStorage.getItem(place) ?? '';
  while (last !== null) {
    last = await follow(last).catch(() => last);
    await new Promise((after) => setTimeout(after, pause));
  }
}

if (types[kind]) run();
