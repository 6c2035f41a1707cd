package pdf

import (
	"bytes"
	"fmt"
	"sync"
)

// toUnicode maps the codes of a font, which are UTF-16, to themselves (ISO 32000-1, 9.10.3). A range must end
// where the last byte of its codes would overflow. The single range that fpdf writes is right only
// for the first 256 characters.
var toUnicode = sync.OnceValue(func() []byte {
	var b bytes.Buffer
	b.WriteString(`/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <FFFF>
endcodespacerange
`)
	const together = 64 // ranges; at most 100 are allowed
	for high := range 256 {
		if high%together == 0 {
			fmt.Fprintf(&b, "%d beginbfrange\n", together)
		}
		fmt.Fprintf(&b, "<%02X00> <%02XFF> <%02X00>\n", high, high, high)
		if high%together == together-1 {
			b.WriteString("endbfrange\n")
		}
	}
	b.WriteString("endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n")
	return b.Bytes()
})
