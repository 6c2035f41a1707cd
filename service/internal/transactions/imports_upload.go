package transactions

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"

	"levy/contract"
	"levy/contract/problem"
	"levy/internal/csvfile"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/service/limit"
)

// uploadPiece is the size in bytes of the pieces in which a file is read and stored.
const uploadPiece = 1 << 20

// Uploads are the files that arrive at once. Each takes a piece of memory.
var Uploads = limit.Sizes{Total: 24, Partner: 16, Alone: 20, Organization: 2}

// StoreUpload stores a file while it arrives. columns are the names of its columns, which take the place of those of its header;
// "" for none. The caller calls end after the request, which deletes an upload without an import. Errors: *problem.Problem for a
// refused file, and those of the records.
func (o *Operations) StoreUpload(
	ctx context.Context, file *contract.File, columns string, limit int64,
) (stored *call.StoredUpload, end func(), err error) {
	c := call.Of(ctx)
	release, ok := o.uploads.TryAcquire(c.Principal.PartnerID(), c.Scope.OrganizationID, 1)
	if !ok {
		return nil, func() {}, problem.New(problem.CodeRateLimited, "Too many files arrive at this moment.").
			With("limit_type", "concurrency")
	}
	u := &Upload{operations: o, scope: c.Scope, id: models.NewID(models.PrefixBatch), Columns: columns, Limit: limit, hash: sha256.New()}
	if err := o.deps.Imports.BeginImport(ctx, u.scope, u.id); err != nil {
		return nil, release, err
	}
	sent := &call.StoredUpload{}
	end = func() {
		if !sent.Queued { // also after the client has disconnected
			_ = o.deps.Imports.DropUpload(context.WithoutCancel(ctx), u.scope, u.id)
		}
		release()
	}
	if err := u.Store(ctx, file); err != nil {
		return nil, end, err
	}
	sent.Im = u.result()
	return sent, end, nil
}

// Upload is a file while it arrives.
type Upload struct {
	operations *Operations
	scope      models.Scope
	id         string
	Columns    string // assigned names of the columns
	Limit      int64

	size      int64
	hash      hash.Hash
	header    csvfile.Row
	columns   []string
	separator byte             // character between cells
	first     csvfile.Position // after the header
	tail      []byte           // the end of the previous piece
	refunds   bool
	orders    *dateOrders
}

// Store stores the file piece by piece. Errors: *problem.Problem for a refused file, those of its content and
// of the records.
func (u *Upload) Store(ctx context.Context, file *contract.File) error {
	piece := make([]byte, uploadPiece)
	for {
		n, err := fill(piece, file.Content)
		ended := errors.Is(err, io.EOF)
		if err != nil && !ended {
			return err
		}
		if u.size+int64(n) > u.Limit {
			return problem.New(problem.CodePayloadTooLarge, "").With("limit_bytes", u.Limit)
		}
		if u.size == 0 {
			if err := u.readHeader(piece[:n]); err != nil {
				return err
			}
		}
		if n > 0 {
			u.scan(piece[:n])
			if err := u.operations.deps.Imports.AddImportPiece(ctx, u.scope, u.id, u.size, piece[:n]); err != nil {
				return err
			}
			u.size += int64(n)
		}
		if ended {
			return nil
		}
	}
}

// fill reads until a piece is full. Unlike io.ReadFull it distinguishes the end of a file from a broken connection.
// Errors: those of the reader, io.EOF with the last piece.
func fill(piece []byte, from io.Reader) (n int, err error) {
	for n < len(piece) && err == nil {
		var more int
		more, err = from.Read(piece[n:])
		n += more
	}
	return n, err
}

// readHeader reads the header row of a file from its first piece. Errors: *problem.Problem.
func (u *Upload) readHeader(piece []byte) error {
	if bytes.HasPrefix(piece, []byte{0xff, 0xfe}) || bytes.HasPrefix(piece, []byte{0xfe, 0xff}) {
		return problem.ValidationFailed(models.Fault{
			Code: models.FieldInvalidFormat, Message: "The file is in UTF-16. Save it as CSV UTF-8.",
		})
	}
	u.separator = csvfile.Separator(bytes.TrimPrefix(piece, []byte("\xef\xbb\xbf")))
	reader := csvfile.NewReader(bytes.NewReader(piece), csvfile.Position{Line: 1}, u.separator)
	var err error
	if u.header, err = reader.Next(); err != nil {
		return problem.ValidationFailed(models.Fault{Code: models.FieldMissing, Message: "The file is empty."})
	}
	if u.Columns != "" {
		names := strings.Split(u.Columns, ",")
		if len(names) != len(u.header.Cells) {
			return problem.ValidationFailed(models.Fault{
				Code: models.FieldMismatch, In: models.InQuery, Path: "columns",
				Message: fmt.Sprintf("%d columns are named, and the header of the file has %d.", len(names), len(u.header.Cells)),
			})
		}
		u.header.Cells = names
	}
	columns, faults := readImportHeader(u.header, u.Columns != "")
	if faults != nil {
		refusal := problem.ValidationFailed(faults...)
		refusal.Detail = "The header of the file is not in order."
		return refusal
	}
	u.columns, u.first = columns, reader.Position()
	u.orders = newDateOrders(columns, u.first, u.separator)
	return nil
}

// RefundTypes are texts of which every file with refunds contains one.
var RefundTypes = [][]byte{[]byte("CREDIT_NOTE"), []byte(models.TypeTaxRefund)}

// scan hashes a piece, and looks for refunds and the order of dates. The import reads a file with refunds twice, because a
// refund needs its original.
func (u *Upload) scan(piece []byte) {
	u.hash.Write(piece)
	seam := append(u.tail, piece[:min(len(piece), 16)]...)
	for _, word := range RefundTypes {
		u.refunds = u.refunds || bytes.Contains(piece, word) || bytes.Contains(seam, word)
	}
	u.orders.scan(piece[max(0, u.first.Offset-u.size):]) // without the header, which the first piece has
	u.tail = append([]byte(nil), piece[max(0, len(piece)-16):]...)
}

// result returns the import of the file.
func (u *Upload) result() models.Import {
	im := models.Import{
		OrganizationID: u.scope.OrganizationID, ID: u.id, Kind: kindOfHeader(u.columns), Size: u.size, SHA256: u.hash.Sum(nil),
		Separator: string(u.separator),
		Columns:   u.columns, DateOrder: u.orders.order(), HeaderSize: u.first.Offset, HeaderLines: u.first.Line - 1, Passes: 1,
		CreatedAt: convert.Instant(u.operations.now()),
	}
	if u.refunds && im.Kind == models.ImportTransactions {
		im.Passes = 2
	}
	return im
}
