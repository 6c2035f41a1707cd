// Pages that show what changes: a stream says when. Of a list it is one of that list, of other pages of an organization
// that of its events.

const main = document.getElementById('main');
const pause = 5_000; // before a stream that ended is opened again
const types = {
  filings: ['created', 'updated', 'ready_for_approval', 'approved', 'filed', 'paused', 'resumed', 'skipped', 'cancelled', 'issue', 'due_soon', 'overdue'].map((t) => 'filing.' + t),
  transactions: [
    ...['created', 'updated', 'processed', 'needs_attention', 'locked', 'archived'].map((t) => 'transaction.' + t),
    ...['created', 'updated', 'processed'].map((t) => 'credit_note.' + t),
  ],
  registrations: ['created', 'updated', 'registered', 'deregistered', 'cancelled'].map((t) => 'registration.' + t),
  notices: ['notice.created', 'notice.updated'],
  clients: ['step_completed', 'updated', 'completed', 'cancelled', 'expired', 'failed'].map((t) => 'onboarding.' + t),
};
types.company = types.clients;
types.nexus = ['nexus.status_changed', 'nexus.disregarded', 'nexus.undisregarded', ...types.registrations];
const [, , organization, kind, id] = location.pathname.split('/').map(decodeURIComponent);
const { stream, mark, place, page: shown } = document.querySelector('script[data-page]').dataset;
const { at } = document.querySelector('script[data-at]').dataset; // the page of a form that was refused at an address of its own
const address = (decodeURIComponent(location.pathname) === at ? location.pathname : encodeURI(at)) + location.search;

// concerns says whether an event may be about what the page shows: one object, or a list. A registration concerns nexus.
const concerns = (event) => stream || kind === 'clients' || kind === 'nexus' || !id || event.data.object.id === id;

// isAnswer says whether the page answers a form: reading it again would send the form again. What the page could not read
// answers no form, and neither does a place where a script may say something.
const isAnswer = () => main.querySelector('[role=alert], [role=status]:not(.done, .omitted, :empty, .changed *)') !== null;

// isInUse says whether somebody has begun something on the page that would be lost. What the page shows open nobody has
// opened.
const isInUse = () => main.querySelector('details[open]:not([data-shown])') !== null
  || [...main.querySelectorAll('input, textarea, select')].some((field) => field === document.activeElement || (field.type === 'checkbox'
    ? field.checked !== field.defaultChecked : field.value !== field.defaultValue && field.type !== 'hidden' && field.tagName !== 'SELECT'));

// wait is how long until the page may be read again: at once, unless that happened three times within a minute.
function wait() {
  const minute = Date.now() - 60_000;
  const read = JSON.parse(sessionStorage.getItem('live read') ?? '[]').filter((at) => at > minute);
  sessionStorage.setItem('live read', JSON.stringify([...read.slice(-9), Date.now()]));
  return read.length < 3 ? 100 : Math.max(100, 10_000 - performance.now());
}

let due = 0;
let left = -Infinity; // when somebody began to leave the page

// Reading the page again would replace the page that somebody is on the way to. What was only downloaded keeps this one.
const isLeft = () => performance.now() - left < 5_000;
addEventListener('beforeunload', () => { left = performance.now(); });

// show reads the page again soon. What was begun meanwhile stays, next to what changed.
function show() {
  if (!due) due = setTimeout(() => { due = 0; update(); }, wait());
}

function update() {
  if (isLeft()) show();
  else if (isDeciding() || isInUse() && !isAnswer()) tell();
  else if (!isAnswer()) readAgain();
}

// isDeciding says whether the page offers a decision, such as an approval. It must not change under the pointer. An import
// that goes on offers only to pause or to end what its page follows.
const isDeciding = () => !going && main.querySelector('form[data-decides], [data-decides] > form, [data-decides] > details[open]') !== null;

const plain = (element) => element.textContent.trim().replace(/\s+/g, ' ');

const figuresOf = (page) => [...page.querySelectorAll('[data-figure]')].map((element) => [element.dataset.figure, plain(element)]);
const entriesOf = (page) => [...page.querySelectorAll('ol.history li, [data-change]')];

// pageNow reads the page as it is now. The browser parses it, because a script must not.
const pageNow = () => new Promise((done, failed) => {
  const request = new XMLHttpRequest();
  request.open('GET', address);
  request.responseType = 'document';
  request.timeout = 5_000;
  request.onload = () => (request.status === 429 || request.status >= 500 ? failed() : done(request.response));
  request.onerror = failed;
  request.ontimeout = failed;
  request.send();
});

const markOf = (page) => page?.querySelector('script[data-page]')?.dataset.page;

// tell compares the page with what it is now: once at a time, because a return that is computed anew changes many times,
// and again if the page could not be read.
let telling = false;
let again = false;
async function tell() {
  again = true;
  if (telling) return;
  telling = true;
  while (again) {
    again = false;
    await compare((now) => markOf(now) !== shown).catch(() => { again = true; });
    await new Promise((after) => setTimeout(after, pause));
  }
  telling = false;
}

// compare says what changed since the page was read, and who changed it. Until somebody shows it, nothing can be decided.
async function compare(isChanged) {
  const now = await pageNow();
  if (!markOf(now)) return; // signed out
  if (!isChanged(now)) {
    unlock();
    return;
  }
  const before = new Map(figuresOf(document)), known = entriesOf(document).map(plain);
  const values = figuresOf(now).filter(([name, value]) => before.get(name) !== value).map(([name, value]) => `${name} ${before.get(name) ?? 'none'} → ${value}`);
  const entries = entriesOf(now).filter((entry) => !known.includes(plain(entry)));
  for (const entry of entries) entry.querySelector('time')?.remove();
  const parts = [values.join('; '), ...entries.map(plain)].filter(Boolean);
  announce(parts.length ? `Changed meanwhile: ${parts.join('. ')}.` : 'This page changed meanwhile.');
}

const buttons = () => main.querySelectorAll('[data-decides] button');

function announce(text) {
  let bar = main.querySelector('.changed');
  if (!bar) {
    bar = document.createElement('div');
    bar.className = 'changed';
    const said = document.createElement('p');
    said.setAttribute('role', 'status');
    const button = document.createElement('button');
    button.textContent = 'Show';
    button.addEventListener('click', () => location.replace(address));
    bar.append(said, button);
    const first = main.querySelector('[data-decides]:not(tr)');
    if (first) first.before(bar);
    else main.prepend(bar);
  }
  bar.querySelector('p').textContent = text + (isInUse() ? ' Showing it discards what you have typed.' : '');
  for (const each of buttons()) each.setAttribute('aria-disabled', 'true');
}

// unlock takes the bar away: the page is again what it shows.
function unlock() {
  main.querySelector('.changed')?.remove();
  for (const each of buttons()) each.removeAttribute('aria-disabled');
}

// saysOf returns the text and the values of a part of the page. Waiting times are left out: they change by themselves.
function saysOf(part) {
  if (!part) return '';
  const copy = part.cloneNode(true);
  for (const other of copy.querySelectorAll('[role=status], .when')) other.remove();
  return JSON.stringify([plain(copy), ...[...copy.querySelectorAll('input[type=hidden]:not([name=once]), option[selected]')].map((field) => field.value)]);
}

const deciding = [...main.querySelectorAll('[data-decides]')];
const says = deciding.map(saysOf);
const figures = JSON.stringify(figuresOf(document));

// isOther says whether a page has other figures, or another part in the place of one of this page. Lines have keys.
const isOther = (part) => (page) => {
  const key = part.dataset.decides, at = deciding.indexOf(part);
  const there = key ? page.querySelector(`[data-decides="${CSS.escape(key)}"]`) : page.querySelectorAll('[data-decides]')[at];
  return JSON.stringify(figuresOf(page)) !== figures || saysOf(there) !== says[at];
};

// A decision is sent once the page is known to be as it is shown. Where it cannot be read, the service decides.
let looking = false;
let looked = false;
addEventListener('submit', (event) => {
  const part = event.target.closest('[data-decides]');
  if (!part) return;
  const bar = main.querySelector('.changed');
  if (!bar && (looked || isAnswer())) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (bar) bar.querySelector('button').focus();
  else if (!looking) look(part, event.target, event.submitter);
}, true);

// look reads the page once, however often its buttons are pressed meanwhile. Only the form that it sends goes unread.
async function look(part, form, submitter) {
  looking = true;
  await compare(isOther(part)).catch(() => {});
  looking = false;
  const bar = main.querySelector('.changed');
  if (bar) {
    bar.querySelector('button').focus();
    return;
  }
  looked = true;
  try {
    form.requestSubmit(submitter);
  } finally {
    looked = false;
  }
}

// readAgain keeps the message of the form before, and the focus on it.
function readAgain() {
  const said = main.querySelector('.done');
  const until = Number(said?.dataset.until ?? Date.now() + 10_000); // what happens later may contradict it
  if (said) sessionStorage.setItem('live said', JSON.stringify({ at: location.pathname, text: said.textContent, focus: said === document.activeElement, until }));
  location.reload();
}

const said = JSON.parse(sessionStorage.getItem('live said') ?? 'null');
sessionStorage.removeItem('live said');
if (said?.at === location.pathname && Date.now() < said.until && !main.querySelector('.done')) {
  const message = document.createElement('p');
  message.className = 'done';
  message.tabIndex = -1;
  message.textContent = said.text;
  message.dataset.until = said.until;
  main.prepend(message);
  if (said.focus) message.focus({ preventScroll: true });
}

const open = (last) => fetch(stream ?? '/v1/events/stream?type__in=' + types[kind], {
  headers: { ...stream ? {} : { 'x-organization-id': organization }, ...last ? { 'Last-Event-ID': last } : {} },
  credentials: 'same-origin', cache: 'no-store', redirect: 'error',
});

// catchUp shows what happened between the page and the stream, which without a place begins with what comes: where the
// service could not say the place, or no longer has the event that it was.
async function catchUp() {
  const mark = markOf(await pageNow());
  if (mark && mark !== shown) show();
}

async function follow(last) {
  const response = await open(last);
  if (response.status === 404 && last) return ''; // kept no longer
  if (response.status >= 400 && response.status < 500 && response.status !== 429) return null; // signed out, or not for this person
  if (!response.ok) return last;
  if (!stream && !last) catchUp().catch(() => {});
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
      if (concerns(JSON.parse(data.slice(6)))) show();
    }
  }
}

// A list says by its mark what it shows. Other pages say from which event on they have to be told what happened: it was
// the newest before they were made.
async function run() {
  let last = stream ? mark : place ?? '';
  while (last !== null) {
    last = await follow(last).catch(() => last);
    await new Promise((after) => setTimeout(after, pause));
  }
}

// progress reads an import every second while it goes on: what it does is no event.
async function progress(shown) {
  for (;;) {
    await new Promise((after) => setTimeout(after, 1_000));
    const response = await fetch('/v1/transactions/imports/' + encodeURIComponent(id), {
      headers: { 'x-organization-id': organization }, credentials: 'same-origin', cache: 'no-store', redirect: 'error',
    }).catch(() => null);
    if (response && response.status < 500 && response.status !== 429 && !response.ok) return; // signed out, or it is gone
    if (!response?.ok) continue;
    const now = await response.json();
    for (const place of main.querySelectorAll('[data-of]')) place.textContent = now[place.dataset.of];
    main.querySelector('progress').value = now.percent;
    if (now.status !== shown) return show();
  }
}

const going = main.querySelector('progress[data-status]');
if (going) progress(going.dataset.status);
// The form of a step of a company, the map of nexus and the form of other sales show nothing that happens.
const isStill = kind === 'company' ? id : kind === 'nexus' && (!id || id === 'simulate');
if (stream || types[kind] && !isStill) run();
