package call

import (
	"bufio"
	"context"

	"levy/models"
)

// Outcome is the part of a result that is not in the body of the answer.
type Outcome struct {
	Ignored      string         // names of ignored fields of the body
	Deprecated   []string       // names of deprecated fields of the body
	Total        *int64         // length of a list that is answered without its envelope
	Next         *string        // cursor of the next page of that list
	Parts        PartWriter     // writer of a large page of transactions
	SessionBegun string         // token of the session that begins with the answer
	DeviceKnown  string         // cookie of the device by which it begins
	SessionEnded bool           // the session ends with the answer
	Replay       *models.Answer // stored answer to an idempotency key that was used before
	Encoded      []byte         // the encoded answer, if it was stored
}

// StoredUpload is a file that was stored while it arrived.
type StoredUpload struct {
	Im     models.Import
	Queued bool // an import uses it
}

// PartWriter writes the items of a page that is too large for memory.
type PartWriter func(ctx context.Context, to *bufio.Writer) error

// AnyScope is the scope of operations that every key may use, because they concern its own organization or person.
const AnyScope models.APIKeyScope = "any"
