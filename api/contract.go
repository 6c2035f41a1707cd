package api

import (
	"github.com/gin-gonic/gin"

	"levy/api/docs"
	"levy/contract"
)

// mountDocs serves the contract, for programs at /openapi.json and for people at /docs. missing answers who asks for
// the page of a code that there is not. Errors: a page that cannot be rendered.
func mountDocs(router gin.IRoutes, missing gin.HandlerFunc) error {
	return docs.Mount(router, contract.JSON, missing)
}
