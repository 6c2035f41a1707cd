package api

import (
	"github.com/gin-gonic/gin"

	"levy/models"
	"levy/service"
)

// identify sets the request id and the headers of every answer.
func (s *Server) identify(c *gin.Context) {
	id := c.Request.Header.Get("X-Request-Id")
	if !acceptableRequestID(id) {
		id = models.NewID(models.PrefixRequest)
	}
	header := c.Writer.Header()
	header.Set("X-Request-Id", id)
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	if s.service.Draining() {
		header.Set("Connection", "close") // the next request goes to another process
	}
	if len(c.Request.TransferEncoding) > 0 || !c.Request.ProtoAtLeast(1, 1) {
		// A chunked request may have had a length in addition, which net/http drops. A proxy that used
		// that length would read what follows as another request. Of a request of HTTP/1.0 net/http drops the chunks
		// themselves.
		header.Set("Connection", "close")
	}
	c.Request = c.Request.WithContext(service.Begin(c.Request.Context(), id))
}

// acceptableRequestID reports whether a submitted request id may be used.
func acceptableRequestID(id string) bool {
	if len(id) < 1 || len(id) > 64 {
		return false
	}
	for i := range len(id) {
		switch b := id[i]; {
		case b >= 'A' && b <= 'Z', b >= 'a' && b <= 'z', b >= '0' && b <= '9', b == '.', b == '_', b == '-':
		default:
			return false
		}
	}
	return true
}
