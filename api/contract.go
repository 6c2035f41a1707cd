package api

import (
	_ "embed"

	"github.com/gin-gonic/gin"

	"levy/api/docs"
)

// contractJSON is openapi.yaml as programs read it: `make generate` writes it. What is served, what is checked and
// what /docs shows is this text, which never changes. A process that read YAML would need longer to start.
//
//go:embed openapi.gen.json
var contractJSON []byte

// mountDocs serves the contract, for programs at /openapi.json and for people at /docs. missing answers who asks for
// the page of a code that there is not. Errors: a page that cannot be rendered.
func mountDocs(router gin.IRoutes, missing gin.HandlerFunc) error {
	return docs.Mount(router, contractJSON, missing)
}
