// The pane of the queue: the card of a line, next to the list. Without this script its link reads the whole page.

const pane = document.getElementById('pane');
let asked = 0; // the newest answer counts

// opener returns the link of the list whose card is open.
const opener = () => [...document.querySelectorAll('#lines a[data-open]')].find(({ href }) => href === location.href);

function show(link) {
  const mine = ++asked;
  const follow = () => { if (mine === asked) location.assign(link.href); };
  const request = new XMLHttpRequest();
  request.open('GET', link.href);
  request.responseType = 'document';
  request.onload = () => {
    if (mine !== asked) return;
    const read = request.status === 200 ? request.response?.getElementById('pane') : null;
    if (!read) {
      follow();
      return;
    }
    const closed = pane.contains(link);
    pane.replaceChildren(...read.childNodes);
    // The focus goes from a card that is closed to the link that opened it.
    if (closed) opener()?.focus();
    history.replaceState(null, '', link.href);
    pane.firstElementChild?.scrollIntoView({ block: 'nearest' }); // below 80rem the pane is under the list
  };
  request.onerror = follow;
  request.send();
}

addEventListener('click', (event) => {
  const link = event.target.closest?.('a[data-open]');
  if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  show(link);
});
