package docs

import (
	"regexp"
	"strings"
)

// block is a part of a text of the contract: a paragraph, a heading or a list.
type block struct {
	Kind  string // p, h, ul or ol
	Lines [][]span
}

// span is a part of a line: plain text, code, strong text or a link.
type span struct{ Kind, Text, URL string }

var (
	listItem = regexp.MustCompile(`^(?:-|\d+\.) +`)
	inline   = regexp.MustCompile("`([^`]+)`|\\*\\*([^*]+)\\*\\*|\\[([^]]+)\\]\\(([^)]+)\\)")
)

// proseOf reads a text in the part of Markdown that the contract uses: headings, paragraphs, lists of one level, code,
// strong text and links.
func proseOf(text string) (blocks []block) {
	open := false // the next line continues the last block
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		item := listItem.FindString(line)
		switch last := len(blocks) - 1; {
		case line == "":
			open = false
		case strings.HasPrefix(line, "#"):
			blocks, open = append(blocks, block{"h", [][]span{spansOf(strings.TrimLeft(line, "# "))}}), false
		case item != "" && last >= 0 && blocks[last].Kind == kindOfList(item):
			blocks[last].Lines = append(blocks[last].Lines, spansOf(line[len(item):]))
		case item != "":
			blocks, open = append(blocks, block{kindOfList(item), [][]span{spansOf(line[len(item):])}}), true
		case open:
			n := len(blocks[last].Lines) - 1
			blocks[last].Lines[n] = append(blocks[last].Lines[n], spansOf(" "+line)...)
		default:
			blocks, open = append(blocks, block{"p", [][]span{spansOf(line)}}), true
		}
	}
	return blocks
}

func kindOfList(item string) string {
	if item[0] == '-' {
		return "ul"
	}
	return "ol"
}

func spansOf(line string) (spans []span) {
	at := 0
	for _, m := range inline.FindAllStringSubmatchIndex(line, -1) {
		if m[0] > at {
			spans = append(spans, span{Text: line[at:m[0]]})
		}
		switch at = m[1]; {
		case m[2] >= 0:
			spans = append(spans, span{Kind: "code", Text: line[m[2]:m[3]]})
		case m[4] >= 0:
			spans = append(spans, span{Kind: "strong", Text: line[m[4]:m[5]]})
		default:
			spans = append(spans, span{Kind: "a", Text: line[m[6]:m[7]], URL: line[m[8]:m[9]]})
		}
	}
	if at < len(line) {
		spans = append(spans, span{Text: line[at:]})
	}
	return spans
}
