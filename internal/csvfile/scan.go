package csvfile

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// scanned is what a scan of the beginning of a buffer found.
type scanned struct {
	cells    []string
	size     int  // bytes of the row with its end
	lines    int  // line breaks in them
	open     bool // the row goes on behind the buffer
	quoted   int  // column whose quotes are open, from 1; 0 for none
	inQuotes bool // some cell is in quotes, so that a row of one empty cell is a row
	fault    *Fault
}

// unfinished is the fault of a row that is larger than any may be.
func (s *scanned) unfinished() *Fault {
	if s.quoted > 0 {
		return &Fault{s.quoted, FaultQuotes, fmt.Sprintf("The quotes are not closed within %d KiB.", MaxRow>>10)}
	}
	return &Fault{0, FaultTooLong, fmt.Sprintf("The row is longer than %d KiB.", MaxRow>>10)}
}

// scan reads one row. last says that nothing follows the buffer.
func scan(buffer []byte, separator byte, last bool) (s scanned) {
	at := 0
	for {
		if len(s.cells) == MaxCells {
			s.fault = &Fault{0, FaultTooMany, fmt.Sprintf("The row has more than %d cells.", MaxCells)}
			return s
		}
		var cell string
		if at < len(buffer) && buffer[at] == '"' {
			cell, at = s.quotedCell(buffer, at, last)
		} else {
			cell, at = s.plainCell(buffer, at, separator, last)
		}
		if s.open || s.fault != nil {
			return s
		}
		s.cells = append(s.cells, cell)
		switch {
		case at == len(buffer):
			s.size = at
			return s
		case buffer[at] == separator:
			at++
		case buffer[at] == '\n':
			s.size, s.lines = at+1, s.lines+1
			return s
		case buffer[at] == '\r':
			at++
			if at == len(buffer) && !last {
				s.open = true
				return s
			}
			if at < len(buffer) && buffer[at] == '\n' {
				at++
			}
			s.size, s.lines = at, s.lines+1
			return s
		default:
			s.cells = s.cells[:len(s.cells)-1]
			s.fault = &Fault{
				len(s.cells) + 1, FaultQuotes,
				"Text follows the closing quotes. Quotes inside a cell are doubled.",
			}
			return s
		}
	}
}

// plainCell reads a cell without quotes up to what ends it.
func (s *scanned) plainCell(buffer []byte, at int, separator byte, last bool) (string, int) {
	for i := at; i < len(buffer); i++ {
		switch buffer[i] {
		case separator, '\n', '\r':
			return string(buffer[at:i]), i
		case '"':
			s.fault = &Fault{
				len(s.cells) + 1, FaultQuotes,
				"Quotes stand inside a cell that does not begin with quotes. Put the cell in quotes and double those inside.",
			}
			return "", i
		}
	}
	s.open = !last
	return string(buffer[at:]), len(buffer)
}

// quotedCell reads a cell in quotes; the place returned is behind the closing ones.
func (s *scanned) quotedCell(buffer []byte, at int, last bool) (string, int) {
	s.inQuotes = true
	begin := at + 1
	doubled := false
	for i := begin; ; {
		next := bytes.IndexByte(buffer[i:], '"')
		if next < 0 || i+next+1 == len(buffer) && !last {
			s.open, s.quoted = true, len(s.cells)+1
			return "", len(buffer)
		}
		end := i + next
		if end+1 < len(buffer) && buffer[end+1] == '"' {
			doubled, i = true, end+2
			continue
		}
		s.lines += lineBreaks(buffer[begin:end])
		text := string(buffer[begin:end])
		if doubled {
			text = strings.ReplaceAll(text, `""`, `"`)
		}
		return text, end + 1
	}
}

// lineBreaks counts LF, CRLF and CR.
func lineBreaks(text []byte) int {
	return bytes.Count(text, []byte("\n")) + bytes.Count(text, []byte("\r")) - bytes.Count(text, []byte("\r\n"))
}

// unreadable finds the first cell that is no text.
func unreadable(cells []string) *Fault {
	for i, cell := range cells {
		if !utf8.ValidString(cell) {
			return &Fault{i + 1, FaultEncoding, "The text is not in UTF-8. Save the file as CSV UTF-8."}
		}
		if strings.IndexByte(cell, 0) >= 0 {
			return &Fault{i + 1, FaultEncoding, "The text has a NUL character."}
		}
	}
	return nil
}

// Separator is the one that a header row uses: comma, semicolon or tab, whichever
// stands there most often.
func Separator(header []byte) byte {
	if end := bytes.IndexAny(header, "\r\n"); end >= 0 {
		header = header[:end]
	}
	best, most := byte(','), bytes.Count(header, []byte(","))
	for _, candidate := range []byte{';', '\t'} {
		if n := bytes.Count(header, []byte{candidate}); n > most {
			best, most = candidate, n
		}
	}
	return best
}
