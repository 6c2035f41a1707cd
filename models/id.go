package models

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Prefixes of identifiers: the part before the underscore names the kind of record.
const (
	PrefixOrganization    = "org"
	PrefixAPIKey          = "akey"
	PrefixProcess         = "proc"
	PrefixDetails         = "odet"
	PrefixBankDetails     = "bank"
	PrefixProduct         = "prod"
	PrefixCustomer        = "cust"
	PrefixTaxRegistration = "ctax"
	PrefixExemption       = "exmp"
	PrefixAttachment      = "attm"
	PrefixTransaction     = "txn"
	PrefixItem            = "txi"
	PrefixAddress         = "addr"
	PrefixBatch           = "batc"
	PrefixRegistration    = "regs"
	PrefixFiling          = "file"
	PrefixFilingEntry     = "fent"
	PrefixRecordedPayment = "fpay"
	PrefixRequest         = "req"
	PrefixAudit           = "audt"
	PrefixNexus           = "nexs"
	PrefixPhysicalNexus   = "phys"
	PrefixRateOverride    = "rato"
	PrefixSubmission      = "subm"
	PrefixOperatorKey     = "oper"
	PrefixWebhook         = "whep"
	PrefixDelivery        = "wdel"
	PrefixReplay          = "wrpl"
	PrefixMail            = "mail"
	PrefixEvent           = "evnt"
	PrefixUser            = "user"
	PrefixView            = "view"
	PrefixComment         = "cmnt"
	PrefixOnboardingLink  = "olnk"
	PrefixCalendarFeed    = "cfed"
	PrefixNotice          = "notc"
	PrefixNoticeDocument  = "ndoc"
)

// idAlphabet is Crockford's base 32 in lower case.
const idAlphabet = "0123456789abcdefghjkmnpqrstvwxyz"

// idDigits is the length of a UUID in that alphabet.
const idDigits = 26

// NewID returns a new identifier `<prefix>_<26 characters>`: a TypeID, which is a UUIDv7 in Crockford's base 32.
// Identifiers with one prefix sort by the time of their creation.
func NewID(prefix string) string {
	u := uuid.Must(uuid.NewV7())
	return prefix + "_" + digitsOf(binary.BigEndian.Uint64(u[:8]), binary.BigEndian.Uint64(u[8:]))
}

// FirstID returns an id that sorts before or at every identifier with that prefix that is created at or after t.
func FirstID(prefix string, t time.Time) string {
	return prefix + "_" + digitsOf(uint64(max(0, t.UnixMilli()))<<16, 0)
}

func digitsOf(hi, lo uint64) string {
	var digits [idDigits]byte
	for i := idDigits - 1; i >= 0; i-- {
		digits[i] = idAlphabet[lo&31]
		lo = lo>>5 | hi<<59
		hi >>= 5
	}
	return string(digits[:])
}

// numberOf decodes the result of digitsOf.
func numberOf(digits string) (hi, lo uint64) {
	for i := range len(digits) {
		hi = hi<<5 | lo>>59
		lo = lo<<5 | uint64(strings.IndexByte(idAlphabet, digits[i]))
	}
	return hi, lo
}

// IsID reports whether s has the form of an identifier with that prefix. It does not check that the record exists.
func IsID(prefix, s string) bool {
	rest, ok := strings.CutPrefix(s, prefix+"_")
	if !ok || len(rest) != idDigits || rest[0] > '7' { // the first digit carries three bits
		return false
	}
	for i := range len(rest) {
		if strings.IndexByte(idAlphabet, rest[i]) < 0 {
			return false
		}
	}
	return true
}

// IDNumber returns the number of an identifier with that prefix in 16 bytes, which sort as the identifiers do. ok is false
// for anything else.
func IDNumber(prefix, id string) (number [16]byte, ok bool) {
	if !IsID(prefix, id) {
		return number, false
	}
	hi, lo := numberOf(id[len(prefix)+1:])
	binary.BigEndian.PutUint64(number[:8], hi)
	binary.BigEndian.PutUint64(number[8:], lo)
	return number, true
}

// IDOf returns the identifier with that prefix and number.
func IDOf(prefix string, number [16]byte) string {
	return prefix + "_" + digitsOf(binary.BigEndian.Uint64(number[:8]), binary.BigEndian.Uint64(number[8:]))
}

// IDsIn returns the distinct identifiers with one of the prefixes in a JSON document. It does not parse the document.
func IDsIn(document []byte, prefixes ...string) (ids []string) {
	for _, prefix := range prefixes {
		mark := []byte(`"` + prefix + `_`)
		for _, after, found := bytes.Cut(document, mark); found; _, after, found = bytes.Cut(after, mark) {
			id := prefix + "_" + string(after[:min(len(after), idDigits)])
			if IsID(prefix, id) && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}
