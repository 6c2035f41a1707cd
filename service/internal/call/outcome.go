package call

import (
	"bufio"
	"context"

	"levy/models"
)

// Outcome is what an operation says in addition to its answer.
type Outcome struct {
	Ignored      string         // names of the fields of the body that were not read
	Deprecated   []string       // names of the fields that the contract will remove
	Total        *int64         // of a list that is answered without its envelope
	Next         *string        // cursor of the page after that list
	Parts        PartWriter     // of a page of transactions that is answered in parts
	SessionBegun string         // token of the session that begins with the answer
	SessionEnded bool           // by the answer
	Replay       *models.Answer // stored answer to an idempotency key that was used before
	Encoded      []byte         // the answer, where it was stored
}

// SentUpload is a file that was stored while it arrived.
type SentUpload struct {
	Im     models.Import
	Queued bool // an import keeps it
}

// PartWriter writes the items of a page that is too large to be held.
type PartWriter func(ctx context.Context, to *bufio.Writer) error

// AnyScope is the scope of operations that every key may use: they are about its own organization or person.
const AnyScope models.APIKeyScope = "any"
