// Package packed writes the explanations of transactions in a seventh of their bytes, and gives them back as they were,
// to the letter. Every explanation says much that others say too: the names of its members, laws, sentences. That
// stands once in a dictionary, and what is packed refers to it. So a sentence stays as it was said, however the program
// that reads it would put it today, and nothing has to be calculated again.
package packed

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/klauspost/compress/s2"
)

// ErrDictionary is returned for what was packed with a dictionary that this program does not have, or was not packed.
var ErrDictionary = errors.New("packed with a dictionary that is not known here")

// explanations is the dictionary, cut into lines to be readable. It has parts that many explanations share, the most
// frequent ones last, and one full explanation. Stored explanations can only be read with it, so it never changes. A
// new dictionary gets a new number.
//
//go:embed explanations.txt
var explanations string

// withExplanations begins bytes that are packed with the dictionary of that name.
const withExplanations byte = 1

var dictionary = s2.MakeDict([]byte(strings.ReplaceAll(explanations, "\n", "")), nil)

// buffers are for blocks that are being written, which at worst are longer than their content.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// Explanation packs the JSON of an explanation; nil for none.
func Explanation(json []byte) []byte {
	if json == nil {
		return nil
	}
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	block := dictionary.Encode(*buffer, json)
	*buffer = block[:0]
	return append([]byte{withExplanations}, block...)
}

// Column returns the SQL of the one column by which an explanation of a row of transaction_explanations is read. It is
// the JSON that earlier releases stored, else the packed form. A row with both was last written by an earlier release.
func Column(row string) string {
	return "coalesce(convert_to(" + row + ".body::text, 'UTF8'), " + row + ".packed)"
}

// JSON is an explanation, scanned from Column whichever of its forms the row has. It is nil when there is none.
type JSON []byte

// ScanBytes implements pgtype.BytesScanner: stored belongs to the connection, so it is copied. Errors: ErrDictionary,
// and those of packed bytes that are damaged.
func (j *JSON) ScanBytes(stored []byte) error {
	switch {
	case stored == nil:
		*j = nil
		return nil
	case len(stored) == 0:
		return ErrDictionary
	case stored[0] == '{':
		*j = bytes.Clone(stored)
		return nil
	case stored[0] != withExplanations:
		return ErrDictionary
	}
	read, err := dictionary.Decode(nil, stored[1:])
	if err != nil {
		return fmt.Errorf("unpack an explanation: %w", err)
	}
	*j = read
	return nil
}
