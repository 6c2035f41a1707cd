package web

import "bytes"

// tableRoles are what the parts of a table are to a screen reader. The elements say the same, but some browsers forget
// that when the stylesheet shows a table in another way, as it does on narrow screens.
var tableRoles = map[string]string{
	"table": "table", "thead": "rowgroup", "tbody": "rowgroup", "tr": "row", "td": "cell", "th": "rowheader",
}

// tabled is a page in whose tables every cell says the name of its column. On narrow screens, where the cells of a row
// are below each other, the stylesheet shows it before the value. The page comes from a template: only tags contain <.
func tabled(page []byte) []byte {
	made := make([]byte, 0, len(page)+len(page)/4)
	var names [][]byte
	head, column := false, 0
	for {
		at := bytes.IndexByte(page, '<')
		if at < 0 {
			return append(made, page...)
		}
		made, page = append(made, page[:at]...), page[at:]
		name := page[1 : 1+max(bytes.IndexAny(page[1:], " >"), 0)]
		made, page = append(made, page[:1+len(name)]...), page[1+len(name):]
		role, known := tableRoles[string(name)]
		if !known {
			continue
		}
		switch string(name) {
		case "thead":
			head, names = true, nil
		case "tbody":
			head = false
		case "tr":
			column = 0
		case "th", "td":
			if head {
				role, names = "columnheader", append(names, wordsUntil(page, "</th>"))
			} else if column < len(names) {
				made = append(append(append(made, ` data-column="`...), names[column]...), '"')
				column++
			}
		}
		made = append(append(append(made, ` role="`...), role...), '"')
	}
}

// wordsUntil is the text of an element that ends where is said, of which the rest begins within its first tag.
func wordsUntil(rest []byte, end string) (words []byte) {
	rest, _, _ = bytes.Cut(rest, []byte(end))
	for len(rest) > 0 {
		_, rest, _ = bytes.Cut(rest, []byte(">"))
		text, tag, _ := bytes.Cut(rest, []byte("<"))
		words, rest = append(words, text...), tag
	}
	return bytes.ReplaceAll(words, []byte(`"`), []byte("&#34;"))
}
