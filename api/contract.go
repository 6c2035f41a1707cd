package api

import (
	"github.com/gin-gonic/gin"

	"levy/api/docs"
	"levy/contract"
)

// mountDocs serves the contract at /openapi.json and its page at /docs. notFound answers requests for the page
// of an unknown code. Errors: a page that cannot be rendered.
func mountDocs(router gin.IRoutes, notFound gin.HandlerFunc) error {
	return docs.Mount(router, contract.JSON, notFound)
}
