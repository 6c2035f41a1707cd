package pdf

import (
	"strings"
	"sync"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
)

// grouped marks the thousands of a plain number.
func grouped(number string) string {
	sign, digits := "", number
	if strings.HasPrefix(number, "-") {
		sign, digits = "-", number[1:]
	}
	digits, fraction, dot := strings.Cut(digits, ".")
	var b strings.Builder
	b.WriteString(sign)
	for i := range len(digits) {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteByte(digits[i])
	}
	if dot {
		b.WriteByte('.')
		b.WriteString(fraction)
	}
	return b.String()
}

// negated changes the sign of a plain number. Zero has no sign.
func negated(number string) string {
	if strings.Trim(number, "0.") == "" {
		return number
	}
	if positive, negative := strings.CutPrefix(number, "-"); negative {
		return positive
	}
	return "-" + number
}

// printable replaces characters that the fonts lack. They have the Latin, Greek and Cyrillic letters.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > 0xffff || !hasGlyph(r) {
			return '\uFFFD'
		}
		return r
	}, s)
}

// glyphs finds characters in the fonts. Its buffer allows one search at a time.
var glyphs struct {
	sync.Mutex
	buffer sfnt.Buffer
}

var fonts = sync.OnceValue(func() []*sfnt.Font {
	var parsed []*sfnt.Font
	for _, ttf := range [][]byte{goregular.TTF, gobold.TTF} {
		font, err := sfnt.Parse(ttf)
		if err != nil {
			panic("font: " + err.Error()) // the fonts are compiled in
		}
		parsed = append(parsed, font)
	}
	return parsed
})

func hasGlyph(r rune) bool {
	if r >= ' ' && r <= '~' {
		return true
	}
	glyphs.Lock()
	defer glyphs.Unlock()
	for _, font := range fonts() {
		if index, err := font.GlyphIndex(&glyphs.buffer, r); err != nil || index == 0 {
			return false
		}
	}
	return true
}
