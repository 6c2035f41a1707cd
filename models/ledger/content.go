// Package ledger encodes what the ledger proves: accepted versions of transactions, decided liabilities and filed
// returns. A leaf of the ledger is a keyed hash of such a content. The encoding never changes: other fields need another
// kind of content.
package ledger

import (
	"encoding/binary"
	"time"

	"github.com/govalues/decimal"
)

// Kinds of content. They are stored in leaves, so they never change.
const (
	KindVersion  = 'V' // a version of a transaction, as it was accepted
	KindDecision = 'D' // the liability of a version, as the last stage decided it
	KindReturn   = 'R' // a filed return
	// Records of an earlier release have a leaf that was made afterwards. It counts only before the mark.
	KindEarlierVersion  = 'v'
	KindEarlierDecision = 'd'
	KindEarlierReturn   = 'r'
	KindMark            = 'C' // of an organization: from its seal on, every record has its leaf
)

// content is an encoding in progress. Each value has its length or a fixed size, so that no two contents are alike.
type content []byte

func (c *content) text(s string) {
	*c = binary.AppendUvarint(*c, uint64(len(s)))
	*c = append(*c, s...)
}

// optional tells an empty text from none.
func (c *content) optional(s *string) {
	if s == nil {
		*c = append(*c, 0)
		return
	}
	*c = append(*c, 1)
	c.text(*s)
}

func (c *content) integer(n int) { *c = binary.AppendVarint(*c, int64(n)) }

func (c *content) boolean(b bool) {
	if b {
		*c = append(*c, 1)
	} else {
		*c = append(*c, 0)
	}
}

// number encodes a value, whatever its trailing zeros: columns and documents keep different ones.
func (c *content) number(d decimal.Decimal) {
	d = d.Trim(0)
	*c = append(*c, byte(d.Sign()+1), byte(d.Scale()))
	*c = binary.AppendUvarint(*c, d.Coef())
}

func (c *content) optionalNumber(d *decimal.Decimal) {
	c.boolean(d != nil)
	if d != nil {
		c.number(*d)
	}
}

// instant encodes a time as the database keeps it, in microseconds.
func (c *content) instant(t time.Time) { *c = binary.AppendVarint(*c, t.UnixMicro()) }

func (c *content) day(t time.Time) { *c = t.AppendFormat(*c, time.DateOnly) }
