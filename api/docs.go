package api

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"levy/api/problem"

	"github.com/gin-gonic/gin"
)

// MountDocs serves the contract: /openapi.json for programs, /docs for people,
// and a page for each error code. No key is needed.
func (v *Validator) MountDocs(router gin.IRoutes) {
	reference := sync.OnceValues(func() (document, error) { return render("reference", newReferencePage(v.contract)) })
	problems := sync.OnceValues(renderProblems)

	router.GET("/openapi.json", func(c *gin.Context) {
		document{body: v.contract.json, etag: v.contract.etag}.serve(c, ContentTypeJSON)
	})
	router.GET("/docs", func(c *gin.Context) {
		page, err := reference()
		servePage(c, page, err)
	})
	router.GET("/docs/problems/:code", func(c *gin.Context) {
		pages, err := problems()
		page, known := pages[problem.Code(c.Param("code"))]
		if err == nil && !known {
			problem.Write(c, problem.New(problem.CodeRouteNotFound, ""))
			return
		}
		servePage(c, page, err)
	})
}

// document is something that stays the same as long as the process runs.
type document struct {
	body []byte
	etag string
}

func newDocument(body []byte) document {
	sum := sha256.Sum256(body)
	return document{body: body, etag: `"` + hex.EncodeToString(sum[:16]) + `"`}
}

// serve answers with the document, or with 304 if the client has it.
func (d document) serve(c *gin.Context, contentType string) {
	header := c.Writer.Header()
	header.Set("ETag", d.etag)
	header.Set("Cache-Control", "no-cache") // keep it, but ask whether it is still the same
	for _, known := range strings.Split(c.GetHeader("If-None-Match"), ",") {
		if strings.TrimPrefix(strings.TrimSpace(known), "W/") == d.etag {
			c.Status(http.StatusNotModified)
			c.Writer.WriteHeaderNow()
			return
		}
	}
	c.Data(http.StatusOK, contentType, d.body)
}

func servePage(c *gin.Context, page document, err error) {
	if err != nil {
		_ = c.Error(fmt.Errorf("render reference: %w", err))
		problem.Write(c, problem.New(problem.CodeInternalError, ""))
		return
	}
	c.Header("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	page.serve(c, "text/html; charset=utf-8")
}

func render(name string, data any) (document, error) {
	var b bytes.Buffer
	if err := docsTemplate.ExecuteTemplate(&b, name, data); err != nil {
		return document{}, err
	}
	return newDocument(b.Bytes()), nil
}

func renderProblems() (map[problem.Code]document, error) {
	pages := make(map[problem.Code]document, len(problem.Table))
	for code := range problem.Table {
		page, err := render("problem", newProblemPage(code))
		if err != nil {
			return nil, err
		}
		pages[code] = page
	}
	return pages, nil
}
