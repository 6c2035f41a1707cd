// A form with a passkey asks the browser for it, and is sent with the answer. Without this script such a form stays hidden.

async function read(path) {
  const response = await fetch(path, { credentials: 'same-origin', cache: 'no-store', redirect: 'error' });
  if (!response.ok) throw new Error('Levy does not answer now. Try again in a minute.');
  return response.json();
}

// challenges obtain a new challenge for what the form does.
const challenges = {
  sign_in: () => read('/v1/session/passkey_challenge'),
  proof: async () => (await read('/v1/session/passkeys')).proof,
  registration: async () => (await read('/v1/session/passkeys')).registration,
};

async function ask(purpose) {
  const { token, options, unavailable } = await challenges[purpose]();
  if (unavailable) throw new Error(unavailable);
  const credential = purpose === 'registration'
    ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
    : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
  return { token, answer: JSON.stringify(credential.toJSON()) };
}

// refusals are the messages for errors of the browser, by their names.
const refusals = {
  NotAllowedError: 'No passkey was used: there is none for this address, or you have cancelled. Try again.',
  InvalidStateError: 'This device has a passkey of yours already.',
  SecurityError: 'Passkeys belong to another address of this installation. Open that one.',
};

function prepare(form) {
  const { passkey, passkey_token: token } = form.elements;
  const said = form.querySelector('[role=status]');
  form.hidden = false;
  if (!window.PublicKeyCredential?.parseRequestOptionsFromJSON) {
    said.textContent = 'This browser cannot use passkeys here: it is too old, or the address has no TLS.';
    form.querySelector('button').disabled = true;
    return;
  }
  addEventListener('pageshow', () => { passkey.value = ''; }); // a page that is shown again has a used one
  form.addEventListener('submit', async (event) => {
    if (passkey.value) return;
    event.preventDefault();
    said.textContent = 'Your browser asks for the passkey.';
    try {
      ({ token: token.value, answer: passkey.value } = await ask(form.dataset.passkey));
      form.requestSubmit();
    } catch (error) {
      said.textContent = refusals[error.name] ?? error.message;
    }
  });
}

document.querySelectorAll('form[data-passkey]').forEach(prepare);
