package api

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"levy/contract"
	"levy/contract/problem"
	"levy/internal/pace"
	"levy/service"
)

// uploadWindow is the time over which a file has to arrive at the least rate: a line may stand still for a while.
const uploadWindow = time.Minute

// receive stores an uploaded file while it arrives.
func (s *Server) receive(c *gin.Context, limit int64, in *service.Input) (end func(), err error) {
	if refusal := uploadRefusal(c.Request, limit); refusal != nil {
		return func() {}, refusal
	}
	body := newUploadBody(c, limit, s.now)
	file := &contract.File{Type: "text/csv", Content: body}
	if end, err = s.service.ReceiveUpload(c.Request.Context(), file, limit, in); err == nil {
		body.received()
	}
	return end, err
}

// uploadRefusal returns the problem of the head of an upload; nil for none.
func uploadRefusal(r *http.Request, limit int64) *problem.Problem {
	if !acceptableEncoding(r.Header) || !isCSV(r.Header) {
		return problem.New(problem.CodeUnsupportedMediaType, "The file is sent as text/csv in UTF-8, not compressed.")
	}
	if r.ContentLength > limit {
		return readProblem(errTooLarge, limit)
	}
	return nil
}

// isCSV reports whether the header declares CSV in UTF-8.
func isCSV(h http.Header) bool {
	types := h.Values("Content-Type")
	if len(types) != 1 {
		return false
	}
	media, params, err := mime.ParseMediaType(types[0])
	charset, given := params["charset"]
	return err == nil && media == "text/csv" && (!given || strings.EqualFold(charset, "utf-8"))
}

// uploadBody is the body of an upload, which arrives at the least rate.
type uploadBody struct {
	*pace.Reader
	request *http.Request
	control *http.ResponseController
	limit   int64
	size    int64 // received bytes
}

func newUploadBody(c *gin.Context, limit int64, now func() time.Time) *uploadBody {
	control := http.NewResponseController(c.Writer)
	return &uploadBody{
		Reader:  pace.NewReader(c.Request.Body, control, uploadWindow, service.AnsweringTime, now),
		request: c.Request, control: control, limit: limit,
	}
}

// Read reads a piece. Errors: io.EOF, and *problem.Problem for a body that does not arrive to its end.
func (b *uploadBody) Read(piece []byte) (int, error) {
	n, err := io.ReadFull(b.Reader, piece)
	b.size += int64(n)
	switch {
	case err == nil:
		return n, nil
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF) && !broken(b.request, b.size):
		return n, io.EOF
	}
	return n, readProblem(err, b.limit)
}

// received starts the time of the answer.
func (b *uploadBody) received() { _ = b.control.SetWriteDeadline(time.Now().Add(responseTimeout)) }

// broken reports whether a body is shorter than announced.
func broken(r *http.Request, size int64) bool { return r.ContentLength >= 0 && size < r.ContentLength }
