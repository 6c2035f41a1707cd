package models

import (
	"levy/tax/calendar"
	"levy/tax/postal"
)

// BoundaryLoad is the import of one boundary file.
type BoundaryLoad struct {
	ID       int64
	Records  int64 // of the file that are stored already
	Complete bool
}

// BoundaryChunk is what the next records of a boundary file add.
type BoundaryChunk struct {
	Records int64
	Sets    []BoundarySet // those that occur for the first time
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
	From, To  calendar.Date // To is 0 when open
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
