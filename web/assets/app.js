// The page of the onboardings: list the clients, keep them up to date.

import * as api from './api.js';
import { Card, isOver } from './card.js';
import { Streams } from './streams.js';

const size = 12; // clients of a page
const pollEvery = 10_000;
const at = (id) => document.getElementById(id);

let page = 1;
let cards = new Map();
let reading = new AbortController();
let timer = 0;
let loaded = false; // whether the page shows all that it lists

const streams = new Streams({
  show: (id, onboarding) => show(id, onboarding),
  refused: (refusal) => refuse(refusal),
});
const watcher = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    const card = cards.get(entry.target.dataset.id);
    if (card) card.onScreen = entry.isIntersecting;
  }
  followVisible();
});

function show(id, onboarding) {
  const card = cards.get(id);
  const news = card ? card.show(onboarding) : '';
  if (news) at('news').textContent = news;
  if (card && isOver(onboarding)) followVisible();
}

// followVisible opens streams for the clients on screen that are under way.
function followVisible() {
  const wanted = [...cards].filter(([, card]) => card.onScreen && card.onboarding && !isOver(card.onboarding)).map(([id]) => id);
  streams.want(document.hidden ? [] : wanted);
  if (loaded && !at('fault').textContent) pulse(wanted.length ? 'live' : 'idle');
}

function pulse(state) {
  at('pulse').dataset.state = state;
  at('pulse').textContent = { live: 'Live', idle: 'Up to date', away: 'Reconnecting…', waiting: 'Loading…' }[state];
}

// isStale says whether a card may have missed a change.
function isStale({ client, onboarding }) {
  if (streams.has(client.id)) return false;
  return !onboarding || !isOver(onboarding) || onboarding.status !== client.onboarding_status;
}

// refresh reads the list and what the streams do not tell.
async function refresh() {
  clearTimeout(timer);
  reading.abort();
  reading = new AbortController();
  const { signal } = reading;
  let wait = pollEvery;
  try {
    const query = at('search').value.trim();
    const list = await api.clients({ page, size, query, ended: at('ended').checked, signal });
    arrange(list, query);
    await Promise.all([...cards.values()].filter(isStale).map(async ({ client }) => show(client.id, await api.onboarding(client.id, signal))));
    at('fault').textContent = '';
    loaded = true;
    for (const card of cards.values()) card.tick();
    followVisible();
  } catch (error) {
    if (error.name === 'AbortError') return;
    if (!(error instanceof api.Refusal)) throw error;
    if (refuse(error)) return;
    wait = Math.max(wait, error.wait * 1000);
  }
  timer = setTimeout(() => document.hidden || refresh(), wait);
}

// arrange makes the cards those of the list, keeping the ones that are there.
function arrange(list, query) {
  const clients = list.items.filter((organization) => Boolean(organization.parent_organization_id));
  const total = query ? list.total : list.total - 1; // without the partner's own, which is the last
  const pages = query ? list.pages : Math.ceil(total / size);
  const kept = new Map();
  for (const client of clients) {
    const card = cards.get(client.id) ?? new Card(client);
    card.rename(client);
    kept.set(client.id, card);
  }
  for (const [id, card] of cards) {
    if (kept.has(id)) continue;
    watcher.unobserve(card.element);
    card.element.remove();
  }
  cards = kept;
  let place = at('cards').firstElementChild;
  for (const { element } of cards.values()) {
    if (element === place) {
      place = place.nextElementSibling;
      continue;
    }
    at('cards').insertBefore(element, place);
    watcher.observe(element);
  }
  at('empty').hidden = clients.length > 0;
  at('none-yet').hidden = query !== '';
  at('none-found').hidden = query === '';
  at('summary').textContent = query ? 'Clients that match, newest first' : `${total} ${total === 1 ? 'client' : 'clients'}, newest first`;
  at('pages').hidden = pages < 2 && page === 1;
  at('position').textContent = `Page ${page} of ${Math.max(page, pages)}`;
  at('previous').disabled = page <= 1;
  at('next').disabled = page >= pages;
}

// refuse tells of a refusal. It returns true when the page is over.
function refuse(refusal) {
  if (refusal.status === 401) {
    location.replace('/sign-in?next=' + encodeURIComponent(location.pathname + location.search));
    return true;
  }
  if ([400, 403, 404].includes(refusal.status)) {
    streams.want([]);
    at('clients').hidden = true;
    at('stranger').hidden = false;
    return true;
  }
  at('fault').textContent = refusal.message + ' The page tries again automatically.';
  pulse('away');
  return false;
}

function enter() {
  at('clients').hidden = false;
  load();
}

function turn(to) {
  page = to;
  load();
}

function load() {
  loaded = false;
  pulse('waiting');
  refresh();
}

at('filter').addEventListener('submit', (event) => event.preventDefault());
at('search').addEventListener('input', () => {
  clearTimeout(timer);
  timer = setTimeout(() => turn(1), 300);
});
at('ended').addEventListener('change', () => turn(1));
at('previous').addEventListener('click', () => turn(page - 1));
at('next').addEventListener('click', () => turn(page + 1));
document.addEventListener('visibilitychange', () => {
  if (!api.isSignedIn()) return;
  if (document.hidden) streams.want([]);
  else refresh();
});

// start finds out who is here, again and again while the service cannot be reached.
async function start() {
  try {
    if (await api.begin()) enter();
    else at('stranger').hidden = false;
  } catch (error) {
    if (!(error instanceof api.Refusal)) throw error;
    if (!refuse(error)) setTimeout(start, pollEvery);
  }
}
start();
