package docs

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
)

// strictPolicy is the policy of pages without scripts. It allows only their stylesheet.
const strictPolicy = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// document is a file that does not change while the process runs.
type document struct {
	contentType string
	body        []byte
	policy      string // of its content; strictPolicy if empty
	compressed  bool   // body is compressed with gzip
}

// handler answers with the document, or with 304 if the client has it.
func (d document) handler() gin.HandlerFunc {
	sum := sha256.Sum256(d.body)
	name := hex.EncodeToString(sum[:16])
	d.policy = cmp.Or(d.policy, strictPolicy)
	return func(c *gin.Context) {
		header := c.Writer.Header()
		header.Set("Content-Security-Policy", d.policy)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("Cross-Origin-Opener-Policy", "same-origin")
		header.Set("Cross-Origin-Resource-Policy", "same-origin")
		header.Set("Cache-Control", "no-cache") // clients store it and revalidate it
		etag := `"` + name + `"`
		if d.compressed {
			header.Set("Vary", "Accept-Encoding")
			if takesGzip(c.GetHeader("Accept-Encoding")) {
				etag = `"` + name + `-gzip"`
				header.Set("Content-Encoding", "gzip")
			}
		}
		header.Set("ETag", etag)
		switch {
		case has(c.GetHeader("If-None-Match"), etag):
			header.Del("Content-Encoding")
			c.Status(http.StatusNotModified)
			c.Writer.WriteHeaderNow()
		case d.compressed && header.Get("Content-Encoding") == "":
			d.unpack(c)
		default:
			c.Data(http.StatusOK, d.contentType, d.body)
		}
	}
}

// unpack answers with the decompressed document.
func (d document) unpack(c *gin.Context) {
	plain, err := gzip.NewReader(bytes.NewReader(d.body))
	if err != nil {
		panic(fmt.Errorf("unpack document: %w", err)) // the document is compiled in
	}
	c.Header("Content-Type", d.contentType)
	c.Status(http.StatusOK)
	_, _ = io.Copy(c.Writer, plain) // the client has disconnected
}

// has reports whether If-None-Match names a document.
func has(known, etag string) bool {
	for one := range strings.SplitSeq(known, ",") {
		if strings.TrimPrefix(strings.TrimSpace(one), "W/") == etag {
			return true
		}
	}
	return false
}

// takesGzip reports whether Accept-Encoding names gzip.
func takesGzip(accepted string) bool {
	for one := range strings.SplitSeq(accepted, ",") {
		coding, parameters, err := mime.ParseMediaType(one)
		if err == nil && coding == "gzip" {
			return strings.Trim(parameters["q"], "0.") != "" || parameters["q"] == ""
		}
	}
	return false
}
