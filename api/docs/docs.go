// Package docs serves the documentation of the API: the contract for programs, the page "First call", all calls, and a
// page for each error code. It needs no key, and only the page on which calls are tried needs scripts.
package docs

import (
	_ "embed"

	"github.com/gin-gonic/gin"
)

const (
	typeHTML   = "text/html; charset=utf-8"
	typeCSS    = "text/css; charset=utf-8"
	typeScript = "text/javascript; charset=utf-8"
	typeJSON   = "application/json; charset=utf-8"
	typeText   = "text/plain; charset=utf-8"
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
	pages, err := newRenderer()
	if err != nil {
		return err
	}
	list, codes, err := pages.renderProblems()
	if err != nil {
		return err
	}
	for path, d := range map[string]document{
		"/openapi.json":     {contentType: typeJSON, body: contract},
		"/docs/reference":   {contentType: typeHTML, body: referenceHTML, policy: rendererPolicy},
		"/docs/start.js":    {contentType: typeScript, body: startJS},
		"/docs/renderer.js": {contentType: typeScript, body: rendererJS, compressed: true},
		"/docs/style.css":   {contentType: typeCSS, body: styleCSS},
		"/docs/problems":    list,
	} {
		router.GET(path, d.handler())
	}
	first, err := pages.renderFirstCall()
	if err != nil {
		return err
	}
	for path, d := range first {
		router.GET(path, d.handlerAtBase())
	}
	handlers := make(map[string]gin.HandlerFunc, len(codes))
	for code, page := range codes {
		handlers[code] = page.handler()
	}
	router.GET("/docs/problems/:code", func(c *gin.Context) {
		serve, known := handlers[c.Param("code")]
		if !known {
			notFound(c)
			return
		}
		serve(c)
	})
	pages.mountCalls(router, contract, notFound)
	return nil
}
