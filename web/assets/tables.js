// A table is a stop of the keyboard only while it is wider than its place, so that its hidden part can be reached.
// Without this script every table is one.

const places = new ResizeObserver((changes) => {
  for (const { target } of changes) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute('tabindex');
  }
});
for (const place of document.querySelectorAll('.scroll[tabindex]')) places.observe(place);
