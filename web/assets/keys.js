// Keys of the pages: "/" and Ctrl-K find, "?" lists all keys. In the queue j and k move, x selects, e opens the
// card of the line, or else what it is about. A person may switch the single keys off (WCAG 2.1.4). Without this script
// the same things are links and boxes.

const help = document.getElementById('keys');
const find = document.getElementById('find');
const lines = () => [...document.querySelectorAll('[data-line]')];
const setting = 'single keys';
const areOn = () => localStorage.getItem(setting) !== 'off';

const isTyping = ({ target }) => target.closest('input:not([type=checkbox]), textarea, select, [contenteditable]') !== null;

function search(event) {
  if (!find) return;
  event.preventDefault();
  find.focus();
  find.select();
}

// move puts the focus on the link of the next line, or of the one before. The page of a record has no lines: it leads to
// the next record of the queue, or back to the list.
function move(by) {
  const all = lines();
  if (all.length === 0) {
    document.querySelector(by > 0 ? '[data-next]' : '[data-back]')?.click();
    return;
  }
  const at = all.findIndex((line) => line.contains(document.activeElement));
  const line = all[at < 0 ? 0 : Math.min(Math.max(at + by, 0), all.length - 1)];
  line?.querySelector('a')?.focus();
}

const ofLine = (selector) => document.activeElement.closest('[data-line]')?.querySelector(selector);

const single = {
  '/': search,
  '?': () => help.showModal(),
  j: () => move(1),
  k: () => move(-1),
  x: () => ofLine('input[type=checkbox]')?.click(),
  e: () => (ofLine('a[data-open]') ?? ofLine('a'))?.click(),
};

addEventListener('keydown', (event) => {
  if (event.key === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
    search(event);
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event) || help?.open || !areOn()) return;
  single[event.key]?.(event);
});

// Each of these needs this script, so they are hidden without it.
for (const button of document.querySelectorAll('[data-keys]')) {
  button.hidden = false;
  button.addEventListener('click', () => help.showModal());
}
const box = document.getElementById('single-keys');
if (box) {
  box.checked = areOn();
  box.addEventListener('change', () => {
    if (box.checked) localStorage.removeItem(setting);
    else localStorage.setItem(setting, 'off');
  });
}
const all = document.getElementById('select-all');
if (all) {
  all.closest('[hidden]').hidden = false;
  all.addEventListener('change', () => {
    for (const each of document.querySelectorAll('[data-line] input[type=checkbox]')) each.checked = all.checked;
  });
}
