// Package csvfile reads the CSV files of merchants: row by row in bounded memory,
// from any row on, and so that a row that cannot be read costs no other.
//
// A row ends with LF, CRLF or CR. Cells are separated by one character; a cell in
// quotes may hold separators, line breaks and doubled quotes (RFC 4180). Empty lines
// are no rows. A row that is not readable is reported with what is wrong and with the
// cells before that place, and reading goes on behind its first line break: a quote
// that nobody closes takes the rest of its own line only.
package csvfile
