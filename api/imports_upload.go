package api

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"levy/contract/problem"
	"levy/internal/csvfile"
	"levy/models"
)

const (
	// uploadPiece is the size in bytes of the parts in which a file is read and stored.
	uploadPiece = 1 << 20
	// uploadTimeout is how long a client may take to send a piece, and longestUpload
	// the whole file.
	uploadTimeout = 60 * time.Second
	longestUpload = time.Hour
	// maxUploads is how many files arrive at once, and maxUploadsOfOne how many of one
	// partner.
	maxUploads, maxUploadsOfOne = 4, 2
)

// sentUpload is a file that was stored while it arrived.
type sentUpload struct {
	im     models.Import
	queued bool // an import keeps it
}

// receive stores the body of an operation that takes a file while it arrives. What
// comes after it finds the upload in the call and, as the raw body, the hash of the
// file: so the same file is the same request. An upload of which no
// import is made is deleted.
func (s *Server) receive(limit int64) gin.HandlerFunc {
	return func(c *gin.Context) {
		if refusal := uploadRefusal(c.Request, limit); refusal != nil {
			writeProblem(c, refusal)
			return
		}
		call := callOf(c.Request.Context())
		release, ok := s.uploads.TryAcquire(call.principal.PartnerID(), 1)
		if !ok {
			writeProblem(c, problem.New(problem.CodeRateLimited, "Too many files arrive at this moment.").
				With("limit_type", "concurrency"))
			return
		}
		defer release()
		ctx, cancel := context.WithTimeout(c.Request.Context(), longestUpload)
		defer cancel()
		u := &upload{server: s, scope: call.scope, id: models.NewID(models.PrefixBatch), limit: limit, hash: sha256.New()}
		if err := s.deps.Imports.BeginImport(ctx, u.scope, u.id); err != nil {
			s.fail(c, err)
			return
		}
		call.upload = &sentUpload{}
		defer func() {
			if !call.upload.queued { // also when the client has disconnected
				_ = s.deps.Imports.DropUpload(context.WithoutCancel(c.Request.Context()), u.scope, u.id)
			}
		}()
		if refusal, err := u.store(ctx, c); err != nil {
			s.fail(c, err)
			return
		} else if refusal != nil {
			writeProblem(c, refusal)
			return
		}
		call.upload.im = u.result()
		c.Set(rawBodyKey{}, []byte(hex.EncodeToString(call.upload.im.SHA256)))
		c.Next()
	}
}

// uploadRefusal is what the head of a request says against receiving its file, nil for
// nothing.
func uploadRefusal(r *http.Request, limit int64) *problem.Problem {
	if !acceptableEncoding(r.Header) || !isCSV(r.Header) {
		return problem.New(problem.CodeUnsupportedMediaType, "The file is sent as text/csv in UTF-8, not compressed.")
	}
	if r.ContentLength > limit {
		return readProblem(errTooLarge, limit)
	}
	return nil
}

// readBody reads the body of an operation, in the way that is its own.
func (s *Server) readBody(v *Validator, op *operation, importLimit int64) gin.HandlerFunc {
	if !op.upload {
		return v.ReadBody()
	}
	return s.receive(cmp.Or(importLimit, op.bodyLimit))
}

// isCSV reports whether a request says that its body is CSV in UTF-8.
func isCSV(h http.Header) bool {
	types := h.Values("Content-Type")
	if len(types) != 1 {
		return false
	}
	media, params, err := mime.ParseMediaType(types[0])
	charset, given := params["charset"]
	return err == nil && media == "text/csv" && (!given || strings.EqualFold(charset, "utf-8"))
}

// upload is a file while it arrives.
type upload struct {
	server *Server
	scope  models.Scope
	id     string
	limit  int64

	size      int64
	hash      hash.Hash
	header    csvfile.Row
	columns   []string
	separator byte             // what separates cells
	first     csvfile.Position // after the header
	tail      []byte           // the end of the previous piece
	refunds   bool
}

// store stores the file piece by piece. The problem is one of the client's.
func (u *upload) store(ctx context.Context, c *gin.Context) (*problem.Problem, error) {
	control := http.NewResponseController(c.Writer)
	piece := make([]byte, uploadPiece)
	for {
		// A writer of a test has no deadlines, and needs none.
		_ = control.SetReadDeadline(time.Now().Add(uploadTimeout))
		_ = control.SetWriteDeadline(time.Now().Add(uploadTimeout + answeringTime))
		n, err := io.ReadFull(c.Request.Body, piece)
		ended := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) && !broken(c.Request, u.size+int64(n))
		if err != nil && !ended {
			return readProblem(err, u.limit), nil
		}
		if u.size+int64(n) > u.limit {
			return readProblem(errTooLarge, u.limit), nil
		}
		if u.size == 0 {
			if refusal := u.readHeader(piece[:n]); refusal != nil {
				return refusal, nil
			}
		}
		if n > 0 {
			u.scan(piece[:n])
			if err := u.server.deps.Imports.AddImportPiece(ctx, u.scope, u.id, u.size, piece[:n]); err != nil {
				return nil, err
			}
			u.size += int64(n)
		}
		if ended {
			// The answer has its own time.
			_ = control.SetWriteDeadline(time.Now().Add(responseTimeout))
			return nil, nil
		}
	}
}

// broken reports whether a body that ended is shorter than it was announced.
func broken(r *http.Request, size int64) bool { return r.ContentLength >= 0 && size < r.ContentLength }

// readHeader reads the header row of a file from its first piece.
func (u *upload) readHeader(piece []byte) *problem.Problem {
	if bytes.HasPrefix(piece, []byte{0xff, 0xfe}) || bytes.HasPrefix(piece, []byte{0xfe, 0xff}) {
		return problem.ValidationFailed(problem.Field(
			problem.FieldInvalidFormat, "body", "The file is in UTF-16. Save it as CSV UTF-8.",
		))
	}
	u.separator = csvfile.Separator(bytes.TrimPrefix(piece, []byte("\xef\xbb\xbf")))
	reader := csvfile.NewReader(bytes.NewReader(piece), csvfile.Position{Line: 1}, u.separator)
	var err error
	if u.header, err = reader.Next(); err != nil {
		return problem.ValidationFailed(problem.Field(problem.FieldMissing, "body", "The file is empty."))
	}
	columns, faults := readImportHeader(u.header)
	if faults != nil {
		refusal := problem.ValidationFailed(faults...)
		refusal.Detail = "The header of the file is not in order."
		return refusal
	}
	u.columns, u.first = columns, reader.Position()
	return nil
}

// refundTypes are in every file that has refunds.
var refundTypes = [][]byte{[]byte("CREDIT_NOTE"), []byte(models.TypeTaxRefund)}

// scan hashes a piece and checks whether the file has refunds: then it is read twice,
// because a refund needs its original.
func (u *upload) scan(piece []byte) {
	u.hash.Write(piece)
	seam := append(u.tail, piece[:min(len(piece), 16)]...)
	for _, word := range refundTypes {
		u.refunds = u.refunds || bytes.Contains(piece, word) || bytes.Contains(seam, word)
	}
	u.tail = append([]byte(nil), piece[max(0, len(piece)-16):]...)
}

// result is the import that the file will be.
func (u *upload) result() models.Import {
	im := models.Import{
		OrganizationID: u.scope.OrganizationID, ID: u.id, Size: u.size, SHA256: u.hash.Sum(nil),
		Separator: string(u.separator),
		Columns:   u.columns, HeaderSize: u.first.Offset, HeaderLines: u.first.Line - 1, Passes: 1,
		CreatedAt: instant(u.server.now()),
	}
	if u.refunds {
		im.Passes = 2
	}
	return im
}
