// Package docs serves the documentation of the API: the contract for programs, its page for people, and a page for each
// error code. It needs no key.
package docs

import (
	_ "embed"

	"github.com/gin-gonic/gin"

	"levy/contract/problem"
)

const (
	typeHTML   = "text/html; charset=utf-8"
	typeCSS    = "text/css; charset=utf-8"
	typeScript = "text/javascript; charset=utf-8"
	typeJSON   = "application/json; charset=utf-8"
)

//go:embed assets/start.js
var startJS []byte

//go:embed assets/style.css
var styleCSS []byte

//go:embed assets/reference.html
var referenceHTML []byte

// Mount adds the routes. contract is the OpenAPI document as JSON. notFound answers requests for the page
// of an unknown code. Errors: a page that cannot be rendered.
func Mount(router gin.IRoutes, contract []byte, notFound gin.HandlerFunc) error {
	list, pages, err := renderProblems()
	if err != nil {
		return err
	}
	for path, d := range map[string]document{
		"/openapi.json":     {contentType: typeJSON, body: contract},
		"/docs":             {contentType: typeHTML, body: referenceHTML, policy: rendererPolicy},
		"/docs/start.js":    {contentType: typeScript, body: startJS},
		"/docs/renderer.js": {contentType: typeScript, body: rendererJS, compressed: true},
		"/docs/style.css":   {contentType: typeCSS, body: styleCSS},
		"/docs/problems":    list,
	} {
		router.GET(path, d.handler())
	}
	handlers := make(map[problem.Code]gin.HandlerFunc, len(pages))
	for code, page := range pages {
		handlers[code] = page.handler()
	}
	router.GET("/docs/problems/:code", func(c *gin.Context) {
		serve, known := handlers[problem.Code(c.Param("code"))]
		if !known {
			notFound(c)
			return
		}
		serve(c)
	})
	return nil
}
