// Package csvfile reads the CSV files of merchants row by row, in bounded memory, from any row on. An unreadable row
// costs no other row.
//
// A row ends with LF, CRLF or CR. Cells are separated by one character; a cell in quotes may contain separators, line
// breaks and doubled quotes (RFC 4180). Empty lines are no rows. An unreadable row is reported with its fault and the
// cells before it. Reading continues after its first line break, so a quote without an end costs its own line only.
package csvfile
