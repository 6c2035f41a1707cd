// A client on the page: its name, its status and the eight steps. Texts of clients are
// only ever set as text.

const signs = { COMPLETED: '✓', COMPENSATING: '↺', COMPENSATED: '–' };
const minute = 60_000; // in milliseconds
const template = document.getElementById('card');
// labelOf returns the label of a status. The page has those of its pills.
const labelOf = (status) => template.dataset[status.toLowerCase()] ?? status;

// isOver says whether an onboarding will not change any more.
export const isOver = (onboarding) => onboarding.status === 'COMPLETED' || onboarding.compensation?.status === 'DONE';

export class Card {
  constructor(client) {
    this.element = template.content.firstElementChild.cloneNode(true);
    this.part = (selector) => this.element.querySelector(selector);
    this.part('h2').id = 'client-' + client.id;
    this.element.setAttribute('aria-labelledby', 'client-' + client.id);
    this.element.dataset.id = client.id;
    this.part('.meta code').textContent = client.id;
    this.onboarding = null;
    this.rename(client);
  }

  rename(client) {
    this.client = client;
    this.name = client.name || client.external_id || client.id;
    this.part('h2').textContent = this.name;
  }

  // show paints an onboarding. It returns what is new in words, empty when nothing is.
  show(onboarding) {
    const before = this.onboarding;
    if (before && before.updated_at > onboarding.updated_at) return '';
    this.onboarding = onboarding;
    this.element.dataset.status = onboarding.status;
    this.part('.badge').textContent = labelOf(onboarding.status);
    this.part('.now').textContent = this.now();
    for (const step of onboarding.steps) this.showStep(step, before);
    const trouble = onboarding.steps.find((step) => step.error && step.status !== 'COMPLETED' && step.status !== 'COMPENSATED');
    this.part('.trouble').hidden = !trouble;
    this.part('.trouble').textContent = trouble ? `Step ${trouble.number}: ${trouble.error}` : '';
    this.tick();
    const moved = before && (before.status !== onboarding.status || before.current_step !== onboarding.current_step);
    return moved ? `${this.name}: ${labelOf(onboarding.status)}. ${this.now()}` : '';
  }

  showStep(step, before) {
    const item = this.part(`[data-number="${step.number}"]`);
    const done = step.status === 'COMPLETED';
    const fresh = before && before.steps[step.number - 1].status !== step.status;
    item.classList.toggle('fresh', Boolean(fresh));
    item.dataset.status = step.status;
    item.querySelector('.dot').textContent = signs[step.status] ?? step.number;
    const took = done && step.started_at && step.completed_at ? new Date(step.completed_at) - new Date(step.started_at) : 0;
    const word = step.status === 'PENDING' && this.onboarding.compensation ? 'Not reached' : labelOf(step.status);
    item.querySelector('.word').textContent = word + (took >= minute ? ` in ${span(took)}` : '');
    if (step.status === 'IN_PROGRESS') item.setAttribute('aria-current', 'step');
    else item.removeAttribute('aria-current');
  }

  now() {
    const { status, next_step: next, current_step: current, compensation, completed_steps: done } = this.onboarding;
    if (status === 'COMPLETED') return 'All eight steps are done.';
    if (compensation?.status === 'DONE') return 'Everything that was done is undone.';
    if (compensation) return current ? `Step ${current}, ${this.label(current)}, is being undone.` : 'The last of it is being undone.';
    return next ? `${done.length} of 8 done. Next: ${this.label(next)}.` : `${done.length} of 8 done.`;
  }

  label(number) {
    return this.part(`[data-number="${number}"]`).dataset.label.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
  }

  // tick brings the words about time up to date.
  tick() {
    if (!this.onboarding) return;
    const { updated_at: updated, expires_at: expires } = this.onboarding;
    const age = Date.now() - new Date(updated);
    const parts = [age < minute ? 'Changed just now' : `Changed ${span(age)} ago`];
    if (expires) parts.push(`expires in ${span(new Date(expires) - Date.now())}`);
    this.part('.when').textContent = parts.join(' · ');
  }
}

// span is a length of time of at least a minute, in its largest unit.
function span(milliseconds) {
  const [unit, size] = [['day', 1440 * minute], ['hour', 60 * minute], ['minute', minute]].find(([, size]) => milliseconds >= size) ?? ['minute', minute];
  const count = Math.max(1, Math.round(milliseconds / size));
  return `${count} ${unit}${count > 1 ? 's' : ''}`;
}
