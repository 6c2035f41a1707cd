package returns

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"

	"levy/models"
	"levy/tax/calendar"
)

// IDs are how an authority recognises a document that it gets again. They are of one attempt, and are never used twice.
type IDs struct{ Transmitter, Transmission, Document string }

// OwnTransmitter is the transmitter of files that people upload, which name none.
const OwnTransmitter = "LEVY-FILE"

// sequences is how many ids one transmitter has on a day: six letters or digits.
const sequences = 36 * 36 * 36 * 36 * 36 * 36

// NewIDs returns the ids of an attempt. They are transmitter, two digits of the year, three of the day of the year, and
// six characters that follow from the attempt. Other attempts may have the same six, so the store decides. n is how often that
// has happened.
func NewIDs(transmitter string, day calendar.Date, attempt models.AuthorityKey, n int) IDs {
	id := func(of string) string {
		sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %s %d %s", attempt.OrganizationID, attempt.Kind, attempt.RecordID,
			attempt.Attempt, of))
		number := (binary.BigEndian.Uint64(sum[:]) + uint64(n)) % sequences
		return fmt.Sprintf("%s%s%03d%s", transmitter, day.Time().Format("06"), day.Time().YearDay(), base36(number))
	}
	return IDs{Transmitter: transmitter, Transmission: id("transmission"), Document: id("document")}
}

// base36 returns a number in six characters.
func base36(n uint64) string {
	const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	var text [6]byte
	for i := len(text) - 1; i >= 0; i-- {
		text[i] = digits[n%uint64(len(digits))]
		n /= uint64(len(digits))
	}
	return string(text[:])
}

// previewIDs are those of a preview.
func previewIDs() IDs {
	const longest = 20
	zeros := strings.Repeat("0", longest)
	return IDs{Transmission: zeros, Document: zeros}
}
