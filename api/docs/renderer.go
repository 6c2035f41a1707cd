package docs

import _ "embed"

// rendererJS is Scalar's API reference, which draws the page from the contract. Of six renderers only it has search,
// trial requests, and samples in curl, Python, JavaScript and Go. It needs neither eval nor another host.
// It is stored compressed, because almost every browser accepts that: 1.3 MB instead of 4.4.
//
// origin.json names the package and its version. make vendor-docs copies another version.
//
//go:embed renderer/renderer.js.gz
var rendererJS []byte

// rendererPolicy allows the page to load its own files and to call its own origin. It differs from the policy of the
// other pages in two exceptions that the renderer needs.
//
// Styles may be inline. The editor and the code samples compute rules and attributes in the browser, so no list
// of hashes covers them. The editor sets no nonce. A style cannot send data elsewhere, because images come from this
// origin and fonts from nowhere.
//
// Two policies of trusted types may exist: "vue" of the renderer and "default" of start.js.
const rendererPolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self'; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'; trusted-types vue default"
