package api

import (
	_ "embed"
	"fmt"
	"sync"

	"github.com/gin-gonic/gin"

	"levy/api/docs"
	"levy/contract/validate"
)

// contractJSON is openapi.yaml as programs read it: `make generate` writes it. What is served, what is checked and
// what /docs shows is this text, which never changes. A process that read YAML would need longer to start.
//
//go:embed openapi.gen.json
var contractJSON []byte

// loadContract reads the contract, once for the process.
var loadContract = sync.OnceValues(func() (*validate.Document, error) {
	document, err := validate.ReadDocument(contractJSON)
	if err != nil {
		return nil, fmt.Errorf("contract: %w", err)
	}
	return document, nil
})

// mountDocs serves the contract, for programs at /openapi.json and for people at /docs. missing answers who asks for
// the page of a code that there is not. Errors: a page that cannot be rendered.
func mountDocs(router gin.IRoutes, missing gin.HandlerFunc) error {
	return docs.Mount(router, contractJSON, missing)
}
