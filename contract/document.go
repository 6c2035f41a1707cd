package contract

import _ "embed"

// JSON is openapi.yaml as programs read it: `make generate` writes it. The service serves this text,
// checks requests against it and shows it at /docs. It never changes. It is JSON because a process that read YAML would
// need longer to start.
//
//go:embed openapi.gen.json
var JSON []byte
