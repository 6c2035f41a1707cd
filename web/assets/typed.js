// A form whose button is clicked twice is sent once. What was typed is there again after signing in, where the session
// had ended when it was sent. Until then it is in this tab only. Passwords, codes, personal numbers, files and what a
// page does not let anybody write are never kept.

const kept = 'typed';
const main = document.getElementById('main');
const who = document.querySelector('.leave a')?.textContent;
const page = document.querySelector('script[data-at]').dataset.at; // that the form is on: one that was refused is shown at another address
const returned = location.hash === '#typed'; // where signing in leads after a form that was not saved
const secrets = ['one-time-code', 'current-password', 'new-password'];

const isKept = (field) => field.name && !field.readOnly && !['hidden', 'password', 'file', 'submit', 'button'].includes(field.type)
  && !secrets.includes(field.autocomplete) && !('personal' in field.dataset);

// which tells the forms of a page apart: by where they are sent, and by what they say about themselves.
const which = (form) => JSON.stringify([new URL(form.getAttribute('action') ?? '', location.href).pathname,
  [...form.elements].filter((field) => field.type === 'hidden' && field.name !== 'once' && !field.name.startsWith('was_')).map(({ name, value }) => [name, value])]);

// shown is what a field showed when the page was made, where the page says so: somebody else may save something else
// until the form is there again. What was not changed is not kept. Numbers and days have another form on the page.
const shown = (form, name) => form.elements[`was_${name}`]?.value;
const isChanged = (form) => ({ name, type, value, checked, was }) => was === undefined
  || (type === 'checkbox' ? checked !== (was === 'true') : value !== was && value !== form.elements[`was_${name}`].dataset.shown);

function keep({ target: form, defaultPrevented }) {
  if (defaultPrevented || form.getAttribute('method') !== 'post') return;
  const fields = [...form.elements].filter(isKept)
    .map(({ name, type, value, checked }) => ({ name, type, value, checked, was: shown(form, name) })).filter(isChanged(form));
  if (fields.length === 0) return;
  const at = page === location.pathname ? page + location.search : page;
  sessionStorage.setItem(kept, JSON.stringify({ who, at, which: which(form), fields }));
}

function fill(form, fields) {
  const left = [...form.elements].filter(isKept);
  for (const { name, type, value, checked, was } of fields) {
    const at = left.findIndex((field) => field.name === name && field.type === type && (type !== 'radio' || field.value === value));
    if (at < 0) continue;
    const [field] = left.splice(at, 1);
    if (type === 'checkbox' || type === 'radio') field.checked = checked;
    else field.value = value;
    if (was !== undefined && shown(form, name) !== undefined) form.elements[`was_${name}`].value = was;
  }
}

function tell(form) {
  for (let around = form.closest('details'); around; around = around.parentElement.closest('details')) around.open = true;
  const said = document.createElement('p');
  said.setAttribute('role', 'status');
  said.textContent = 'This is what you had typed when your session ended. It was not sent: check it, and send it again.';
  form.before(said);
  form.scrollIntoView({ block: 'center' });
  [...form.elements].find(isKept)?.focus({ preventScroll: true });
}

function restore(typed) {
  if (typed.who !== who) return; // somebody else has signed in
  const form = [...main.querySelectorAll('form')].find((each) => each.getAttribute('method') === 'post' && which(each) === typed.which);
  if (!form) return;
  fill(form, typed.fields);
  tell(form);
}

// Signing in leads to what the form is about. The form itself may have been on another page, or on a part of a list.
function begin() {
  const typed = JSON.parse(sessionStorage.getItem(kept) ?? 'null');
  if (returned && typed && typed.at !== location.pathname + location.search) {
    location.replace(typed.at + '#typed');
    return;
  }
  sessionStorage.removeItem(kept);
  if (!returned) return;
  history.replaceState(history.state, '', location.pathname + location.search);
  if (typed) restore(typed);
}

// A form that is sent twice is done once, but a browser shows the second answer, and only the first one has a new secret.
const sent = new WeakMap();

function once(event) {
  if (event.defaultPrevented) return; // it is sent later, with a passkey
  if (event.timeStamp - sent.get(event.target) < 2_000) event.preventDefault();
  else if (event.target.getAttribute('method') === 'post') sent.set(event.target, event.timeStamp);
}

addEventListener('submit', once);
addEventListener('submit', keep);
// Reading a page again that shows what was just made would make another one: then the page is asked for instead.
if (main.querySelector('[data-once]')) history.replaceState(history.state, '', page);
begin();
