package models

import (
	"levy/tax/calendar"
	"levy/tax/postal"
)

// BoundaryLoad is the import of one boundary file.
type BoundaryLoad struct {
	ID       int64
	Records  int64 // the stored records of the file
	Complete bool
}

// BoundaryChunk are the next records of a boundary file.
type BoundaryChunk struct {
	Records int64
	Sets    []BoundarySet // the sets that occur for the first time
	ZIPs    []BoundaryZIP
	Streets []BoundaryStreet
}

// BoundarySet is a set of jurisdictions, as in tax.BoundaryMatch.
type BoundarySet struct {
	No    int32
	Codes string
}

// BoundaryZIP is a range of ZIP+4 inside one ZIP, or (kind Z) the ZIP itself.
type BoundaryZIP struct {
	Kind      byte
	ZIP       string
	Low, High int16
	From, To  calendar.Date // To is 0 without an end
	Set       int32
}

// BoundaryStreet is a range of house numbers.
type BoundaryStreet struct {
	ZIP       string
	Street    postal.StreetAddress
	Low, High int64
	Side      byte // O, E or B
	From, To  calendar.Date
	Set       int32
}
