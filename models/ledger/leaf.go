package ledger

import "levy/models"

// DigestSize is the length of the keyed hash of a content in bytes: SHA-256, cut.
const DigestSize = 20

// numberSize is the length of an id without its prefix.
const numberSize = 16

// Size is the length of a leaf that names its record, as the seals have it.
const Size = 1 + numberSize + DigestSize

// Leaf is a hash with the record that it is of.
type Leaf struct {
	Kind   byte
	ID     string
	Digest []byte
}

// prefixes are those of the ids of records, by kind of leaf.
var prefixes = map[byte]string{
	KindVersion: models.PrefixTransaction, KindDecision: models.PrefixTransaction, KindReturn: models.PrefixFiling,
	KindEarlierVersion: models.PrefixTransaction, KindEarlierDecision: models.PrefixTransaction,
	KindEarlierReturn: models.PrefixFiling, KindMark: models.PrefixOrganization,
}

// Append appends the leaf in Size bytes. It appends nothing without a hash, or for an id that Levy did not create.
func (l Leaf) Append(to []byte) []byte {
	number, ok := models.IDNumber(prefixes[l.Kind], l.ID)
	if !ok || len(l.Digest) != DigestSize {
		return to
	}
	to = append(to, l.Kind)
	to = append(to, number[:]...)
	return append(to, l.Digest...)
}

// Parse is the reverse of Append for one leaf.
func Parse(leaf []byte) Leaf {
	return Leaf{
		Kind: leaf[0], ID: models.IDOf(prefixes[leaf[0]], [numberSize]byte(leaf[1:1+numberSize])),
		Digest: leaf[1+numberSize:],
	}
}
