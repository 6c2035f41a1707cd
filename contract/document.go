package contract

import _ "embed"

// JSON is openapi.yaml as programs read it: `make generate` writes it. What is served, what is checked and
// what /docs shows is this text, which never changes. A process that read YAML would need longer to start.
//
//go:embed openapi.gen.json
var JSON []byte
