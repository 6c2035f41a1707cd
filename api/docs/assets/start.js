// Prepares the page for the renderer, which is loaded after this file, and starts it.
'use strict';

// The library that checks the renderer's settings would otherwise try whether it may make
// code out of text. The content security policy forbids that and would report the attempt.
globalThis.__zod_globalConfig = {jitless: true};

// The renderer's editor draws its arrows from text. Beside what passes the renderer's own
// policy, no other text becomes HTML.
const icon = /^<svg(?: (?!on)[\w:-]+="[^"<>]*")*><path(?: (?!on)[\w:-]+="[^"<>]*")*\/><\/svg>$/;
globalThis.trustedTypes?.createPolicy('default', {createHTML: (text) => (icon.test(text) ? text : null)});

// The renderer knows these languages too. Four are shown: curl, Python, JavaScript and Go.
const hidden = Object.fromEntries([
  'c', 'clojure', 'csharp', 'dart', 'fsharp', 'http', 'java', 'julia', 'kotlin', 'node', 'objc', 'ocaml', 'php',
  'powershell', 'r', 'ruby', 'rust', 'swift',
].map((language) => [language, true]));

document.addEventListener('DOMContentLoaded', () => {
  Scalar.createApiReference('#reference', {
    url: '/openapi.json',
    documentDownloadType: 'direct',
    modelsSectionLabel: 'Schemas',
    orderSchemaPropertiesBy: 'preserve',
    defaultHttpClient: {targetKey: 'shell', clientKey: 'curl'},
    hiddenClients: {
      ...hidden,
      js: ['axios', 'jquery', 'ofetch', 'xhr'],
      python: ['aiohttp', 'httpx_async', 'httpx_sync', 'requests'], // all without their imports
      shell: ['httpie', 'wget'],
    },
    // Nothing of this page goes anywhere but to its own service.
    agent: {disabled: true},
    hideClientButton: true,
    mcp: {disabled: true},
    persistAuth: false,
    showDeveloperTools: 'never',
    telemetry: false,
    withDefaultFonts: false,
  });
});
