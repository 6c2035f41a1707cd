package docs

import _ "embed"

// rendererJS is Scalar's API reference, which draws the page from the contract. Of six
// renderers it alone has search, requests that can be tried, and samples in curl, Python,
// JavaScript and Go, and needs neither eval nor another host for them. It is kept
// compressed, as almost every browser takes it: 1.3 MB instead of 4.4.
//
// origin.json beside it says which version of which package it is; make vendor-docs
// brings another one.
//
//go:embed renderer/renderer.js.gz
var rendererJS []byte

// rendererPolicy lets the page load its own files and call its own origin, and nothing
// else, as the other pages do, with two differences that the renderer needs.
//
// Styles may be inline: its editor writes rules and its code samples attributes whose
// values are computed in the browser, so that no list of hashes covers them, and the
// editor gives its element no nonce. A style cannot send anything elsewhere, as images
// come from this origin and fonts from nowhere.
//
// Two trusted types policies may exist: "vue" is the renderer's own, "default" is that of
// start.js.
const rendererPolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self'; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'; trusted-types vue default"
